package reconcile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	armclient "github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
	"github.com/armature-dev/armature/runtime/reference"
)

func TestManage(t *testing.T) {
	t.Run("an object becomes a resource, once", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		h := get[homes.House](w, "h")
		w.expect("ready", h, "True Succeeded")
		w.has("created", houseID, `{"rooms":3}`)
		if h.Status.Rooms == nil || *h.Status.Rooms != 3 || *h.Status.Id != houseID {
			t.Errorf("got the Status %v", h.Status)
		}
		w.pass(10 * time.Minute)
		if n := w.count("PUT", ""); n != 1 {
			t.Errorf("got %d PUTs, want 1", n)
		}
	})
	t.Run("a change is sent, and nothing else is", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		edit(w, "h", func(h *homes.House) { h.Labels = map[string]string{"a": "b"} })
		w.pass(time.Minute)
		if n := w.count("PUT", ""); n != 1 {
			t.Errorf("a label: got %d PUTs, want 1", n)
		}
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
		w.pass(time.Minute)
		w.has("changed", houseID, `{"rooms":4}`)
		if n := w.count("PUT", ""); n != 2 {
			t.Errorf("got %d PUTs, want 2", n)
		}
	})
	t.Run("a change without a new generation, as a write at an old version can make", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		h := get[homes.House](w, "h")
		h.Spec.Fields.Color = p("red")
		if err := w.store.Update(context.Background(), h); err != nil {
			t.Fatal(err)
		}
		w.pass(time.Minute)
		w.has("changed", houseID, `{"color":"red","rooms":3}`)
	})
	t.Run("after a restart nothing is asked until a refresh is due", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
			w.create(newHouse(name, 3))
		}
		w.pass(time.Minute)
		before := len(w.arm.Requests())
		w.start()
		w.pass(time.Second)
		if n := len(w.arm.Requests()) - before; n != 0 {
			t.Errorf("got %d requests after the restart, want none", n)
		}
		w.pass(time.Hour)
		if n := len(w.arm.Requests()) - before; n != 6 {
			t.Errorf("got %d requests in an hour, want one refresh of each", n)
		}
	})
	t.Run("what is not up to date is not sent", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		h := newHouse("h", 3)
		h.Spec.Fields.Password = &reference.Secret{Name: "s", Key: "k"}
		w.secret("s", map[string]string{"k": "first"})
		w.create(h)
		w.pass(time.Minute)
		w.lag = time.Minute // the operator does not see the next change of the object
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
		w.secret("s", map[string]string{"k": "second"})
		w.enqueue(refOf(w, newHouse("h", 3)), w.now)
		w.pass(30 * time.Second)
		w.has("as before", houseID, `{"password":"first","rooms":3}`)
		w.pass(time.Hour)
		w.has("both changes", houseID, `{"password":"second","rooms":4}`)
		if n := w.count("PUT", ""); n != 2 {
			t.Errorf("got %d PUTs, want 2", n)
		}
	})
	t.Run("a resource that is gone is made again", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.removeInARM(houseID)
		w.pass(2 * time.Hour)
		w.has("made again", houseID, `{"rooms":3}`)
	})
	t.Run("the version of the object is the one of the request", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		h := newHouse("h", 3)
		h.Spec.OriginalVersion = homes.V2019
		w.create(h)
		w.pass(time.Minute)
		if r := w.arm.Requests()[0]; r.APIVersion != "2019-01-01" {
			t.Errorf("got %s", r.APIVersion)
		}
		edit(w, "h", func(h *homes.House) { h.Annotations[annotation.APIVersion] = homes.V2020 })
		w.pass(time.Minute)
		all := w.arm.Requests()
		if r := all[len(all)-1]; r.APIVersion != "2020-02-02" || w.count("PUT", "") != 2 {
			t.Errorf("got %s after %d PUTs", r.APIVersion, w.count("PUT", ""))
		}
		if got := get[homes.House](w, "h").Annotations[annotation.SentAPIVersion]; got != "2020-02-02" {
			t.Errorf("the annotation says %q", got)
		}
		var events []string
		for _, e := range w.events.all {
			if strings.Contains(e, "APIVersionChanged") {
				events = append(events, e)
			}
		}
		if len(events) != 1 || !strings.Contains(events[0], "2020-02-02") || !strings.Contains(events[0], "2019-01-01") {
			t.Errorf("got the events %q, want one about the version", events)
		}
	})
	t.Run("and that of its deletion", func(t *testing.T) {
		for version, want := range map[string]string{homes.V2019: "2019-01-01", homes.V2020: "2020-02-02"} {
			w := newWorld(t, armtest.Behavior{})
			h := newHouse("h", 3)
			h.Spec.OriginalVersion = version
			w.create(h)
			w.pass(time.Minute)
			before := len(w.arm.Requests())
			w.delete(get[homes.House](w, "h"))
			w.pass(time.Minute)
			for _, r := range w.arm.Requests()[before:] {
				if r.APIVersion != want {
					t.Errorf("ARM got %s at %s, want %s", r.Method, r.APIVersion, want)
				}
			}
		}
	})

	t.Run("what a version cannot hold is not sent in part", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		h := newHouse("h", 3)
		h.Spec.OriginalVersion, h.Spec.Fields.Color = homes.V2019, p("red")
		w.create(h)
		w.pass(time.Hour)
		w.expect("refused", get[homes.House](w, "h"), "False VersionLacksProperties", "color")
		if n := len(w.arm.Requests()); n != 0 {
			t.Errorf("got %d requests", n)
		}
	})
	t.Run("a name that a Spec gives later is refused, and what was made stays", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.AzureName = p("other") })
		w.pass(time.Minute)
		w.expect("refused", get[homes.House](w, "h"), "False ARMIDChanged", "houses/other", houseID)
		w.delete(get[homes.House](w, "h"))
		w.pass(time.Minute)
		if ids := w.arm.IDs(); len(ids) != 0 || get[homes.House](w, "h") != nil {
			t.Errorf("after the deletion ARM has %q", ids)
		}
	})
	t.Run("invalid input is an error, and is sent again when it changes", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 300))
		w.pass(10 * time.Minute)
		h := get[homes.House](w, "h")
		w.expect("refused", h, "False InvalidRequestContent", "rooms")
		if !meta.IsStatusConditionTrue(h.Status.Conditions, Stalled) || w.count("PUT", "") > 2 {
			t.Errorf("got %v after %d PUTs", h.Status.Conditions, w.count("PUT", ""))
		}
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(3)) })
		w.pass(time.Minute)
		h = get[homes.House](w, "h")
		w.expect("mended", h, "True Succeeded")
		if len(h.Status.Conditions) != 1 {
			t.Errorf("got the conditions %v, want Ready alone", h.Status.Conditions)
		}
	})
}

// removeInARM removes a resource as somebody else would.
func (w *world) removeInARM(id string) {
	w.Helper()
	c, err := newClient(w.op.options, &w.op.cluster, w.op.metrics, w.op.tracer, token("somebody"), nil)
	if err == nil {
		_, err = c.Delete(context.Background(), clientRequest(id))
	}
	if err != nil {
		w.Fatalf("%v", err)
	}
}

// putInARM puts a resource as somebody else would.
// changeInARM changes a resource as somebody does in the portal.
func (w *world) changeInARM(id string, change func(body map[string]any)) {
	w.Helper()
	if !w.arm.Change(id, "eve@example.com", change) {
		w.Fatalf("ARM has no %s", id)
	}
}

func (w *world) putInARM(id, body string) {
	w.Helper()
	c, err := newClient(w.op.options, &w.op.cluster, w.op.metrics, w.op.tracer, token("somebody"), nil)
	if err == nil {
		request := clientRequest(id)
		request.Body = []byte(body)
		_, err = c.Put(context.Background(), request)
	}
	if err != nil {
		w.Fatalf("%v", err)
	}
}

