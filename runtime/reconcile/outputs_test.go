package reconcile

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/outputs"
	"github.com/armature-dev/armature/runtime/reference"
)

// asks lets a House ask for outputs: "key1 secret/key", or "id configMap/key" where
// the name begins with cm.
func asks(h *homes.House, outputs ...string) *homes.House {
	o := &reference.OperatorSpec{Secrets: map[string]reference.Destination{}, ConfigMaps: map[string]reference.Destination{}}
	for _, text := range outputs {
		var to reference.Destination
		name, at, _ := strings.Cut(text, " ")
		to.Name, to.Key, _ = strings.Cut(at, "/")
		if strings.HasPrefix(to.Name, "cm") {
			o.ConfigMaps[name] = to
		} else {
			o.Secrets[name] = to
		}
	}
	if h.Spec.Fields.OperatorSpec = o; len(outputs) == 0 {
		h.Spec.Fields.OperatorSpec = nil
	}
	return h
}

// contents returns the Secrets and ConfigMaps that have outputs, as "name key=value".
func (w *world) contents() []string {
	var all []string
	for _, kind := range []schema.GroupKind{named.SecretKind, named.ConfigMapKind} {
		var list ctrlclient.ObjectList = &corev1.SecretList{}
		if kind == named.ConfigMapKind {
			list = &corev1.ConfigMapList{}
		}
		if err := w.store.List(context.Background(), list, ctrlclient.HasLabels{annotation.OutputOf}); err != nil {
			w.Fatalf("%v", err)
		}
		add := func(o ctrlclient.Object) {
			line := o.GetName()
			data := outputs.Data(o)
			for _, key := range slices.Sorted(maps.Keys(data)) {
				line += " " + key + "=" + string(data[key])
			}
			all = append(all, line)
		}
		switch list := list.(type) {
		case *corev1.SecretList:
			for i := range list.Items {
				add(&list.Items[i])
			}
		case *corev1.ConfigMapList:
			for i := range list.Items {
				add(&list.Items[i])
			}
		}
	}
	return all
}

