package reconcile

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reference"
)

// planned is how a test plans.
type planned struct {
	// keyless reports whether the caller may not read the keys of records.
	keyless bool
	// hidden are names of Secrets that the caller may not read.
	hidden []string
	// files are objects as files have them: new ones, or changed ones with what the cluster has beside.
	files []ctrlclient.Object
	// selected reports whether the plan is about an object, nil for all.
	selected func(ctrlclient.Object) bool
}

// plan returns what the operator would do. It fails if ARM or the cluster are not as they were after it.
func (w *world) plan(o planned) map[string]*Foretold {
	w.Helper()
	var objects []ctrlclient.Object
	isFile := func(of ctrlclient.Object) bool {
		return slices.ContainsFunc(o.files, func(f ctrlclient.Object) bool {
			return w.kindOf(f) == w.kindOf(of) && ctrlclient.ObjectKeyFromObject(f) == ctrlclient.ObjectKeyFromObject(of)
		})
	}
	w.each(func(_ *kinds.Kind, object kinds.Resource) {
		if !isFile(object) {
			objects = append(objects, object)
		}
	})
	var old []ctrlclient.Object
	for _, f := range o.files {
		if before := w.look(w.store, f); before != nil {
			old = append(old, before)
		}
		objects = append(objects, f.DeepCopyObject().(ctrlclient.Object))
	}
	if o.selected == nil {
		o.selected = func(ctrlclient.Object) bool { return true }
	}
	options, before, resources := w.options, w.writes, fmt.Sprint(w.arm.IDs())
	options.Transport, options.Now = onlyRead{w}, func() time.Time { return w.now }
	all, err := Plan(context.Background(), PlanOptions{Options: options, Scheme: w.api.Scheme(), Objects: objects, Old: old,
		Selected: o.selected, Live: asCaller{w.store, o, w}, Wait: func(context.Context, time.Duration) error { return nil }})
	if err != nil {
		w.Fatalf("%v", err)
	}
	if w.writes != before || fmt.Sprint(w.arm.IDs()) != resources {
		w.Errorf("a plan has changed something")
	}
	byName := map[string]*Foretold{}
	for _, f := range all {
		byName[f.Kind+" "+f.Name] = f
	}
	return byName
}

// onlyRead is an ARM that fails the test if it gets more than reads.
type onlyRead struct{ *world }

func (r onlyRead) Do(request *http.Request) (*http.Response, error) {
	if request.Method != http.MethodGet && request.Method != http.MethodHead {
		r.Errorf("ARM got %s %s", request.Method, request.URL.Path)
	}
	if r.reading != nil {
		r.reading()
	}
	if r.denied != nil {
		return transport{r.world}.Do(request)
	}
	return r.arm.Do(request)
}

// asCaller reads the cluster as the caller of a plan may.
type asCaller struct {
	ctrlclient.Reader
	planned
	w *world
}

func (c asCaller) Get(ctx context.Context, name ctrlclient.ObjectKey, into ctrlclient.Object, options ...ctrlclient.GetOption) error {
	if _, isSecret := into.(*corev1.Secret); isSecret && (c.keyless && name == c.w.op.keys.Secret || slices.Contains(c.hidden, name.Name)) {
		return apierrors.NewForbidden(corev1.Resource("secrets"), name.Name, fmt.Errorf("no right"))
	}
	return c.Reader.Get(ctx, name, into, options...)
}

func (f *Foretold) String() string {
	if f == nil {
		return "nothing"
	}
	var all []string
	for _, r := range f.Requests {
		all = append(all, r.Method+" "+r.ID[strings.LastIndexByte(r.ID, '/')+1:])
	}
	for _, c := range f.Changes {
		if c.Deletes {
			c.After = "(deletes)"
		}
		all = append(all, fmt.Sprintf("%s: %s → %s", strings.TrimPrefix(c.Path, "spec."), c.Before, c.After))
	}
	text := strings.TrimSpace(fmt.Sprintf("%s %s %s", f.Action, strings.Join(all, ", "), f.Reason))
	if f.Maybe != "" {
		text += " (" + f.Maybe + ")"
	}
	return text
}

