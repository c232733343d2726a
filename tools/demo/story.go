package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/propertybag"
	"github.com/armature-dev/armature/runtime/reconcile"
	"github.com/armature-dev/armature/runtime/remainder"
	"github.com/armature-dev/armature/tools/controlplane"
	"github.com/armature-dev/armature/tools/demo/stage"
)

// The versions that the story is about.
const (
	oldest = "v20170201"
	adas   = "v20240301"
	newest = "v20241101"

	oldPerson    = "v20130303"
	newestPerson = "v20211111"
)

const (
	group      = "/subscriptions/demo/resourceGroups/shop"
	sessionsID = group + "/providers/Microsoft.Cache/redis/sessions"
	ordersID   = group + "/providers/Microsoft.Cache/redis/orders"
)

var (
	caches  = schema.GroupResource{Group: "cache.azure.armature.dev", Resource: "redis"}
	persons = schema.GroupResource{Group: "crm.azure.armature.dev", Resource: "persons"}
)

const sessions = `apiVersion: cache.azure.armature.dev/` + adas + `
kind: Redis
metadata:
  name: sessions
spec:
  owner: {armId: ` + group + `}
  location: westeurope
  sku: {name: Premium, family: P, capacity: 1}
  shardCount: 2
  zones: ["1"]
  minimumTlsVersion: "1.2"
  publicNetworkAccess: Disabled
  replicasPerPrimary: 1`

// edited is the body that ARM should get after Bob's edit.
const edited = `{"location":"westeurope","zones":["1"],"properties":{"minimumTlsVersion":"1.2","publicNetworkAccess":"Disabled",` +
	`"replicasPerPrimary":1,"shardCount":2,"sku":{"capacity":2,"family":"P","name":"Premium"}}}`

const grace = `apiVersion: crm.azure.armature.dev/` + oldPerson + `
kind: Person
metadata:
  name: grace
spec:
  owner: {armId: ` + group + `}
  firstName: Grace
  middleName: B.
  lastName: Hopper`

const orders = `apiVersion: cache.azure.armature.dev/` + adas + `
kind: Redis
metadata:
  name: orders
spec:
  owner: {armId: ` + group + `}
  location: westeurope
  sku: {name: Premium, family: P, capacity: 2}`

// byHand is the Redis of Carol's, who has made it in Azure, and ordered what ARM should get when Ada takes it over.
const (
	byHand  = `{"location":"westeurope","properties":{"minimumTlsVersion":"1.2","sku":{"capacity":1,"family":"P","name":"Premium"}}}`
	ordered = `{"location":"westeurope","properties":{"sku":{"capacity":2,"family":"P","name":"Premium"}}}`
)

// teller tells the story. A chapter returns an error if what it says is not true.
type teller struct {
	*stage.Stage
	*screen
}