func TestReferences(t *testing.T) {
	t.Run("a child waits for its owner, and is woken", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.MissingParent: 1}})
		w.create(newDoor("d", "h"))
		w.pass(time.Minute)
		w.expect("waits", get[homes.Door](w, "d"), "False WaitingForOwner", "House shop/h does not exist")
		w.create(newHouse("h", 3))
		w.pass(time.Second)
		d := get[homes.Door](w, "d")
		w.expect("made", d, "True Succeeded")
		if o := d.OwnerReferences; len(o) != 1 || o[0].Name != "h" || o[0].APIVersion != homes.Group+"/"+homes.V2020 {
			t.Errorf("got the owners %v", o)
		}
		for _, r := range w.arm.Requests() {
			if r.Method == http.MethodPut && r.Status >= 400 {
				t.Errorf("ARM refused %v", r)
			}
		}
	})
	t.Run("a Secret that is missing, and one that changes", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		h := newHouse("h", 3)
		h.Spec.Fields.Password = &reference.Secret{Name: "s", Key: "k"}
		w.create(h)
		w.pass(time.Minute)
		w.expect("waits", get[homes.House](w, "h"), "False SecretMissing", "Secret shop/s does not exist")
		w.secret("s", map[string]string{"other": "x"})
		w.pass(time.Second)
		w.expect("waits", get[homes.House](w, "h"), "False SecretMissing", `no key "k"`)
		w.secret("s", map[string]string{"k": "hunter2"})
		w.pass(time.Second)
		w.has("made", houseID, `{"password":"hunter2","rooms":3}`)
		w.secret("s", map[string]string{"k": "hunter2", "more": "y"})
		w.pass(time.Second)
		if n := w.count("PUT", ""); n != 1 {
			t.Errorf("another key changed: got %d PUTs, want 1", n)
		}
		w.secret("s", map[string]string{"k": "hunter3"})
		w.pass(time.Second)
		w.has("changed", houseID, `{"password":"hunter3","rooms":3}`)
		if text := w.everything(); strings.Contains(text, "hunter") {
			t.Errorf("a secret is in the cluster: %s", text)
		}
	})
	t.Run("a whole Secret is an object, key by key, in every change", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		h := newHouse("h", 3)
		h.Spec.Fields.Settings, h.Spec.Fields.Password = &reference.Secret{Name: "s"}, &reference.Secret{Name: "s", Key: "url"}
		w.create(h)
		w.pass(time.Minute)
		w.expect("waits", get[homes.House](w, "h"), "False SecretMissing", "spec.settings: Secret shop/s does not exist")
		w.secret("s", map[string]string{"url": "hunter=2", "a.b": ""})
		w.pass(time.Second)
		w.has("made", houseID, `{"password":"hunter=2","rooms":3,"settings":{"a.b":"","url":"hunter=2"}}`)
		w.secret("s", map[string]string{"url": "hunter3"})
		w.pass(time.Second)
		w.has("changed", houseID, `{"password":"hunter3","rooms":3,"settings":{"url":"hunter3"}}`)
		w.secret("s", map[string]string{"url": "hunter4", "key": "\xff\xfe"})
		w.pass(time.Second)
		w.expect("refused", get[homes.House](w, "h"), "False InvalidSpec",
			`spec.settings: Secret shop/s: the values of the keys "key" are no UTF-8`)
		if text := w.everything(); strings.Contains(text, "hunter") {
			t.Errorf("a secret is in the cluster: %s", text)
		}
	})
	t.Run("a text needs a key of a Secret", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.secret("s", map[string]string{"k": "hunter2"})
		h := newHouse("h", 3)
		h.Spec.Fields.Password = &reference.Secret{Name: "s"}
		w.create(h)
		w.pass(time.Minute)
		w.expect("refused", get[homes.House](w, "h"), "False InvalidSpec", `spec.password: the reference to the Secret "s" has no key`)
	})
	t.Run("a refusal that repeats the request shows no secret", func(t *testing.T) {
		for _, rates := range []armtest.Rates{{armtest.Transient409: 1}, {armtest.AsyncOperation: 1, armtest.OperationFails: 1},
			{armtest.LocationOperation: 1, armtest.OperationFails: 1}} {
			rates[armtest.Echoes] = 1
			w := newWorld(t, armtest.Behavior{Rates: rates})
			w.secret("s", map[string]string{"k": "hunter2"})
			h := newHouse("h", 3)
			h.Spec.Fields.Password = &reference.Secret{Name: "s", Key: "k"}
			w.create(h)
			w.pass(10 * time.Minute)
			if text := w.everything(); strings.Contains(text, "hunter2") || !strings.Contains(text, "(secret)") {
				t.Errorf("%v: got %s", rates, text)
			}
		}
	})
	t.Run("a refusal to read that repeats the resource shows no secret", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.secret("s", map[string]string{"k": "hunter2"})
		h := newHouse("h", 3)
		h.Spec.Fields.Password = &reference.Secret{Name: "s", Key: "k"}
		w.create(h)
		w.pass(time.Minute)
		w.expect("made", get[homes.House](w, "h"), "True Succeeded")
		w.options.Transport = telling{transport{w}, `{"error":{"code":"Unfit","message":"found the password \"hunter2\""}}`}
		w.start()
		w.pass(2 * time.Hour)
		w.expect("refused", get[homes.House](w, "h"), "False Unfit", `found the password "(secret)"`)
		if text := w.everything(); strings.Contains(text, "hunter2") {
			t.Errorf("got %s", text)
		}
	})
	t.Run("a resource may name itself", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		s := &homes.Street{ObjectMeta: objectMeta("a")}
		s.Spec.Fields.Owner, s.Spec.Fields.AzureName = &reference.Owner{ARMID: group}, p("main")
		s.Spec.Fields.StreetReference = &reference.Resource{Group: homes.Group, Kind: "Street", Name: "a"}
		w.create(s)
		w.pass(time.Minute)
		w.expect("a", get[homes.Street](w, "a"), "True Succeeded")
		puts := w.arm.Requests()
		if id := group + "/providers/Contoso.Homes/streets/main"; !strings.Contains(string(puts[1].Body), id) {
			t.Errorf("sent %s, expected the id %s", puts[1].Body, id)
		}
	})
	t.Run("references to each other are told", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		for _, names := range [][2]string{{"a", "b"}, {"b", "a"}} {
			s := &homes.Street{ObjectMeta: objectMeta(names[0])}
			s.Spec.Fields.Owner = &reference.Owner{ARMID: group}
			s.Spec.Fields.StreetReference = &reference.Resource{Group: homes.Group, Kind: "Street", Name: names[1]}
			w.create(s)
		}
		w.pass(3 * time.Hour)
		w.expect("b", get[homes.Street](w, "b"), "False WaitingForReference", "it waits for this one")
		w.expect("a", get[homes.Street](w, "a"), "False WaitingForReference", "it waits for this one")
		if n := len(w.arm.Requests()); n != 0 {
			t.Errorf("got %d requests", n)
		}
	})
}

// telling is a transport that refuses all reads with an answer of its own.
type telling struct {
	transport
	answer string
}

func (t telling) Do(request *http.Request) (*http.Response, error) {
	if request.Method != http.MethodGet {
		return t.transport.Do(request)
	}
	return &http.Response{StatusCode: http.StatusBadRequest, Header: http.Header{}, Request: request,
		Body: io.NopCloser(strings.NewReader(t.answer))}, nil
}