func TestPlan(t *testing.T) {
	made := func(t *testing.T, objects ...ctrlclient.Object) *world {
		w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.MissingParent: 1}})
		w.secret("pw", map[string]string{"k": "canary"})
		for _, o := range objects {
			w.create(o)
		}
		w.pass(time.Minute)
		return w
	}
	withPassword := func(h *homes.House) *homes.House {
		h.Spec.Fields.Password = &reference.Secret{Name: "pw", Key: "k"}
		return h
	}
	edited := func(w *world, change func(*homes.House)) *homes.House {
		h := get[homes.House](w, "h")
		change(h)
		h.Generation++
		return h
	}
	inPolicy := func(h *homes.House, name, value string) *homes.House {
		h.Annotations = map[string]string{name: value}
		return h
	}
	deleted := func(w *world) []ctrlclient.Object {
		w.delete(get[homes.House](w, "h"))
		return nil
	}
	stranger := func(w *world) []ctrlclient.Object {
		w.arm.Change(houseID, "eve", func(body map[string]any) { body["properties"].(map[string]any)["rooms"] = 9 })
		return nil
	}
	there := func(w *world) []ctrlclient.Object {
		w.arm.Put(houseID, "2020-02-02", `{"properties":{"rooms":1,"color":"blue"}}`)
		return nil
	}
	for _, row := range []struct {
		what    string
		made    []ctrlclient.Object
		then    func(*world) []ctrlclient.Object
		of      string
		want    string
		keyless string // what is otherwise without the keys
	}{
		{"a new object", nil, func(*world) []ctrlclient.Object { return []ctrlclient.Object{newHouse("h", 3)} },
			"House h", "create PUT h, rooms:  → 3", ""},
		{"a new object in a new one", nil,
			func(*world) []ctrlclient.Object { return []ctrlclient.Object{newDoor("d", "h"), newHouse("h", 3)} },
			"Door d", "create PUT d", ""},
		{"what ARM makes with its owner", nil, func(*world) []ctrlclient.Object {
			x := &homes.Deal{ObjectMeta: objectMeta("x")}
			x.Spec.Fields.Owner, x.Spec.Fields.Rooms = &reference.Owner{Name: "h"}, p(int64(2))
			return []ctrlclient.Object{x, newHouse("h", 3)}
		}, "Deal x", "change PUT default, rooms:  → 2", ""},
		{"a child whose owner is missing", nil, func(*world) []ctrlclient.Object { return []ctrlclient.Object{newDoor("d", "h")} },
			"Door d", "wait  WaitingForOwner", ""},
		{"a Secret that is missing", nil, func(w *world) []ctrlclient.Object {
			w.delete(get[corev1.Secret](w, "pw"))
			return []ctrlclient.Object{withPassword(newHouse("h", 3))}
		}, "House h", "wait  SecretMissing", ""},
		{"a Secret of the files", nil, func(w *world) []ctrlclient.Object {
			h := newHouse("h", 3)
			h.Spec.Fields.Password = &reference.Secret{Name: "new", Key: "k"}
			return []ctrlclient.Object{h, secretOf(namespace, "new", map[string]string{"k": "canary"})}
		}, "House h", "create PUT h, rooms:  → 3", ""},
		{"nothing to do", []ctrlclient.Object{newHouse("h", 3)}, func(*world) []ctrlclient.Object { return nil }, "House h", "none", ""},
		{"nothing to do, with a secret", []ctrlclient.Object{withPassword(newHouse("h", 3))},
			func(*world) []ctrlclient.Object { return nil }, "House h", "none", "none (it has secrets, which ARM does not show)"},
		{"a change", []ctrlclient.Object{newHouse("h", 3)}, func(w *world) []ctrlclient.Object {
			return []ctrlclient.Object{edited(w, func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })}
		}, "House h", "change PUT h, rooms: 3 → 4", ""},
		{"a change of what is not sent", []ctrlclient.Object{newHouse("h", 3)}, func(w *world) []ctrlclient.Object {
			return []ctrlclient.Object{edited(w, func(h *homes.House) { asks(h, "key1 keys/a") })}
		}, "House h", "none", "none (ARM has what the Spec says, and may be sent it again)"},
		{"an invalid change", []ctrlclient.Object{newHouse("h", 3)}, func(w *world) []ctrlclient.Object {
			return []ctrlclient.Object{edited(w, func(h *homes.House) { h.Spec.Fields.Owner = &reference.Owner{ARMID: group + "x"} })}
		}, "House h", "refuse  ARMIDChanged", ""},
		{"a value that only ARM knows", nil, func(*world) []ctrlclient.Object {
			other := asks(newHouse("other", 1), "key1 keys/a")
			h := newHouse("h", 3)
			h.Spec.Fields.Password = &reference.Secret{Name: "keys", Key: "a"}
			return []ctrlclient.Object{other, h}
		}, "House h", "create PUT h, rooms:  → 3", ""},
		{"a resource that is somebody else's", nil, func(w *world) []ctrlclient.Object {
			there(w)
			return []ctrlclient.Object{newHouse("h", 3)}
		}, "House h", "refuse  AlreadyExists", ""},
		{"a resource that is taken over", nil, func(w *world) []ctrlclient.Object {
			there(w)
			w.takeOver()
			return []ctrlclient.Object{inPolicy(newHouse("h", 3), annotation.Adopt, annotation.AdoptAdopt)}
		}, "House h", "adopt PUT h, rooms: 1 → 3", ""},
		{"what is being deleted", []ctrlclient.Object{newHouse("h", 3)}, deleted, "House h", "delete DELETE h", ""},
		{"what is being deleted, and stays",
			[]ctrlclient.Object{inPolicy(newHouse("h", 3), annotation.Deletion, annotation.DeletionDetach)}, deleted,
			"House h", "detach", ""},
		{"a resource that is gone", []ctrlclient.Object{newHouse("h", 3)}, func(w *world) []ctrlclient.Object {
			w.arm.Remove(houseID)
			return nil
		}, "House h", "create PUT h, rooms:  → 3", ""},
		{"what somebody has changed in ARM", []ctrlclient.Object{newHouse("h", 3)}, stranger, "House h", "none",
			"none (ARM shows it otherwise, which may be its normal form, or somebody else's change: spec.rooms)"},
		{"what is corrected", []ctrlclient.Object{inPolicy(newHouse("h", 3), annotation.Drift, annotation.DriftCorrect)}, stranger,
			"House h", "change PUT h, rooms: 9 → 3",
			"none (ARM shows it otherwise, which may be its normal form, or somebody else's change: spec.rooms)"},
		{"a resource that another object has", []ctrlclient.Object{newHouse("h", 3)}, func(*world) []ctrlclient.Object {
			other := newHouse("other", 3)
			other.Spec.Fields.AzureName = p("h")
			return []ctrlclient.Object{other}
		}, "House other", "refuse  ClaimedByAnother", ""},
		{"two new objects for one resource", nil, func(*world) []ctrlclient.Object {
			other := newHouse("other", 3)
			other.Spec.Fields.AzureName = p("h")
			return []ctrlclient.Object{other, newHouse("h", 3)}
		}, "House other", "refuse  ClaimedByAnother", ""},
		{"a secret that ARM shows elsewhere", []ctrlclient.Object{withPassword(newHouse("h", 3))}, func(w *world) []ctrlclient.Object {
			w.arm.Change(houseID, "eve", func(body map[string]any) { body["properties"].(map[string]any)["color"] = "canary" })
			return []ctrlclient.Object{edited(w, func(h *homes.House) { h.Spec.Fields.Color = p("red") })}
		}, "House h", `change PUT h, color: "(secret)" → "red"`, ""},
		{"an element that its list leaves out", []ctrlclient.Object{newGarden(1, "rose", "oak")}, func(w *world) []ctrlclient.Object {
			g := get[homes.Garden](w, "g")
			g.Spec.Fields.Plants = listOf("rose")
			g.Generation++
			return []ctrlclient.Object{g}
		}, "Garden g", `change PUT g, plants[name=oak]: {"name":"oak","rooms":1} → (deletes)`, ""},
	} {
		t.Run(row.what, func(t *testing.T) {
			var all []ctrlclient.Object
			for _, o := range row.made {
				all = append(all, o.DeepCopyObject().(ctrlclient.Object))
			}
			w := made(t, all...)
			files := row.then(w)
			for _, keyless := range []bool{false, true} {
				want := row.want
				if keyless {
					want = cmp.Or(row.keyless, row.want)
				}
				plan := w.plan(planned{files: files, keyless: keyless})
				if got := plan[row.of]; got.String() != want {
					t.Errorf("keyless %v: got %v %q, want %s", keyless, got, got.Message, want)
				}
				if text, err := json.Marshal(plan); err != nil || strings.Contains(string(text), "canary") {
					t.Errorf("%v, a secret is in the plan: %s", err, text)
				}
			}
		})
	}
	t.Run("a body has no secret and says what only ARM knows", func(t *testing.T) {
		w := made(t)
		other := asks(newHouse("other", 1), "key1 keys/a")
		h := withPassword(newHouse("h", 3))
		h.Spec.Fields.Keys = []reference.Secret{{Name: "keys", Key: "a"}}
		got := w.plan(planned{files: []ctrlclient.Object{other, h}})["House h"]
		if got == nil || len(got.Requests) != 1 {
			t.Fatalf("got %v", got)
		}
		for _, want := range []string{`"password":"(secret)"`, "(known after apply)", `"rooms":3`} {
			if !strings.Contains(got.Requests[0].Body, want) {
				t.Errorf("got %s, want %s in it", got.Requests[0].Body, want)
			}
		}
	})
	t.Run("what the caller may not read is unknown", func(t *testing.T) {
		w := made(t, withPassword(newHouse("h", 3)))
		if got := w.plan(planned{hidden: []string{"pw"}})["House h"]; got.Action != PlanUnknown || got.Reason != ReasonSecretForbidden {
			t.Errorf("a Secret: got %v", got)
		}
		w.refused = 0
		w.denied = func(_, method, _ string) bool { return method == http.MethodGet }
		if got := w.plan(planned{files: []ctrlclient.Object{newHouse("new", 3)}})["House new"]; got.Action != PlanUnknown {
			t.Errorf("ARM: got %v %q", got, got.Message)
		}
	})
	t.Run("the credential of a namespace need not be readable", func(t *testing.T) {
		w := made(t)
		w.secret(CredentialSecret, map[string]string{TenantKey: "t", ClientKey: "c", ClientSecretKey: "canary"})
		got := w.plan(planned{hidden: []string{CredentialSecret}, files: []ctrlclient.Object{newHouse("h", 3)}})["House h"]
		if got.Action != PlanCreate {
			t.Errorf("got %v %q", got, got.Message)
		}
	})
	t.Run("each resource is read once, and several at the same time", func(t *testing.T) {
		w := made(t)
		for i := range 2 * readers {
			w.create(newHouse(fmt.Sprintf("h%d", i), 3))
		}
		w.pass(time.Minute)
		before, atOnce := len(w.arm.Requests()), make(chan bool, readers)
		full := make(chan bool)
		w.reading = func() {
			select {
			case atOnce <- true:
				if len(atOnce) == readers {
					close(full)
				}
			default:
			}
			<-full
		}
		if got := w.plan(planned{})["House h0"]; got.Action != PlanNothing {
			t.Errorf("got %v", got)
		}
		if n := len(w.arm.Requests()) - before; n != 2*readers {
			t.Errorf("ARM got %d requests", n)
		}
	})
	t.Run("only what is selected", func(t *testing.T) {
		w := made(t)
		got := w.plan(planned{files: []ctrlclient.Object{newHouse("h", 3), newHouse("other", 3)},
			selected: func(o ctrlclient.Object) bool { return o.GetName() == "h" }})
		if len(got) != 1 || got["House h"].Action != PlanCreate {
			t.Errorf("got %v", got)
		}
	})
}

// BenchmarkPlan plans a thousand objects that ARM has, as somebody without the keys of records.
func BenchmarkPlan(b *testing.B) {
	w := newWorld(b, armtest.Behavior{})
	for i := range 1000 {
		w.create(newHouse(fmt.Sprintf("h%d", i), 3))
	}
	w.pass(30 * time.Minute)
	b.ReportAllocs()
	for b.Loop() {
		for name, f := range w.plan(planned{keyless: true}) {
			if f.Action != PlanNothing {
				b.Fatalf("%s: %v %s", name, f, f.Message)
			}
		}
	}
}