// want checks the contents of the Secrets and ConfigMaps with outputs. In the values, <name>
// stands for the value of the output in ARM.
func (w *world) want(what string, want ...string) {
	w.Helper()
	for i := range want {
		for _, o := range homes.HouseOutputs {
			if name := "<" + o.Name + ">"; strings.Contains(want[i], name) {
				want[i] = strings.ReplaceAll(want[i], name, w.output(o))
			}
		}
	}
	if got := w.contents(); fmt.Sprint(got) != fmt.Sprint(want) {
		w.Errorf("%s: got\n  %s\nwant\n  %s", what, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// output returns the value of an output of the House h in ARM.
func (w *world) output(o arm.Output) string {
	text, err := json.Marshal(w.arm.Answer(houseID, o.Action, "2020-02-02"))
	if err != nil {
		w.Fatalf("%v", err)
	}
	value, err := o.Value(text)
	if err != nil {
		w.Fatalf("%s: %v", text, err)
	}
	return string(value)
}

// posts returns how many actions ARM has received.
func (w *world) posts() int { return w.count("POST", "") }

func TestOutputs(t *testing.T) {
	start := func(t *testing.T, outputs ...string) *world {
		w := newWorld(t, armtest.Behavior{})
		w.create(asks(newHouse("h", 3), outputs...))
		w.pass(time.Minute)
		return w
	}
	t.Run("what an action answers, and what the Status has", func(t *testing.T) {
		w := start(t, "key1 keys/first", "key2 keys/second", "photo other/photo", "id keys/id", "rooms cm/rooms")
		w.expect("the house", get[homes.House](w, "h"), "True Succeeded")
		w.want("at first", "keys first=<key1> id="+houseID+" second=<key2>", "other photo=<photo>", "cm rooms=3")
		secret := get[corev1.Secret](w, "keys")
		if !metav1.IsControlledBy(secret, get[homes.House](w, "h")) || secret.OwnerReferences[0].APIVersion != homes.Group+"/"+homes.V2020 {
			t.Errorf("it belongs to %v", secret.OwnerReferences)
		}
		if n := w.posts(); n != 2 {
			t.Errorf("ARM got %d POSTs for two actions", n)
		}
		w.pass(30 * time.Minute)
		w.start()
		w.pass(time.Minute)
		if n := w.posts(); n != 2 {
			t.Errorf("ARM got %d POSTs before a refresh was due", n)
		}
		if text := w.everything(); strings.Contains(text, armtest.Secret) {
			t.Errorf("a secret is where people see it: %s", text)
		}
	})
	t.Run("an answer without an id is of the resource that was asked for", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.NoID: 1}})
		w.create(asks(newHouse("h", 3), "id keys/id"))
		w.pass(3 * time.Hour)
		w.expect("the house", get[homes.House](w, "h"), "True Succeeded")
		w.want("hours later", "keys id="+houseID)
	})
	t.Run("the API version is that of the object, and nothing of it is in a PUT", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		h := asks(newHouse("h", 3), "key1 keys/a")
		h.Spec.OriginalVersion = homes.V2019
		w.create(h)
		w.pass(time.Minute)
		w.want("written", "keys a=<key1>")
		for _, r := range w.arm.Requests() {
			if r.APIVersion != "2019-01-01" || strings.Contains(string(r.Body), "operatorSpec") {
				t.Errorf("%s %s at %s: %s", r.Method, r.ID, r.APIVersion, r.Body)
			}
		}
	})
	t.Run("another wish is no PUT, and what is asked for no more goes", func(t *testing.T) {
		w := start(t, "key1 keys/a", "key2 keys/b", "id old/id", "id cm/id")
		for _, step := range []struct {
			asks, want []string
		}{
			{[]string{"key2 keys/a", "id keys/id"}, []string{"keys a=<key2> id=" + houseID}},
			{[]string{"rooms cm/rooms"}, []string{"cm rooms=3"}},
			{nil, nil},
			{[]string{"key1 again/a"}, []string{"again a=<key1>"}},
		} {
			edit(w, "h", func(h *homes.House) { asks(h, step.asks...) })
			w.pass(time.Minute)
			w.expect("asked for another", get[homes.House](w, "h"), "True Succeeded")
			w.want(fmt.Sprint(step.asks), step.want...)
		}
		if n := w.count("PUT", ""); n != 1 {
			t.Errorf("ARM got %d PUTs", n)
		}
	})
	t.Run("keys are read again with the resource, and when it has changed", func(t *testing.T) {
		w := start(t, "key1 keys/a", "rooms cm/rooms")
		w.arm.Rotate(houseID)
		w.pass(2 * time.Hour)
		w.want("after a refresh", "keys a=<key1>", "cm rooms=3")
		w.arm.Rotate(houseID)
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
		w.pass(time.Minute)
		w.want("after a PUT", "keys a=<key1>", "cm rooms=4")
	})
	t.Run("keys are read again at once when somebody has touched their Secret", func(t *testing.T) {
		w := start(t, "key1 keys/a")
		w.arm.Rotate(houseID)
		s := get[corev1.Secret](w, "keys")
		s.Annotations = map[string]string{"rotated": "now"}
		if err := w.store.Update(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		w.pass(time.Second)
		w.want("touched", "keys a=<key1>")
		if s := get[corev1.Secret](w, "keys"); s.Annotations["rotated"] != "now" {
			t.Errorf("its annotations are %q", s.Annotations)
		}
	})
	t.Run("what somebody deletes or changes is written again", func(t *testing.T) {
		w := start(t, "key1 keys/a", "rooms cm/rooms")
		w.delete(get[corev1.Secret](w, "keys"))
		w.delete(get[corev1.ConfigMap](w, "cm"))
		w.pass(time.Minute)
		w.want("deleted", "keys a=<key1>", "cm rooms=3")
		for _, data := range []map[string][]byte{{"a": []byte("x")}, {}, {"a": []byte("x"), "b": []byte("y")}} {
			s := get[corev1.Secret](w, "keys")
			s.Data = data
			if err := w.store.Update(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			c := get[corev1.ConfigMap](w, "cm")
			c.Data = map[string]string{"rooms": "7", "more": "8"}
			if err := w.store.Update(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			w.pass(time.Minute)
			w.want(fmt.Sprint("changed to ", data), "keys a=<key1>", "cm rooms=3")
		}
		s := get[corev1.Secret](w, "keys")
		s.Labels = nil
		if err := w.store.Update(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		w.start()
		w.pass(5 * time.Minute)
		w.want("its label taken away", "keys a=<key1>", "cm rooms=3")
		w.expect("again", get[homes.House](w, "h"), "True Succeeded")
	})
	t.Run("what belongs to somebody else stays as it is", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.secret("keys", map[string]string{"mine": "1"})
		w.create(&corev1.ConfigMap{ObjectMeta: objectMeta("cm"), Data: map[string]string{"mine": "2"}})
		w.create(asks(newHouse("h", 3), "key1 keys/a"))
		w.create(asks(newHouse("i", 3), "rooms cm/a"))
		w.pass(time.Hour)
		w.expect("a Secret", get[homes.House](w, "h"), "False OutputBelongsToAnother", "Secret shop/keys exists and belongs to nobody")
		w.expect("a ConfigMap", get[homes.House](w, "i"), "False OutputBelongsToAnother", "ConfigMap shop/cm exists and belongs to nobody")
		if s, c := get[corev1.Secret](w, "keys"), get[corev1.ConfigMap](w, "cm"); len(s.Data) != 1 ||
			len(s.OwnerReferences) > 0 || len(s.Labels) > 0 || c.Data["mine"] != "2" {
			t.Errorf("it was changed: %v, %v", s, c)
		}
		s := get[corev1.Secret](w, "keys") // as a copy of one with outputs
		s.Labels = map[string]string{annotation.OutputOf: string(get[homes.House](w, "h").UID)}
		if err := w.store.Update(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		w.pass(time.Hour)
		w.want("with the label", "keys mine=1")
		w.delete(s)
		w.pass(time.Second)
		w.want("when it goes", "keys a=<key1>")
		w.create(asks(newHouse("j", 3), "key1 keys/a"))
		w.pass(time.Minute)
		w.expect("that of another object", get[homes.House](w, "j"), "False OutputBelongsToAnother", "belongs to House h")
		w.want("that of another object", "keys a=<key1>")
		edit(w, "j", func(h *homes.House) { asks(h) })
		w.pass(time.Minute)
		w.expect("without the wish", get[homes.House](w, "j"), "True Succeeded")
		w.want("without the wish", "keys a=<key1>")
	})
	t.Run("what cannot be is told", func(t *testing.T) {
		for _, row := range []struct {
			reason string
			asks   []string
			want   string
			texts  []string
			posts  bool
		}{
			{"an unknown output", []string{"key9 keys/a"}, "False InvalidSpec",
				[]string{"spec.operatorSpec.secrets.key9", "key1, key2"}, false},
			{"a secret for a ConfigMap", []string{"key1 cm/a"}, "False InvalidSpec",
				[]string{"spec.operatorSpec.configMaps.key1", "Secrets only"}, false},
			{"the Secret that is the namespace's credential", []string{"key1 armature-credential/AZURE_CLIENT_ID"}, "False InvalidSpec",
				[]string{"spec.operatorSpec.secrets.key1: Secret armature-credential is for the credential of the namespace"}, false},
			{"two outputs in one place", []string{"key1 keys/a", "key2 keys/a"}, "False InvalidSpec",
				[]string{`the key "a" of Secret shop/keys is that of key1`}, false},
			{"an output that ARM does not have", []string{"key1 keys/a", "key3 keys/b"}, "False OutputMissing",
				[]string{"the output key3 in the answer of listKeys", "keys[keyName=key3].value"}, true},
		} {
			w := start(t, row.asks...)
			w.expect(row.reason, get[homes.House](w, "h"), row.want, row.texts...)
			if w.posts() > 0 != row.posts {
				t.Errorf("%s: ARM got %d POSTs", row.reason, w.posts())
			}
			if err := w.store.Get(context.Background(), ctrlclient.ObjectKey{Namespace: namespace, Name: CredentialSecret},
				&corev1.Secret{}); !apierrors.IsNotFound(err) {
				t.Errorf("%s: the credential of the namespace: %v", row.reason, err)
			}
			if row.posts {
				w.want(row.reason+", and the other", "keys a=<key1>")
			}
		}
	})
	t.Run("a refusal is retried, and what was written stays", func(t *testing.T) {
		w := start(t, "key1 keys/a")
		before := w.contents()
		w.arm.Rotate(houseID)
		w.down = "/listKeys"
		h := get[homes.House](w, "h")
		due := decide.Turn(h.UID, w.op.options.Refresh, w.now)
		w.pass(due.Sub(w.now) + 20*time.Second)
		w.expect("soon after a refresh", get[homes.House](w, "h"), "True Succeeded")
		w.pass(2 * time.Hour)
		w.expect("long after it", get[homes.House](w, "h"), "False InternalServerError", "the action listKeys")
		if fmt.Sprint(w.contents()) != fmt.Sprint(before) {
			t.Errorf("got %q", w.contents())
		}
		w.down = ""
		w.pass(time.Hour)
		w.want("after it", "keys a=<key1>")
		w.expect("after it", get[homes.House](w, "h"), "True Succeeded")
	})
	t.Run("a policy that only looks has outputs too", func(t *testing.T) {
		w := start(t)
		edit(w, "h", func(h *homes.House) {
			h.Annotations[annotation.Adopt] = annotation.AdoptObserve
			asks(h, "key1 keys/a")
		})
		w.pass(time.Minute)
		w.want("skip", "keys a=<key1>")
	})
	t.Run("they go with the object", func(t *testing.T) {
		w := start(t, "key1 keys/a", "rooms cm/rooms")
		w.delete(get[homes.House](w, "h"))
		w.pass(time.Hour)
		w.want("gone")
	})
	t.Run("what the API server refuses is told without the values", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.refuse = func(o ctrlclient.Object) error {
			if s, isSecret := o.(*corev1.Secret); isSecret && s.Labels[annotation.OutputOf] != "" {
				return apierrors.NewForbidden(schema.GroupResource{Resource: "secrets"}, s.Name, fmt.Errorf("%s is too much", s.Data["a"]))
			}
			return nil
		}
		w.create(asks(newHouse("h", 3), "key1 keys/a"))
		w.pass(time.Minute)
		w.expect("forbidden", get[homes.House](w, "h"), "False OutputRefused", "the API server refuses Secret shop/keys", "is too much")
		if text := w.everything(); strings.Contains(text, armtest.Secret) {
			t.Errorf("a secret is where people see it: %s", text)
		}
	})
	t.Run("no error of the API server shows them", func(t *testing.T) {
		for _, status := range []int{400, 409, 413, 422, 429, 500, 503, 504} {
			w := newWorld(t, armtest.Behavior{})
			w.refuse = func(o ctrlclient.Object) error {
				if s, isSecret := o.(*corev1.Secret); isSecret && s.Labels[annotation.OutputOf] != "" {
					of := schema.GroupResource{Resource: "secrets"}
					err := apierrors.NewGenericServerResponse(status, "create", of, s.Name, "", 0, true)
					err.ErrStatus.Message = fmt.Sprintf("%s is too much", s.Data["a"])
					return err
				}
				return nil
			}
			w.create(asks(newHouse("h", 3), "key1 keys/a"))
			w.pass(time.Minute)
			if text := w.everything() + strings.Join(w.errors, " "); strings.Contains(text, armtest.Secret) {
				t.Errorf("%d: a secret is where people see it: %s", status, text)
			}
		}
	})
}