// TestBadInput checks mistakes of users: the condition says what is wrong and where,
// nothing is sent, retries are slow, and the object can be deleted.
func TestBadInput(t *testing.T) {
	house := func(change func(*homes.House)) func() kinds.Resource {
		return func() kinds.Resource {
			h := newHouse("x", 3)
			change(h)
			return h
		}
	}
	mark := func(owner reference.AnyOwner) func() kinds.Resource {
		return func() kinds.Resource {
			m := &homes.Mark{ObjectMeta: objectMeta("x")}
			m.Spec.Fields.Owner = &owner
			return m
		}
	}
	for _, row := range []struct {
		what  string
		make  func() kinds.Resource
		want  string
		texts []string
	}{
		{"the ARM id of an owner of another type", house(func(h *homes.House) { h.Spec.Fields.Owner.ARMID = houseID }),
			"InvalidSpec", []string{"spec.owner", houseID, "a resource group"}},
		{"an ARM id that has no resource group", house(func(h *homes.House) { h.Spec.Fields.Owner.ARMID = "/subscriptions/s" }),
			"InvalidSpec", []string{"spec.owner", "a resource group"}},
		{"an ARM id that leads out of its scope", house(func(h *homes.House) { h.Spec.Fields.Owner.ARMID = group + "/../other" }),
			"InvalidSpec", []string{"spec.owner"}},
		{"an ARM id of a child's owner that is none", func() kinds.Resource {
			d := newDoor("x", "")
			d.Spec.Fields.Owner.ARMID = group + "/providers/Contoso.Homes/streets/s"
			return d
		}, "InvalidSpec", []string{"Contoso.Homes/houses"}},
		{"no owner", house(func(h *homes.House) { h.Spec.Fields.Owner = nil }), "InvalidSpec", []string{"spec.owner", "a resource group"}},
		{"an owner by the name of something that is no kind",
			house(func(h *homes.House) { h.Spec.Fields.Owner = &reference.Owner{Name: "g"} }), "UnknownKind", []string{"spec.owner.armId"}},
		{"an owner of a kind that nobody knows", mark(reference.AnyOwner{Group: homes.Group, Kind: "Tower", Name: "t"}),
			"UnknownKind", []string{"Tower", "armId"}},
		{"an owner that is in another namespace", func() kinds.Resource { return newDoor("x", "elsewhere") }, "WaitingForOwner",
			[]string{"House shop/elsewhere does not exist"}},
		{"a reference to a kind that nobody knows", house(func(h *homes.House) {
			h.Spec.Fields.StreetReference = &reference.Resource{Group: "other.example", Kind: "Road", Name: "r"}
		}), "UnknownKind", []string{"Road", "other.example", "armId"}},
		{"a reference to a kind that ARM does not take", house(func(h *homes.House) {
			h.Spec.Fields.StreetReference = &reference.Resource{Group: homes.Group, Kind: "House", Name: "h"}
		}), "WrongKind", []string{"spec.streetReference", `found kind "House"`, `expected kind "Street" of group "` + homes.Group + `"`}},
		{"a credential that does not exist",
			house(func(h *homes.House) { h.Annotations = map[string]string{annotation.CredentialFrom: "none"} }),
			"CredentialMissing", []string{"Secret shop/none"}},
		{"a credential that is none", house(func(h *homes.House) { h.Annotations = map[string]string{annotation.CredentialFrom: "pw"} }),
			"CredentialInvalid", []string{"Secret shop/pw"}},
		{"a Secret that does not exist", house(func(h *homes.House) { h.Spec.Fields.Password = &reference.Secret{Name: "none", Key: "k"} }),
			"SecretMissing", []string{"Secret shop/none"}},
		{"a key that the Secret lacks", house(func(h *homes.House) { h.Spec.Fields.Password = &reference.Secret{Name: "pw", Key: "none"} }),
			"SecretMissing", []string{"Secret shop/pw", `"none"`}},
		{"a name with a slash", house(func(h *homes.House) { h.Spec.Fields.AzureName = p("a/b") }), "InvalidSpec",
			[]string{"spec.azureName", "a/b"}},
		{"a name that leads out of its folder", house(func(h *homes.House) { h.Spec.Fields.AzureName = p("..") }), "InvalidSpec",
			[]string{"spec.azureName", `".."`}},
		{"a value that ARM refuses", house(func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(300)) }), "InvalidRequestContent",
			[]string{"rooms"}},
		{"what its version cannot hold",
			house(func(h *homes.House) { h.Spec.OriginalVersion, h.Spec.Fields.Color = homes.V2019, p("red") }),
			"VersionLacksProperties", []string{"color"}},
		{"a policy that is none", house(func(h *homes.House) { h.Annotations = map[string]string{annotation.Deletion: "mange"} }),
			"InvalidPolicy", []string{"mange", "detach"}},
	} {
		t.Run(row.what, func(t *testing.T) {
			w := newWorld(t, armtest.Behavior{})
			w.secret("pw", map[string]string{"k": "canary"})
			elsewhere := newHouse("elsewhere", 3)
			elsewhere.Namespace = "other"
			w.create(elsewhere)
			x := row.make()
			w.create(x)
			w.pass(time.Minute)
			steps, writes := w.steps, w.writes
			w.pass(55 * time.Minute)
			if n := w.steps - steps; n > 15 {
				t.Errorf("it was reconciled %d times in an hour", n)
			}
			if n := w.writes - writes; n > 10 {
				t.Errorf("there were %d writes in an hour", n)
			}
			now := w.look(w.store, x).(kinds.Resource)
			w.expect(row.what, now, "False "+row.want, row.texts...)
			if ids := w.arm.IDs(); len(ids) != 1 {
				t.Errorf("ARM has %q", ids)
			}
			if text := w.everything(); strings.Contains(text, "canary") {
				t.Error("a secret is where people see it")
			}
			if row.want == "InvalidPolicy" {
				return // it keeps what may be there: TestDelete
			}
			w.delete(now)
			w.pass(10 * time.Minute)
			if left := w.look(w.store, x); left != nil {
				t.Errorf("it is not gone: %q", message(left.(kinds.Resource)))
			}
		})
	}
	t.Run("a finalizer of somebody else", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		h := newHouse("h", 3)
		h.Finalizers = []string{"example.com/mine"}
		w.create(h)
		w.pass(time.Minute)
		w.has("made", houseID, `{"rooms":3}`)
		w.delete(get[homes.House](w, "h"))
		w.pass(time.Minute)
		w.has("gone from ARM", houseID, "")
		before := len(w.arm.Requests())
		w.pass(3 * time.Hour)
		now := get[homes.House](w, "h")
		if now == nil || !slices.Equal(now.Finalizers, h.Finalizers) || len(w.arm.Requests()) != before {
			t.Errorf("got %v, and %d more requests to ARM", now, len(w.arm.Requests())-before)
		}
		edit(w, "h", func(h *homes.House) { h.Finalizers = nil })
		w.pass(time.Minute)
		if get[homes.House](w, "h") != nil {
			t.Error("it is not gone")
		}
	})
}

// everything returns what people may see: all objects of the cluster apart from
// Secrets, events, errors, logs, traces and metrics.
func (w *world) everything() string {
	var b strings.Builder
	w.each(func(_ *kinds.Kind, r kinds.Resource) {
		text, err := json.Marshal(r)
		if err != nil {
			w.Fatalf("%v", err)
		}
		b.Write(append(text, '\n'))
	})
	var configMaps corev1.ConfigMapList
	var secrets corev1.SecretList
	for _, list := range []ctrlclient.ObjectList{&configMaps, &secrets} {
		if err := w.store.List(context.Background(), list); err != nil {
			w.Fatalf("%v", err)
		}
	}
	for _, c := range configMaps.Items {
		fmt.Fprintln(&b, c.ObjectMeta, c.Data)
	}
	for _, s := range secrets.Items {
		fmt.Fprintln(&b, s.ObjectMeta)
	}
	for _, s := range w.spans.Ended() {
		fmt.Fprintln(&b, s.Name(), s.Attributes(), s.Events(), s.Status())
	}
	for _, part := range [][]string{w.events.all, w.errors, w.gather()} {
		b.WriteString(strings.Join(part, "\n"))
	}
	return b.String() + w.logs.String()
}

func TestClaims(t *testing.T) {
	w := newWorld(t, armtest.Behavior{})
	w.create(newHouse("h", 3))
	w.now = w.now.Add(time.Minute)
	second := newHouse("a", 5)
	second.Spec.Fields.AzureName = p("H")
	w.create(second)
	w.pass(time.Minute)
	w.expect("the second is refused", get[homes.House](w, "a"), "False ClaimedByAnother", "House shop/h")
	w.has("the first has it", houseID, `{"rooms":3}`)
	w.start() // it comes first now, by its name
	w.pass(time.Minute)
	w.expect("after a restart too", get[homes.House](w, "a"), "False ClaimedByAnother", "House shop/h")
	edit(w, "a", func(h *homes.House) { h.Spec.Fields.AzureName = p("moved") })
	fourth := newHouse("fourth", 6)
	fourth.Spec.Fields.AzureName = p("moved")
	w.now = w.now.Add(time.Second)
	w.pass(time.Minute)
	w.create(fourth)
	w.pass(time.Minute)
	w.expect("who moves claims the new id", get[homes.House](w, "fourth"), "False ClaimedByAnother", "House shop/a")
	w.delete(get[homes.House](w, "fourth"))
	w.delete(get[homes.House](w, "a"))
	second = newHouse("a", 5)
	second.Spec.Fields.AzureName = p("H")
	w.pass(time.Minute)
	w.create(second)
	third := newHouse("third", 6)
	third.Spec.Fields.AzureName = p("h")
	w.create(third)
	w.pass(time.Minute)
	w.delete(get[homes.House](w, "third"))
	w.pass(time.Minute)
	w.has("the deletion of one that was refused touches nothing", houseID, `{"rooms":3}`)
	if get[homes.House](w, "third") != nil || w.count("DELETE", houseID) != 0 {
		t.Errorf("third is still there, or ARM got %d DELETEs", w.count("DELETE", houseID))
	}
	w.delete(get[homes.House](w, "h"))
	w.pass(time.Minute)
	w.expect("the second takes its place", get[homes.House](w, "a"), "True Succeeded")
	if text, _ := w.arm.Resource(houseID); !strings.Contains(string(text), `"rooms":5`) {
		t.Errorf("ARM has %s", text)
	}
}