func tell(ctx context.Context, s *screen, g *stage.Stage) error {
	t := &teller{g, s}
	for i, chapter := range []struct {
		title string
		tell  func(context.Context) error
	}{
		{"Ada creates a Redis at " + adas, t.create},
		{"The same Redis at three versions, and as it is stored", t.compare},
		{"Bob, who knows " + oldest + " only, sets sku.capacity and writes it back", t.edit},
		{"ARM gets all of it, in the version that Ada chose", t.send},
		{"A tool of Bob's drops the annotation, and is refused", t.refuse},
		{"What the stored version lacks is in its bag", t.bag},
		{"Ada's manifest names a Redis that Carol has made by hand", t.takeOver},
		{"Carol changes it in Azure once more, and Ada's object says so", t.drift},
		{"ARM breaks off and takes its time, and the operator goes on", t.trouble},
		{"What is deleted goes in ARM first", t.remove},
	} {
		t.print("", t.bold(fmt.Sprintf("%d  %s", i+1, chapter.title)), "")
		if err := chapter.tell(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (t *teller) create(ctx context.Context) error {
	stored, err := t.apply(ctx, caches, sessions)
	if err != nil {
		return err
	}
	put, err := t.next(ctx, "2024-03-01")
	if err != nil {
		return err
	}
	t.print("", "   It is stored at "+stored.GroupVersionKind().Version+". The operator sends it to ARM at the",
		"   version that Ada has chosen:", "",
		"   "+line(put))
	return t.ready(ctx, caches.WithVersion(adas), "sessions")
}

// properties are the properties that the story shows, in the order of the file.
var properties = []string{"sku.capacity", "shardCount", "zones", "minimumTlsVersion", "publicNetworkAccess", "replicasPerPrimary"}

func (t *teller) compare(ctx context.Context) error {
	if err := t.sideBySide(ctx, caches, "sessions", properties, oldest, adas, newest); err != nil {
		return err
	}
	t.print("",
		"   "+t.gold("carried")+"  That version has no such property, so the value goes along in the",
		"            annotation "+annotation.Remainder+" while a client has the object.",
		"            The annotation is never stored.")
	return nil
}

func (t *teller) edit(ctx context.Context) error {
	before, err := t.get(ctx, caches.WithVersion(adas), "sessions")
	if err != nil {
		return err
	}
	his, err := t.get(ctx, caches.WithVersion(oldest), "sessions")
	if err != nil {
		return err
	}
	if err := unstructured.SetNestedField(his.Object, int64(2), "spec", "sku", "capacity"); err != nil {
		return err
	}
	if _, err := t.Client.Resource(caches.WithVersion(oldest)).Namespace("default").Update(ctx, his, metav1.UpdateOptions{}); err != nil {
		return err
	}
	after, err := t.get(ctx, caches.WithVersion(adas), "sessions")
	if err != nil {
		return err
	}
	rows := [][]cell{{plain(""), {"before", t.dim}, {"after", t.dim}}}
	for _, property := range properties {
		was, is := plain(brief(before, property)), plain(brief(after, property))
		if was.text != is.text {
			is.style = t.green
		}
		rows = append(rows, []cell{plain(property), was, is})
	}
	t.table(rows)

	expected := before.DeepCopy()
	if err := unstructured.SetNestedField(expected.Object, int64(2), "spec", "sku", "capacity"); err != nil {
		return err
	}
	if !reflect.DeepEqual(expected.Object["spec"], after.Object["spec"]) {
		return fmt.Errorf("at %s the spec is\n%v\nexpected\n%v", adas, after.Object["spec"], expected.Object["spec"])
	}
	stored, err := t.Stored(ctx, caches, "sessions")
	if err != nil {
		return err
	}
	if version := brief(stored, "originalVersion"); version != adas {
		return fmt.Errorf("found the original version %s, expected %s", version, adas)
	}
	t.print("",
		"   "+t.green("Nothing is lost:")+" at "+adas+" all but his edit is as Ada wrote it. And",
		"   it is still written for that version.")
	return nil
}

func (t *teller) send(ctx context.Context) error {
	put, err := t.next(ctx, "2024-03-01")
	if err != nil {
		return err
	}
	if string(put.Body) != edited {
		return fmt.Errorf("ARM got\n%s\nexpected\n%s", put.Body, edited)
	}
	var body bytes.Buffer
	if err := json.Indent(&body, put.Body, "   ", "  "); err != nil {
		return err
	}
	t.print("   "+line(put), "   "+body.String())
	return t.ready(ctx, caches.WithVersion(adas), "sessions")
}

// refuse shows a write that would lose what the annotation carries.
func (t *teller) refuse(ctx context.Context) error {
	t.print("   kubectl annotate redis."+oldest+"."+caches.Group+" sessions \\", "     "+annotation.Remainder+"-", "")
	his, err := t.get(ctx, caches.WithVersion(oldest), "sessions")
	if err != nil {
		return err
	}
	unstructured.RemoveNestedField(his.Object, "metadata", "annotations", annotation.Remainder)
	_, err = t.Client.Resource(caches.WithVersion(oldest)).Namespace("default").Update(ctx, his, metav1.UpdateOptions{})
	if !controlplane.IsDenied(err) {
		return fmt.Errorf("a write without %s was not denied: %v", annotation.Remainder, err)
	}
	t.print(indent(wrap(err.Error(), 74), "   ")...)
	t.print("", "   "+t.green("Zones and TLS version stay:")+" each group has policies for such writes.")
	return nil
}

func (t *teller) bag(ctx context.Context) error {
	if _, err := t.apply(ctx, persons, grace); err != nil {
		return err
	}
	put, err := t.next(ctx, "2013-03-03")
	if err != nil {
		return err
	}
	if err := t.ready(ctx, persons.WithVersion(oldPerson), "grace"); err != nil {
		return err
	}
	t.print("")
	names := []string{"firstName", "middleName", "lastName", "knownAs", "familyName", "legalName"}
	if err := t.sideBySide(ctx, persons, "grace", names, oldPerson, newestPerson); err != nil {
		return err
	}
	t.print("",
		"   "+t.gold("in the bag")+"  The stored version has other names, which a hook computes. Its",
		"               property $propertyBag keeps those that were given, until a",
		"               version that has them is asked for.", "",
		"   "+line(put), "   "+string(put.Body))
	return nil
}

// takeOver shows an object whose id in ARM somebody else's resource has.
func (t *teller) takeOver(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPut, t.ARMURL+ordersID+"?api-version="+date(adas), strings.NewReader(byHand))
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	if err := answer.Body.Close(); err != nil || answer.StatusCode != http.StatusCreated {
		return fmt.Errorf("ARM answers Carol %s: %w", answer.Status, err)
	}
	t.NewRequests()
	if _, err := t.apply(ctx, caches, orders); err != nil {
		return err
	}
	message, err := t.because(ctx, "orders", reconcile.ReasonAlreadyExists)
	if err != nil {
		return err
	}
	t.print("", "   Ready=False "+t.gold(reconcile.ReasonAlreadyExists))
	t.print(indent(wrap(strings.ReplaceAll(message, group+"/providers", "…"), 74), "   ")...)
	t.print("", "   The operator has read it, and sent nothing:", "")
	for _, r := range t.NewRequests() {
		if t.print("   " + line(r)); r.ID == ordersID && r.Method != http.MethodGet {
			return fmt.Errorf("the operator has sent %s for what is Carol's", line(r))
		}
	}
	t.print("", "   Carol agrees that Ada takes it over, with what her manifest says alone:", "",
		"   kubectl annotate redis orders "+annotation.Adopt+"="+annotation.AdoptExact, "")
	patch := fmt.Appendf(nil, `{"metadata": {"annotations": {%q: %q}}}`, annotation.Adopt, annotation.AdoptExact)
	if _, err := t.Client.Resource(caches.WithVersion(adas)).Namespace("default").Patch(ctx, "orders", types.MergePatchType, patch,
		metav1.PatchOptions{}); err != nil {
		return err
	}
	put, err := t.next(ctx, date(adas))
	if err != nil {
		return err
	}
	if put.ID != ordersID || string(put.Body) != ordered {
		return fmt.Errorf("ARM got %s with\n%s\nexpected\n%s", line(put), put.Body, ordered)
	}
	if _, err := t.because(ctx, "orders", reconcile.ReasonSucceeded); err != nil {
		return err
	}
	t.print("   " + line(put))
	t.print(indent(wrap(strings.ReplaceAll(string(put.Body), `,"properties"`, `, "properties"`), 74), "   ")...)
	t.print("", "   "+t.green("Nothing of somebody else is changed by mistake:")+" and if Ada deletes the",
		"   object, the Redis stays, as it was there before the object.")
	return nil
}

// drift shows an object whose resource somebody else changes.
func (t *teller) drift(ctx context.Context) error {
	t.NewRequests()
	scale := func(body map[string]any) {
		body["properties"].(map[string]any)["sku"].(map[string]any)["capacity"] = json.Number("4")
	}
	if !t.ARM.Change(ordersID, "carol@example.com", scale) {
		return fmt.Errorf("ARM has no %s, or is at work on it", ordersID)
	}
	t.print("   The operator sees it when it reads the Redis, each hour or when it is asked:", "",
		"   kubectl annotate redis orders "+annotation.Refresh+"=now", "")
	patch := fmt.Appendf(nil, `{"metadata": {"annotations": {%q: "now"}}}`, annotation.Refresh)
	if _, err := t.Client.Resource(caches.WithVersion(adas)).Namespace("default").Patch(ctx, "orders", types.MergePatchType, patch,
		metav1.PatchOptions{}); err != nil {
		return err
	}
	message, err := t.condition(ctx, "orders", reconcile.Drifted, reconcile.ReasonChanged)
	if err != nil {
		return err
	}
	for _, r := range t.NewRequests() {
		t.print("   " + line(r))
	}
	t.print("", "   Drifted=True "+t.gold(reconcile.ReasonChanged))
	t.print(indent(wrap(message, 74), "   ")...)
	t.print("", "   With "+annotation.Drift+"=correct it would send Ada's Spec again.")
	return nil
}

// because waits until Ready of a Redis has a reason, and returns its message.
func (t *teller) because(ctx context.Context, name, reason string) (string, error) {
	return t.condition(ctx, name, reconcile.Ready, reason)
}

// condition waits until a condition of a Redis has a reason, and returns its message.
func (t *teller) condition(ctx context.Context, name, of, reason string) (message string, err error) {
	found := ""
	err = wait.PollUntilContextTimeout(ctx, 20*time.Millisecond, patience, true, func(ctx context.Context) (bool, error) {
		object, err := t.get(ctx, caches.WithVersion(adas), name)
		if err != nil {
			return false, err
		}
		conditions, _, err := unstructured.NestedSlice(object.Object, "status", "conditions")
		for _, c := range conditions {
			if c := c.(map[string]any); c["type"] == of {
				found, message = fmt.Sprint(c["reason"]), fmt.Sprint(c["message"])
			}
		}
		return found == reason, err
	})
	if err != nil {
		return "", fmt.Errorf("%s is %s, expected %s: %s: %w", name, found, reason, message, err)
	}
	return message, nil
}

func (t *teller) trouble(ctx context.Context) error {
	t.NewRequests() // which were shown
	t.ARM.Behave(armtest.Behavior{Rates: armtest.Rates{armtest.LostAnswer: 1}})
	three := []byte(`{"spec": {"sku": {"capacity": 3}}}`)
	if _, err := t.Client.Resource(caches.WithVersion(adas)).Namespace("default").Patch(ctx, "sessions", types.MergePatchType,
		three, metav1.PatchOptions{}); err != nil {
		return err
	}
	lost, err := t.await(ctx, func(r armtest.Request) bool { return r.Method == http.MethodPut })
	if err != nil {
		return err
	}
	t.ARM.Behave(armtest.Behavior{Rates: armtest.Rates{armtest.AsyncOperation: 1}, Slowest: time.Second})
	t.print("   Ada sets sku.capacity to 3. ARM takes that, and the answer is lost:", "", "   "+line(lost), "",
		"   Nobody knows whether ARM did it, so the operator sends it once more. Now ARM",
		"   starts an operation, which the operator follows to its end:", "")
	again, err := t.await(ctx, func(r armtest.Request) bool { return r.Method == http.MethodPut })
	if err != nil {
		return err
	}
	if !bytes.Equal(again.Body, lost.Body) {
		return fmt.Errorf("ARM got\n%s\nexpected\n%s", again.Body, lost.Body)
	}
	if err := t.ready(ctx, caches.WithVersion(adas), "sessions"); err != nil {
		return err
	}
	t.print("   " + line(again))
	for _, r := range t.NewRequests() {
		t.print("   " + line(r))
	}
	t.ARM.Behave(armtest.Behavior{})
	return nil
}

func (t *teller) remove(ctx context.Context) error {
	t.print("   kubectl delete person grace", "")
	grace := t.Client.Resource(persons.WithVersion(newestPerson)).Namespace("default")
	if err := grace.Delete(ctx, "grace", metav1.DeleteOptions{}); err != nil {
		return err
	}
	deleted, err := t.await(ctx, func(r armtest.Request) bool { return r.Method == http.MethodDelete })
	if err != nil {
		return err
	}
	t.print("   " + line(deleted))
	err = wait.PollUntilContextTimeout(ctx, 20*time.Millisecond, patience, true, func(ctx context.Context) (bool, error) {
		_, err := grace.Get(ctx, "grace", metav1.GetOptions{})
		return apierrors.IsNotFound(err), nil
	})
	if err != nil {
		return fmt.Errorf("the object is still there: %w", err)
	}
	if ids := t.ARM.IDs(); !slices.Equal(ids, []string{ordersID, sessionsID}) {
		return fmt.Errorf("ARM has %q, expected %s and %s alone", ids, ordersID, sessionsID)
	}
	t.print("", "   "+t.green("Both are gone:")+" the object waited for the resource, by its finalizer.")
	return nil
}

// apply shows a manifest, creates its object, and returns the object as stored.
func (t *teller) apply(ctx context.Context, resource schema.GroupResource, manifest string) (*unstructured.Unstructured, error) {
	t.print(indent(strings.Split(manifest, "\n"), "   ")...)
	object := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(manifest), &object.Object); err != nil {
		return nil, err
	}
	versioned := resource.WithVersion(object.GroupVersionKind().Version)
	if _, err := t.Client.Resource(versioned).Namespace("default").Create(ctx, object, metav1.CreateOptions{}); err != nil {
		return nil, err
	}
	return t.Stored(ctx, resource, object.GetName())
}

func (t *teller) get(ctx context.Context, resource schema.GroupVersionResource, name string) (*unstructured.Unstructured, error) {
	return t.Client.Resource(resource).Namespace("default").Get(ctx, name, metav1.GetOptions{})
}

// patience bounds how long the operator may take, generously: other work may
// keep the machine busy.
const patience = 2 * time.Minute

// next waits for the next PUT and returns it. One at another version, or one that
// ARM refuses, is an error.
func (t *teller) next(ctx context.Context, version string) (armtest.Request, error) {
	put, err := t.await(ctx, func(r armtest.Request) bool { return r.Method == http.MethodPut })
	if err == nil && (put.APIVersion != version || put.Status >= 300) {
		err = fmt.Errorf("ARM got %s, expected api-version %s: %s", line(put), version, put.Body)
	}
	return put, err
}

// await waits for the next request of a sort, and skips those before it.
func (t *teller) await(ctx context.Context, is func(armtest.Request) bool) (armtest.Request, error) {
	for end := time.Now().Add(patience); time.Now().Before(end); {
		for r, found := t.NextRequest(); found; r, found = t.NextRequest() {
			if is(r) {
				return r, nil
			}
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return armtest.Request{}, ctx.Err()
		}
	}
	log, err := os.ReadFile(t.LogOf("operator"))
	return armtest.Request{}, errors.Join(fmt.Errorf("the operator has sent nothing to ARM in %v:\n%s", patience, log), err)
}

// line returns the first line of a request and the status of its answer.
func line(r armtest.Request) string {
	path, answer := r.ID, fmt.Sprintf("%d %s", r.Status, http.StatusText(r.Status))
	if _, last, found := strings.Cut(r.ID, "/providers/"); found {
		path = "…/" + last
	}
	if r.APIVersion != "" {
		path += "?api-version=" + r.APIVersion
	}
	if r.Status == 0 {
		answer = "no answer"
	}
	return fmt.Sprintf("%s %s  %s", r.Method, path, answer)
}

// ready waits until ARM has done what the object says.
func (t *teller) ready(ctx context.Context, resource schema.GroupVersionResource, name string) error {
	return wait.PollUntilContextTimeout(ctx, 20*time.Millisecond, patience, true, func(ctx context.Context) (bool, error) {
		object, err := t.get(ctx, resource, name)
		if err != nil {
			return false, err
		}
		conditions, _, err := unstructured.NestedSlice(object.Object, "status", "conditions")
		if err != nil {
			return false, err
		}
		ready := false
		for _, c := range conditions {
			c := c.(map[string]any)
			switch {
			case c["type"] == reconcile.Stalled:
				return false, fmt.Errorf("%s is not ready: %s", name, c["message"])
			case c["type"] == reconcile.Ready:
				ready = c["status"] == "True" && c["observedGeneration"] == object.GetGeneration()
			}
		}
		return ready, nil
	})
}

// sideBySide prints a table of an object at some versions, and as stored.
func (t *teller) sideBySide(ctx context.Context, resource schema.GroupResource, name string, properties []string,
	versions ...string) error {
	columns := []view{}
	for _, version := range versions {
		object, err := t.get(ctx, resource.WithVersion(version), name)
		if err != nil {
			return err
		}
		gvk := object.GroupVersionKind()
		note, err := remainder.Read(object.GetAnnotations(),
			remainder.Object{Group: gvk.Group, Kind: gvk.Kind, Namespace: object.GetNamespace(), Name: name}, nil, nil)
		if err != nil {
			return err
		}
		columns = append(columns, view{date(version), object, note})
	}
	stored, err := t.Stored(ctx, resource, name)
	if err != nil {
		return err
	}
	if _, found := stored.GetAnnotations()[annotation.Remainder]; found {
		return errors.New("the annotation " + annotation.Remainder + " is in etcd")
	}
	columns = append(columns, view{"in etcd", stored, remainder.Note{}})

	header := []cell{plain("")}
	for _, column := range columns {
		header = append(header, cell{column.title, t.dim})
	}
	rows := [][]cell{header}
	for _, property := range append(slices.Clone(properties), "originalVersion") {
		row := []cell{plain(property)}
		for _, column := range columns {
			row = append(row, column.cell(t.screen, property))
		}
		rows = append(rows, row)
	}
	last := []cell{{"the annotation", t.dim}}
	for _, column := range columns {
		last = append(last, cell{size(column.object), t.dim})
	}
	t.table(append(rows, last))
	return nil
}

var dates = regexp.MustCompile(`(\d{4})(\d{2})(\d{2})`)

// date returns the date of the ARM version of a Kubernetes version.
func date(version string) string { return strings.Join(dates.FindStringSubmatch(version)[1:], "-") }

// view is an object as a client sees it, or as stored.
type view struct {
	title  string
	object *unstructured.Unstructured
	note   remainder.Note
}

// cell returns the value of a property, or says where it is kept instead.
func (v view) cell(s *screen, property string) cell {
	if value := brief(v.object, property); value != "" {
		return plain(value)
	}
	entry := strings.ToLower(property)
	if _, found, _ := unstructured.NestedMap(v.object.Object, "spec", propertybag.Name, entry); found {
		return cell{"in the bag", s.gold}
	}
	for _, lost := range v.note.Lost.Entries() {
		if lost.Path == "spec" && lost.Name == entry || lost.Path == "spec."+property {
			return cell{"carried", s.gold}
		}
	}
	if property == "originalVersion" && v.note.OriginalVersion != "" {
		return cell{"carried", s.gold}
	}
	return cell{"–", s.dim}
}

// size returns the size of the annotation that a client sees.
func size(object *unstructured.Unstructured) string {
	if text := object.GetAnnotations()[annotation.Remainder]; text != "" {
		return fmt.Sprintf("%d bytes", len(text))
	}
	return "–"
}

// brief returns a property of a Spec in one line, or "" if there is none.
func brief(object *unstructured.Unstructured, property string) string {
	value, found, err := unstructured.NestedFieldNoCopy(object.Object, append([]string{"spec"}, strings.Split(property, ".")...)...)
	if err != nil || !found {
		return ""
	}
	if text, ok := value.(string); ok {
		return text
	}
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