func TestSameName(t *testing.T) {
	w := newWorld(t, armtest.Behavior{})
	w.create(newHouse("h", 3))
	w.pass(time.Minute)
	w.lag = time.Second // so that the operator sees the one, and then the other
	w.delete(get[homes.House](w, "h"))
	for get[homes.House](w, "h") != nil {
		w.step(w.now.Add(time.Minute))
	}
	w.create(newHouse("h", 4))
	w.pass(time.Minute)
	w.expect("the next one", get[homes.House](w, "h"), "True Succeeded")
	w.has("made", houseID, `{"rooms":4}`)
}

func TestDelete(t *testing.T) {
	t.Run("with its operation, until it is gone", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.AsyncOperation: 1, armtest.LateGone: 1}, Slowest: 5 * time.Minute})
		w.create(newHouse("h", 3))
		w.pass(10 * time.Minute)
		w.delete(get[homes.House](w, "h"))
		w.pass(time.Second)
		w.expect("under way", get[homes.House](w, "h"), "False Deleting")
		w.pass(10 * time.Minute)
		if get[homes.House](w, "h") != nil || len(w.arm.IDs()) != 0 || w.count("DELETE", "") != 1 {
			t.Errorf("got %v, ARM has %q after %d DELETEs", get[homes.House](w, "h"), w.arm.IDs(), w.count("DELETE", ""))
		}
	})
	t.Run("while it is made: what ARM does not show yet is deleted too", func(t *testing.T) {
		for _, rates := range []armtest.Rates{{armtest.LateVisible: 1}, {armtest.LateVisible: 1, armtest.GoneIs404: 1},
			{armtest.AsyncOperation: 1, armtest.Busy: 1}, {armtest.LostAnswer: .5, armtest.LateVisible: 1}} {
			for _, crash := range []bool{false, true} {
				w := newWorld(t, armtest.Behavior{Rates: rates})
				w.create(newHouse("h", 3))
				for w.count("PUT", "") == 0 {
					w.step(w.now.Add(time.Minute))
				}
				if crash {
					w.start()
				}
				w.delete(get[homes.House](w, "h"))
				w.pass(30 * time.Minute)
				if get[homes.House](w, "h") != nil || len(w.arm.IDs()) != 0 {
					t.Errorf("%v, crash %v: %v stays, ARM has %q", rates, crash, get[homes.House](w, "h"), w.arm.IDs())
				}
			}
		}
	})
	t.Run("children go with their owner", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.LocationOperation: 1}})
		w.create(newHouse("h", 3))
		w.create(newDoor("d", "h"))
		w.pass(10 * time.Minute)
		w.expect("door", get[homes.Door](w, "d"), "True Succeeded")
		w.delete(get[homes.Door](w, "d")) // as the deletion of a namespace does
		w.delete(get[homes.House](w, "h"))
		w.pass(time.Second)
		w.expect("waits", get[homes.Door](w, "d"), "False OwnerDeleting", "House shop/h")
		w.pass(10 * time.Minute)
		if get[homes.Door](w, "d") != nil || get[homes.House](w, "h") != nil || len(w.arm.IDs()) != 0 {
			t.Errorf("something stays: ARM has %q", w.arm.IDs())
		}
	})
	t.Run("children that were just made go at once when their owner is gone", func(t *testing.T) {
		for _, rates := range []armtest.Rates{{}, {armtest.GoneIs404: 1}} {
			w := newWorld(t, armtest.Behavior{Rates: rates})
			w.create(newHouse("h", 3))
			w.create(newDoor("d", "h"))
			w.pass(5 * time.Second)
			w.expect("door", get[homes.Door](w, "d"), "True Succeeded")
			w.pass(decide.Visible) // the owner is no longer new
			edit(w, "d", func(d *homes.Door) { d.Spec.Fields.Color = p("red") })
			w.pass(time.Second)
			w.delete(get[homes.Door](w, "d"))
			w.delete(get[homes.House](w, "h"))
			w.pass(decide.Visible / 4)
			if get[homes.Door](w, "d") != nil || get[homes.House](w, "h") != nil || len(w.arm.IDs()) != 0 {
				t.Errorf("%v: got the door %v and the house %v, and ARM has %q",
					rates, get[homes.Door](w, "d"), get[homes.House](w, "h"), w.arm.IDs())
			}
		}
	})
	t.Run("if the owner cannot be deleted, its children delete themselves", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.create(newDoor("d", "h"))
		w.pass(time.Minute)
		w.behave(armtest.Behavior{Rates: armtest.Rates{armtest.Transient409: 1}})
		w.delete(get[homes.Door](w, "d"))
		w.delete(get[homes.House](w, "h"))
		w.pass(time.Minute)
		if n := w.count("DELETE", doorID); n == 0 {
			t.Errorf("the door waits: %s", message(get[homes.Door](w, "d")))
		}
		w.behave(armtest.Behavior{})
		w.pass(time.Hour)
		if len(w.arm.IDs()) != 0 || get[homes.House](w, "h") != nil {
			t.Errorf("ARM has %q", w.arm.IDs())
		}
	})
	t.Run("an owner that is detached leaves its children", func(t *testing.T) {
		for value, name := range map[string]string{
			annotation.AdoptObserve: annotation.Adopt, annotation.DeletionDetach: annotation.Deletion} {
			w := newWorld(t, armtest.Behavior{})
			w.create(newHouse("h", 3))
			w.create(newDoor("d", "h"))
			w.pass(time.Minute)
			edit(w, "h", func(h *homes.House) { h.Annotations[name] = value })
			w.delete(get[homes.House](w, "h"))
			w.pass(time.Minute)
			d := get[homes.Door](w, "d")
			if get[homes.House](w, "h") != nil || d == nil || !d.DeletionTimestamp.IsZero() || len(w.arm.IDs()) != 2 {
				t.Errorf("%s: got the door %v, and ARM has %q", value, d, w.arm.IDs())
			}
		}
	})
	t.Run("an object that has sent nothing deletes nothing", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		other := newHouse("copy", 3)
		other.Spec.Fields.AzureName = p("h")
		other.Annotations = get[homes.House](w, "h").Annotations // as a copy has
		other.Finalizers = []string{annotation.ResourceFinalizer}
		w.create(other)
		w.delete(get[homes.House](w, "copy"))
		w.pass(time.Minute)
		if get[homes.House](w, "copy") != nil || len(w.arm.IDs()) != 1 || w.count("DELETE", "") != 0 {
			t.Errorf("ARM has %q after %d DELETEs", w.arm.IDs(), w.count("DELETE", ""))
		}
	})
	t.Run("nor does one from a backup, before it is sent", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		annotations := get[homes.House](w, "h").Annotations
		edit(w, "h", func(h *homes.House) { h.Annotations[annotation.Deletion] = annotation.DeletionDetach })
		w.delete(get[homes.House](w, "h"))
		w.pass(time.Minute)
		restored := newHouse("h", 3)
		delete(annotations, annotation.Deletion)
		restored.Annotations, restored.Finalizers = annotations, []string{annotation.ResourceFinalizer}
		w.create(restored)
		w.delete(get[homes.House](w, "h"))
		w.pass(time.Minute)
		if get[homes.House](w, "h") != nil || len(w.arm.IDs()) != 1 || w.count("DELETE", "") != 0 {
			t.Errorf("ARM has %q after %d DELETEs", w.arm.IDs(), w.count("DELETE", ""))
		}
	})
	t.Run("nor does one of which ARM took nothing", func(t *testing.T) {
		for _, rates := range []armtest.Rates{nil, {armtest.Transient409: 1}, {armtest.Throttled: 1}} {
			w := newWorld(t, armtest.Behavior{})
			w.create(newHouse("h", 3))
			w.pass(time.Minute)
			edit(w, "h", func(h *homes.House) { h.Annotations[annotation.Deletion] = annotation.DeletionDetach })
			w.delete(get[homes.House](w, "h"))
			w.pass(time.Minute)
			w.behave(armtest.Behavior{Rates: rates})
			w.create(newHouse("h", 300)) // which is invalid
			w.pass(time.Minute)
			w.behave(armtest.Behavior{})
			w.delete(get[homes.House](w, "h"))
			w.pass(time.Minute)
			w.has("somebody else's", houseID, `{"rooms":3}`)
			if get[homes.House](w, "h") != nil || w.count("DELETE", "") != 0 {
				t.Errorf("%v: the object is still there, or ARM got %d DELETEs", rates, w.count("DELETE", ""))
			}
		}
	})
	t.Run("but one whose PUT had no answer does", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.lost = armtest.LostAnswer
		w.create(newHouse("h", 3))
		w.pass(time.Second)
		w.behave(armtest.Behavior{Rates: armtest.Rates{armtest.Transient409: 1}})
		w.pass(time.Minute)
		w.behave(armtest.Behavior{})
		w.delete(get[homes.House](w, "h"))
		w.pass(time.Minute)
		if get[homes.House](w, "h") != nil || len(w.arm.IDs()) != 0 {
			t.Errorf("ARM has %q", w.arm.IDs())
		}
	})
	for _, lost := range []armtest.Fault{armtest.AsyncOperation, armtest.LostAnswer} {
		t.Run("what ARM is still making and does not show yet goes too, after a stop: "+string(lost), func(t *testing.T) {
			w := newWorld(t, armtest.Behavior{Slowest: 20 * time.Minute,
				Rates: armtest.Rates{armtest.AsyncOperation: 1, armtest.HiddenAtWork: 1}})
			if lost == armtest.LostAnswer {
				w.lost = lost
			}
			w.create(newHouse("h", 3))
			for w.count("PUT", houseID) == 0 && w.step(w.now) {
			}
			w.start()
			w.behave(armtest.Behavior{})
			w.delete(get[homes.House](w, "h"))
			w.pass(2 * time.Minute)
			w.expect("it says why it waits", get[homes.House](w, "h"), "False Deleting", "may still be making it")
			w.pass(time.Hour)
			w.has("an hour later", houseID, "")
			w.pass(26 * time.Hour)
			if h := get[homes.House](w, "h"); h != nil || len(w.arm.IDs()) > 0 {
				t.Errorf("the object is %v, ARM has %q", h, w.arm.IDs())
			}
		})
	}
	for _, row := range []struct{ behavior, gone string }{
		{"nothing is awaited below what is gone in ARM", houseID}, {"and where the parent is there, the end of the PUT is awaited", ""},
	} {
		t.Run(row.behavior, func(t *testing.T) {
			w := newWorld(t, armtest.Behavior{})
			w.create(newHouse("h", 3))
			w.pass(time.Minute)
			w.lost = armtest.LostRequest
			w.create(newDoor("d", "h"))
			w.pass(time.Second)
			w.start()
			w.behave(armtest.Behavior{})
			if row.gone != "" {
				w.removeInARM(row.gone)
			}
			w.delete(get[homes.Door](w, "d"))
			w.pass(time.Hour)
			if stays := get[homes.Door](w, "d") != nil; stays != (row.gone == "") {
				t.Errorf("the object stays: %v", stays)
			}
			if n := w.count("GET", houseID); n > 60 {
				t.Errorf("ARM got %d GETs of the parent in an hour", n)
			}
		})
	}
	t.Run("one that never reached ARM goes within a day", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.lost = armtest.LostRequest
		w.create(newHouse("h", 3))
		w.pass(time.Second)
		w.start()
		w.behave(armtest.Behavior{})
		w.delete(get[homes.House](w, "h"))
		w.pass(23 * time.Hour)
		if n := w.count("DELETE", houseID); n > 200 {
			t.Errorf("ARM got %d DELETEs in a day", n)
		}
		w.pass(2 * time.Hour)
		if get[homes.House](w, "h") != nil {
			t.Error("the object stays")
		}
	})
	t.Run("a policy that nobody knows keeps everything as it is", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		edit(w, "h", func(h *homes.House) {
			h.Annotations[annotation.Deletion], h.Spec.Fields.Rooms = "keep", p(int64(9))
		})
		w.pass(time.Minute)
		w.expect("alive", get[homes.House](w, "h"), "False InvalidPolicy", "detach")
		w.delete(get[homes.House](w, "h"))
		w.pass(time.Hour)
		w.expect("deleted", get[homes.House](w, "h"), "False InvalidPolicy", "detach")
		w.has("untouched", houseID, `{"rooms":3}`)
	})
}

func TestSkip(t *testing.T) {
	w := newWorld(t, armtest.Behavior{})
	h := newHouse("h", 3)
	h.Annotations = map[string]string{annotation.Adopt: annotation.AdoptObserve}
	w.create(h)
	w.pass(time.Minute)
	w.expect("nothing there", get[homes.House](w, "h"), "False NotFoundInARM", houseID)
	w.create(newHouse("other", 7))
	edit(w, "other", func(h *homes.House) { h.Spec.Fields.AzureName = p("h") })
	w.pass(2 * time.Hour)
	got := get[homes.House](w, "h")
	w.expect("somebody made it", got, "True Succeeded")
	if got.Status.Rooms == nil || *got.Status.Rooms != 7 {
		t.Errorf("got the Status %v", got.Status)
	}
	w.create(newDoor("d", "h"))
	w.pass(time.Minute)
	w.expect("a child of it", get[homes.Door](w, "d"), "True Succeeded")
	w.delete(got)
	w.pass(time.Minute)
	if len(w.arm.IDs()) != 2 || get[homes.House](w, "h") != nil {
		t.Errorf("ARM has %q", w.arm.IDs())
	}
}

// TestSubscription checks in which subscription a resource is created if its Spec names
// none.
func TestSubscription(t *testing.T) {
	const id = "/subscriptions/%s/providers/Contoso.Homes/towns/t"
	content := func(subscription string) map[string]string {
		c := map[string]string{TenantKey: "tenant", ClientSecretKey: "canary"}
		if subscription != "" {
			c[SubscriptionKey] = subscription
		}
		return c
	}
	town := func(w *world) *homes.Town { return get[homes.Town](w, "t") }
	newTown := func(w *world, adopt string) {
		o := &homes.Town{ObjectMeta: objectMeta("t")}
		o.Annotations = map[string]string{annotation.Adopt: adopt}
		w.create(o)
	}
	ids := func(w *world, want ...string) {
		w.Helper()
		for i := range want {
			want[i] = fmt.Sprintf(id, want[i])
		}
		if got := w.arm.IDs(); !slices.Equal(got, want) {
			w.Errorf("ARM has %q, want %q", got, want)
		}
	}
	t.Run("that of the Secret, which wakes what waits for it", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.options.Subscription = "operators"
		w.start()
		w.secret(CredentialSecret, content(""))
		newTown(w, annotation.AdoptCreate)
		w.pass(time.Minute)
		w.expect("not that of another credential", town(w), "False SubscriptionMissing", "Secret shop/"+CredentialSecret,
			SubscriptionKey, "spec.owner.armId")
		w.secret(CredentialSecret, content("first\n")) // as a file ends
		w.pass(time.Second)
		w.expect("made", town(w), "True Succeeded")
		ids(w, "first")
	})
	t.Run("that of the operator with the operator's credential", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		newTown(w, annotation.AdoptCreate)
		w.pass(time.Minute)
		w.expect("it has none", town(w), "False SubscriptionMissing", "credential of the operator", "spec.owner.armId")
		w.options.Subscription = "operators"
		w.start()
		w.pass(time.Minute)
		ids(w, "operators")
	})
	t.Run("another default moves nothing", func(t *testing.T) {
		for _, adopt := range []string{annotation.AdoptCreate, annotation.AdoptObserve} {
			w := newWorld(t, armtest.Behavior{})
			w.secret(CredentialSecret, content("first"))
			newTown(w, annotation.AdoptCreate)
			w.pass(time.Minute)
			edit(w, "t", func(o *homes.Town) { o.Annotations[annotation.Adopt] = adopt })
			w.pass(time.Minute)
			w.secret(CredentialSecret, content("Second"))
			w.pass(time.Minute)
			w.expect("it says so", town(w), "False ARMIDChanged", "/subscriptions/first", "Secret shop/"+CredentialSecret,
				"spec.owner.armId")
			w.start()
			w.pass(3 * time.Hour)
			ids(w, "first")
			edit(w, "t", func(o *homes.Town) { o.Spec.Fields.Owner = &reference.Owner{ARMID: "/subscriptions/first"} })
			w.pass(time.Minute)
			w.expect("the owner mends it", town(w), "True Succeeded")
			edit(w, "t", func(o *homes.Town) {
				o.Spec.Fields.Owner, o.Annotations[annotation.Adopt] = nil, annotation.AdoptCreate
			})
			w.delete(town(w))
			w.pass(10 * time.Minute)
			ids(w)
			if town(w) != nil {
				t.Errorf("it is not gone: %q", message(town(w)))
			}
		}
	})
	t.Run("not what was only looked at either", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.putInARM(fmt.Sprintf(id, "first"), `{"properties":{"rooms":1}}`)
		w.putInARM(fmt.Sprintf(id, "second"), `{"properties":{"rooms":2}}`)
		w.secret(CredentialSecret, content("first"))
		newTown(w, annotation.AdoptObserve)
		w.pass(time.Minute)
		w.expect("found", town(w), "True Succeeded")
		w.secret(CredentialSecret, content("second"))
		w.pass(3 * time.Hour)
		w.expect("it says so", town(w), "False ARMIDChanged", "/subscriptions/first")
		if got := town(w).Status.Rooms; got == nil || *got != 1 {
			t.Errorf("the Status has %v rooms", got)
		}
	})
	t.Run("without a default it stays where it is", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.secret(CredentialSecret, content("first"))
		newTown(w, annotation.AdoptCreate)
		w.pass(time.Minute)
		w.secret(CredentialSecret, content(""))
		edit(w, "t", func(o *homes.Town) { o.Spec.Fields.Rooms = p(int64(4)) })
		w.pass(time.Minute)
		w.expect("changed", town(w), "True Succeeded")
		w.has("changed", fmt.Sprintf(id, "first"), `{"rooms":4}`)
	})
	t.Run("a mistake that ARM refused can be mended", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.Transient404: 1}})
		w.secret(CredentialSecret, content("frist"))
		newTown(w, annotation.AdoptCreate)
		w.pass(time.Minute)
		w.behave(armtest.Behavior{})
		w.secret(CredentialSecret, content("first"))
		w.pass(time.Minute)
		w.expect("mended", town(w), "True Succeeded")
		ids(w, "first")
	})
	t.Run("what is no subscription", func(t *testing.T) {
		for _, wrong := range []string{"first/resourceGroups/g", "..", "/subscriptions/first", " "} {
			w := newWorld(t, armtest.Behavior{})
			w.secret(CredentialSecret, content(wrong))
			newTown(w, annotation.AdoptCreate)
			w.pass(time.Minute)
			if got := ready(town(w)); got != "False CredentialInvalid" && got != "False SubscriptionMissing" || len(w.arm.Requests()) > 0 {
				t.Errorf("%q: got %s %q after %d requests", wrong, got, message(town(w)), len(w.arm.Requests()))
			}
		}
	})
}

func TestCredentials(t *testing.T) {
	const secret = "the secret of shop"
	content := func(s string) map[string]string {
		return map[string]string{TenantKey: "t", ClientKey: "c", ClientSecretKey: s}
	}
	t.Run("that of the namespace goes before the operator's", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.secret(CredentialSecret, content(secret))
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		if len(w.used) != 1 || !w.used[secret] {
			t.Errorf("used %v", w.used)
		}
		w.secret("mine", content("mine"))
		edit(w, "h", func(h *homes.House) {
			h.Annotations[annotation.CredentialFrom], h.Spec.Fields.Rooms = "mine", p(int64(4))
		})
		w.pass(time.Minute)
		if !w.used["mine"] {
			t.Errorf("used %v", w.used)
		}
	})
	t.Run("that there is none is asked once, until there is one", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		before := w.reads
		for i := range 10 {
			w.create(newHouse(fmt.Sprintf("h%d", i), 3))
		}
		w.pass(time.Minute)
		if n := w.reads - before; n > 1 {
			t.Errorf("the operator read %d Secrets for ten objects", n)
		}
		w.secret(CredentialSecret, content("tenant-1"))
		w.create(newHouse("later", 3))
		w.pass(time.Minute)
		if !w.used["tenant-1"] {
			t.Errorf("got the tokens %v", w.used)
		}
	})
	t.Run("one that changes while it is read is read again", func(t *testing.T) {
		for _, first := range []string{"", "tenant-1"} {
			w := newWorld(t, armtest.Behavior{})
			if first != "" {
				w.secret(CredentialSecret, content(first))
			}
			w.create(newHouse("h", 3))
			w.afterRead = func() {
				w.secret(CredentialSecret, content("tenant-2"))
				w.flush()
			}
			w.pass(time.Minute)
			edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
			w.pass(time.Minute)
			if !w.used["tenant-2"] {
				t.Errorf("before it was %q: got the tokens %v", first, w.used)
			}
		}
	})
	t.Run("the operator's own serves only the namespaces that it is told", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.options.CredentialNamespaces = []string{"other"}
		w.start()
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.expect("no credential", get[homes.House](w, "h"), "False CredentialMissing", CredentialSecret)
		w.secret(CredentialSecret, map[string]string{TenantKey: "tenant-1"})
		w.pass(time.Second)
		w.expect("a broken one", get[homes.House](w, "h"), "False CredentialInvalid", ClientSecretKey)
		if strings.Contains(w.everything(), "tenant-1") {
			t.Error("the content of the Secret is shown")
		}
		w.secret(CredentialSecret, content(secret))
		w.pass(time.Second)
		w.expect("a good one", get[homes.House](w, "h"), "True Succeeded")
		if w.used[operatorsToken] {
			t.Error("the operator's own was used")
		}
	})
	t.Run("one that ARM refuses is an error that names it, and works when it changes", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.tokens = map[string]bool{"new": true}
		w.secret(CredentialSecret, content(secret))
		w.create(newHouse("h", 3))
		w.pass(10 * time.Minute)
		w.expect("refused", get[homes.House](w, "h"), "False Unauthorized", "of Secret armature-credential")
		w.secret(CredentialSecret, content("new"))
		w.pass(time.Second)
		w.expect("changed", get[homes.House](w, "h"), "True Succeeded")
		if strings.Contains(w.everything(), secret) {
			t.Error("the content of the Secret is shown")
		}
	})
	t.Run("a minute without tokens, or before a role has spread, costs minutes", func(t *testing.T) {
		for what, fail := range map[string]func(w *world, fails bool){
			"no token": func(w *world, fails bool) {
				if w.tokenless = nil; fails {
					w.tokenless = errors.New("dial tcp: lookup login.example: no such host")
				}
			},
			"no role": func(w *world, fails bool) { w.denied = func(string, string, string) bool { return fails } },
		} {
			w := newWorld(t, armtest.Behavior{})
			fail(w, true)
			w.create(newHouse("h", 3))
			w.pass(time.Minute)
			if got := message(get[homes.House](w, "h")); !strings.HasPrefix(got, "credential of the operator: ") {
				t.Errorf("%s: got the message %q", what, got)
			}
			fail(w, false)
			w.pass(2 * time.Minute)
			w.expect(what, get[homes.House](w, "h"), "True Succeeded")
		}
	})
	t.Run("it is tried again every 10 minutes at least", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.denied = func(string, string, string) bool { return true }
		w.create(newHouse("h", 3))
		w.pass(5 * time.Hour)
		w.denied = nil
		w.pass(12 * time.Minute)
		w.expect("a role", get[homes.House](w, "h"), "True Succeeded")
	})
	t.Run("the refusal of a policy is not about it", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.denied, w.denial = func(string, string, string) bool { return true }, "RequestDisallowedByPolicy"
		w.create(newHouse("h", 3))
		w.pass(time.Second)
		w.expect("refused", get[homes.House](w, "h"), "False RequestDisallowedByPolicy")
		if got := message(get[homes.House](w, "h")); strings.HasPrefix(got, "credential") {
			t.Errorf("got the message %q", got)
		}
	})
	t.Run("one that is gone, which the operator does not see yet", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		h := newHouse("h", 3)
		h.Spec.Fields.Password = &reference.Secret{Name: "s", Key: "k"}
		w.secret("s", map[string]string{"k": "first"})
		w.create(h)
		w.pass(time.Minute)
		w.secret(CredentialSecret, content(secret))
		w.pass(time.Minute) // it is read, and nothing is sent with it
		w.lag = 10 * time.Second
		w.delete(get[corev1.Secret](w, CredentialSecret))
		w.secret("s", map[string]string{"k": "second"})
		w.enqueue(refOf(w, newHouse("h", 3)), w.now)
		w.pass(time.Minute)
		w.has("with the operator's own", houseID, `{"password":"second","rooms":3}`)
		if w.used[secret] {
			t.Errorf("used %v", w.used)
		}
	})
	t.Run("wherever the operator stops, both the object and its Secret can go", func(t *testing.T) {
		for at := 1; at < 16; at++ {
			w := newWorld(t, armtest.Behavior{})
			w.secret(CredentialSecret, content(secret))
			w.create(newHouse("h", 3))
			w.pass(time.Minute)
			w.delete(get[corev1.Secret](w, CredentialSecret))
			w.delete(get[homes.House](w, "h"))
			w.crashAt = at
			w.pass(10 * time.Minute)
			if h := get[homes.House](w, "h"); h != nil || get[corev1.Secret](w, CredentialSecret) != nil || len(w.arm.IDs()) != 0 {
				t.Errorf("a stop at call %d: got %v and the Secret %v", at, h, get[corev1.Secret](w, CredentialSecret))
			}
		}
	})
	t.Run("a Secret stays until the last deletion that needs it", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.AsyncOperation: 1}})
		w.secret(CredentialSecret, content(secret))
		w.create(newHouse("h", 3))
		w.create(newHouse("i", 3))
		w.pass(10 * time.Minute)
		w.delete(get[corev1.Secret](w, CredentialSecret)) // as the deletion of a namespace does
		w.start()
		w.delete(get[homes.House](w, "h"))
		w.pass(10 * time.Minute)
		if get[homes.House](w, "h") != nil || get[corev1.Secret](w, CredentialSecret) == nil {
			t.Errorf("got the House %v and the Secret %v", get[homes.House](w, "h"), get[corev1.Secret](w, CredentialSecret))
		}
		edit(w, "i", func(h *homes.House) { h.Annotations[annotation.CredentialFrom] = "another" })
		w.delete(get[homes.House](w, "i"))
		w.pass(10 * time.Minute)
		if get[homes.House](w, "i") != nil || get[corev1.Secret](w, CredentialSecret) != nil || w.used[operatorsToken] {
			t.Errorf("got the House %v and the Secret %v, used %v", get[homes.House](w, "i"),
				get[corev1.Secret](w, CredentialSecret), w.used)
		}
	})
}

// TestLimits checks what happens when there are more requests than ARM accepts.
func TestLimits(t *testing.T) {
	leaveOutCrowd(t)
	const crowd = 600
	w := newWorld(t, armtest.Behavior{Limits: true})
	for i := range crowd {
		w.create(newHouse(fmt.Sprintf("crowd-%d", i), 3))
	}
	w.pass(5 * time.Second)
	begin, writes := w.now, w.writes
	for i := range 5 {
		h := newHouse(fmt.Sprintf("single-%d", i), 3)
		h.Namespace = "quiet"
		w.create(h)
	}
	settled := func(namespace string) (n int) {
		w.each(func(_ *kinds.Kind, r kinds.Resource) {
			if r.GetNamespace() == namespace && isReady(r) {
				n++
			}
		})
		return n
	}
	w.pass(5 * time.Second)
	t.Run("one tenant does not wait for the thousands of another", func(t *testing.T) {
		if quiet, busy := settled("quiet"), settled(namespace); quiet != 5 || busy > 350 {
			t.Errorf("%d of 5 are ready after %s, and %d of %d", quiet, w.now.Sub(begin), busy, crowd)
		}
	})
	t.Run("one that waits says so", func(t *testing.T) {
		waiting := 0
		w.each(func(_ *kinds.Kind, r kinds.Resource) {
			if ready(r) == "False Throttled" {
				waiting++
			}
		})
		if waiting < 200 {
			t.Errorf("%d say that they wait", waiting)
		}
	})
	w.pass(50 * time.Second)
	t.Run("ARM gets what it takes", func(t *testing.T) {
		if n := settled(namespace); n < crowd*9/10 { // it takes 200, and 10 more each second
			t.Errorf("%d of %d are ready after a minute", n, crowd)
		}
		w.pass(time.Minute)
		if n := settled(namespace); n != crowd {
			t.Errorf("%d of %d are ready after two minutes", n, crowd)
		}
		refused := 0
		for _, r := range w.arm.Requests() {
			if r.Status == http.StatusTooManyRequests {
				refused++
			}
		}
		if refused > 5 {
			t.Errorf("ARM refused %d requests", refused)
		}
	})
	t.Run("who waits costs the API server next to nothing", func(t *testing.T) {
		if each := float64(w.writes-writes) / crowd; each > 4 {
			t.Errorf("there were %.1f writes for each object", each)
		}
	})
	t.Run("metrics tell", func(t *testing.T) {
		for _, want := range []string{"armature_arm_remaining_requests writes s", "armature_arm_held_seconds PUT"} {
			if all := w.gather(); !slices.Contains(all, want) {
				t.Errorf("there is no %s in %q", want, all)
			}
		}
	})
}

// gather returns the metrics with their labels.
func (w *world) gather() (all []string) {
	w.Helper()
	families, err := w.options.Metrics.(*prometheus.Registry).Gather()
	if err != nil {
		w.Fatalf("%v", err)
	}
	for _, f := range families {
		for _, m := range f.Metric {
			line := f.GetName()
			for _, l := range m.Label {
				line += " " + l.GetValue()
			}
			all = append(all, line)
		}
	}
	return all
}

func TestMetrics(t *testing.T) {
	w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.AsyncOperation: 1}})
	w.create(newHouse("h", 3))
	w.pass(10 * time.Minute)
	all := w.gather()
	for _, want := range []string{
		"armature_arm_requests_total 201 PUT contoso.homes/houses 2020-02-02",
		"armature_arm_requests_total 200 POLL contoso.homes/houses 2020-02-02",
		"armature_arm_requests_total 200 GET contoso.homes/houses 2020-02-02",
		"armature_arm_request_duration_seconds PUT",
		"armature_time_to_ready_seconds homes.example.com House",
	} {
		if !slices.Contains(all, want) {
			t.Errorf("there is no %s in %q", want, all)
		}
	}
}

// TestTakeover checks what an instance does when it takes over from another one that may
// have sent a PUT before it was frozen.
func TestTakeover(t *testing.T) {
	frozen := func(t *testing.T) *world {
		t.Helper()
		w := newWorld(t, armtest.Behavior{})
		w.freeze = true
		w.create(newHouse("h", 3))
		for w.late == nil && w.step(w.now) {
		}
		if w.late == nil {
			t.Fatalf("no PUT is late")
		}
		return w
	}
	arrive := func(w *world) {
		if _, err := w.arm.Do(w.late); err != nil {
			w.Fatalf("%v", err)
		}
	}
	t.Run("the same content is sent at once", func(t *testing.T) {
		w := frozen(t)
		w.pass(5 * time.Second)
		w.expect("ready", get[homes.House](w, "h"), "True Succeeded")
		arrive(w)
		w.has("the same", houseID, `{"rooms":3}`)
	})
	t.Run("while ARM is at work on it, it is not sent again, and then once", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Slowest: time.Hour,
			Rates: armtest.Rates{armtest.AsyncOperation: 1, armtest.ShowsState: 1, armtest.Busy: 1}})
		w.create(newHouse("h", 3))
		for range 5 {
			w.pass(time.Second)
			w.start()
		}
		w.pass(2 * time.Hour)
		w.expect("in the end", get[homes.House](w, "h"), "True Succeeded")
		if n := w.count("PUT", houseID); n != 2 {
			t.Errorf("ARM got %d PUTs", n)
		}
	})
	t.Run("a parent of a list that ARM has not got is sent", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.freeze = true
		w.create(newGarden(1, "a"))
		w.pass(2 * time.Minute)
		w.expect("after a stop", get[homes.Garden](w, "g"), "True Succeeded")
	})
	t.Run("another content is sent when the older one cannot come after it", func(t *testing.T) {
		w := frozen(t)
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
		w.pass(80 * time.Second)
		w.expect("waits", get[homes.House](w, "h"), "False InProgress", "another instance")
		arrive(w)
		w.pass(20 * time.Second)
		w.has("the newer content", houseID, `{"rooms":4}`)
		w.expect("ready", get[homes.House](w, "h"), "True Succeeded")
	})
	t.Run("nor does a resource come after its deletion", func(t *testing.T) {
		w := frozen(t)
		w.delete(get[homes.House](w, "h"))
		w.pass(80 * time.Second)
		arrive(w)
		w.pass(5 * time.Minute)
		w.has("gone", houseID, "")
		if get[homes.House](w, "h") != nil {
			t.Error("the object is not gone")
		}
	})
	t.Run("what it sent itself it does not wait for", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.lost = armtest.LostAnswer
		w.create(newHouse("h", 3))
		w.pass(time.Second)
		w.behave(armtest.Behavior{})
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
		w.pass(20 * time.Second)
		w.has("the newer content", houseID, `{"rooms":4}`)
	})
	t.Run("after hours of waiting it asks ARM for nothing but what is due", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		for i := range 20 {
			w.create(newHouse(fmt.Sprintf("h%d", i), 3))
		}
		w.pass(time.Minute)
		w.start()
		queue := w.queue
		w.queue = map[ref]time.Time{}
		w.pass(10 * time.Hour)
		before := len(w.arm.Requests())
		for r := range queue {
			w.enqueue(r, w.now)
		}
		w.pass(time.Second)
		if n := len(w.arm.Requests()) - before; n > 1 {
			t.Errorf("ARM got %d requests", n)
		}
		w.pass(time.Hour)
		if n := len(w.arm.Requests()) - before; n != 20 {
			t.Errorf("ARM got %d requests in an hour, want one refresh of each", n)
		}
	})
}

// TestHooks checks when the hooks of a kind are called, and how their errors are reported.
func TestHooks(t *testing.T) {
	hooked := func(t *testing.T, rates armtest.Rates) *world {
		t.Helper()
		none := homes.Hooks
		t.Cleanup(func() { homes.Hooks = none })
		return newWorld(t, armtest.Behavior{Rates: rates})
	}
	t.Run("BeforeSend changes a request, which is sent again when that changes", func(t *testing.T) {
		w := hooked(t, nil)
		color := "red"
		homes.Hooks.BeforeSend = func(r *arm.Request) error {
			r.Body = bytes.Replace(r.Body, []byte(`"rooms":3`), []byte(`"rooms":3,"color":"`+color+`"`), 1)
			return nil
		}
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.has("with a color", houseID, `{"color":"red","rooms":3}`)
		w.pass(3 * time.Hour)
		if n := w.count("PUT", ""); n != 1 {
			t.Errorf("got %d PUTs, want 1", n)
		}
		color = "green"
		w.pass(2 * time.Hour)
		w.has("another color", houseID, `{"color":"green","rooms":3}`)
	})
	t.Run("an error of BeforeSend is told, without secrets", func(t *testing.T) {
		w := hooked(t, nil)
		homes.Hooks.BeforeSend = func(r *arm.Request) error { return fmt.Errorf("cannot send %s", r.Body) }
		w.secret("pw", map[string]string{"k": "canary"})
		h := newHouse("h", 3)
		h.Spec.Fields.Password = &reference.Secret{Name: "pw", Key: "k"}
		w.create(h)
		w.pass(time.Minute)
		w.expect("refused", get[homes.House](w, "h"), "False HookFailed", "cannot send", "(secret)")
		if text := w.everything(); strings.Contains(text, "canary") || len(w.arm.Requests()) > 0 {
			t.Errorf("ARM got %v; %s", w.arm.Requests(), text)
		}
	})
	t.Run("AfterRead takes more from an answer", func(t *testing.T) {
		w := hooked(t, nil)
		homes.Hooks.AfterRead = func(rooms **int64, body []byte) error {
			if !bytes.Contains(body, []byte(`"rooms":3`)) {
				return errors.New("no rooms")
			}
			*rooms = p(int64(33))
			return nil
		}
		w.create(newHouse("h", 3))
		w.create(newHouse("i", 4))
		w.pass(time.Minute)
		if got := get[homes.House](w, "h").Status.Rooms; got == nil || *got != 33 {
			t.Errorf("got %v rooms", got)
		}
		w.expect("an error", get[homes.House](w, "i"), "False UnreadableAnswer", "no rooms")
	})
	t.Run("an error of AfterRead shows no secret that ARM sends back", func(t *testing.T) {
		w := hooked(t, nil)
		w.secret("pw", map[string]string{"k": "canary"})
		h := newHouse("h", 3)
		h.Spec.Fields.Password = &reference.Secret{Name: "pw", Key: "k"}
		w.create(h)
		w.pass(time.Minute)
		homes.Hooks.AfterRead = func(_ **int64, body []byte) error { return fmt.Errorf("cannot read %s", body) }
		edit(w, "h", func(h *homes.House) { h.Annotations[annotation.Adopt] = annotation.AdoptObserve })
		w.pass(2 * time.Hour)
		w.expect("refused", get[homes.House](w, "h"), "False UnreadableAnswer", "cannot read", houseID, `"rooms":3`, "(secret)")
		if text := w.everything(); strings.Contains(text, "canary") {
			t.Error("a secret is where people see it")
		}
	})
	t.Run("ClassifyError says what a refusal means, of a request and of an operation", func(t *testing.T) {
		for _, rates := range []armtest.Rates{{armtest.Transient409: 1}, {armtest.AsyncOperation: 1, armtest.OperationFails: 1}} {
			w := hooked(t, rates)
			homes.Hooks.ClassifyError = func(*armclient.Error) armclient.Class { return armclient.Invalid }
			w.create(newHouse("h", 3))
			w.pass(3 * time.Minute)
			if n, h := w.count("PUT", ""), get[homes.House](w, "h"); n != 1 || !meta.IsStatusConditionTrue(h.Status.Conditions, Stalled) {
				t.Errorf("%v: got %d PUTs, want 1, and %v", rates, n, h.Status.Conditions)
			}
		}
	})
}

func TestTraces(t *testing.T) {
	w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.AsyncOperation: 1}})
	h := newHouse("h", 3)
	h.Spec.Fields.Color = p("blue-and-too-long")
	h.Spec.Fields.Rooms = p(int64(1000))
	w.create(newHouse("i", 3))
	w.create(h)
	w.pass(10 * time.Minute)
	var all []string
	for _, s := range w.spans.Ended() {
		text := s.Name()
		if s.Parent().IsValid() {
			text = "  " + text
		}
		for _, a := range s.Attributes() {
			text += " " + a.Value.Emit()
		}
		all = append(all, text+" "+s.Status().Description)
	}
	for _, want := range []string{
		"  ARM PUT PUT arm.example " + group + "/providers/Contoso.Homes/houses/i 2020-02-02 false",
		"  ARM GET GET arm.example " + group + "/providers/Contoso.Homes/houses/i 2020-02-02 true 200",
		"reconcile House shop homes.example.com House i",
		"reconcile House shop homes.example.com House h InvalidRequestContent InvalidRequestContent",
	} {
		if !slices.ContainsFunc(all, func(text string) bool { return strings.HasPrefix(text, want) }) {
			t.Errorf("there is no span %q in\n%s", want, strings.Join(all, "\n"))
		}
	}
	if logs := w.logs.String(); !strings.Contains(logs, `"armID"="`+houseID) || !strings.Contains(logs, "traceID") ||
		!strings.Contains(logs, "request to ARM") {
		t.Errorf("got the log %s", logs)
	}
}

func TestKeys(t *testing.T) {
	w := newWorld(t, armtest.Behavior{})
	w.takeOver()
	w.create(newHouse("h", 3))
	w.pass(time.Minute)
	var keys corev1.Secret
	name := w.op.keys.Secret
	if err := w.store.Get(context.Background(), name, &keys); err != nil {
		t.Fatal(err)
	}
	keys.Data["second"], keys.Data["current"] = []byte(strings.Repeat("x", 32)), []byte("second")
	if err := w.store.Update(context.Background(), &keys); err != nil {
		t.Fatal(err)
	}
	w.start()
	w.pass(time.Minute)
	if n := w.count("PUT", ""); n != 1 {
		t.Errorf("a new key: got %d PUTs, want 1", n)
	}
	edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
	w.pass(time.Minute)
	if s := record.Of(get[homes.House](w, "h")); s.Key != "second" || w.count("PUT", "") != 2 {
		t.Errorf("got the key %s after %d PUTs", s.Key, w.count("PUT", ""))
	}
	w.delete(&keys)
	w.start()
	w.pass(time.Minute)
	if n := w.count("PUT", ""); n != 2 {
		t.Errorf("keys that are lost while the operator runs: got %d PUTs, want no more", n)
	}
	w.loseKeys()
	w.pass(3 * time.Hour)
	w.expect("without keys", get[homes.House](w, "h"), "True Succeeded")
	if n := w.count("PUT", ""); n != 3 {
		t.Errorf("all keys lost: got %d PUTs, want one more", n)
	}
	edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(5)) })
	w.pass(time.Minute)
	w.has("a change after that", houseID, `{"rooms":5}`)
}
