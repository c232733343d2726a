package reconcile

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reference"
)

// takes lets a House take its color from an output of another House, or from a key of a ConfigMap.
func takes(kind, name, output string) *homes.House {
	h := newHouse("h", 1)
	h.Spec.Fields.ColorFrom = &reference.Value{Kind: kind, Name: name, Output: output}
	if kind != "ConfigMap" && kind != "Secret" {
		h.Spec.Fields.ColorFrom.Group = homes.Group
	}
	return h
}

func (w *world) configMap(name string, data map[string]string) {
	w.Helper()
	m := &corev1.ConfigMap{ObjectMeta: objectMeta(name), Data: data}
	if old := get[corev1.ConfigMap](w, name); old != nil {
		m.ObjectMeta = old.ObjectMeta
		if err := w.store.Update(context.Background(), m); err != nil {
			w.Fatalf("%v", err)
		}
		return
	}
	w.create(m)
}

// noConfigMaps may read no ConfigMap.
type noConfigMaps struct{ ctrlclient.Reader }

func (n noConfigMaps) Get(ctx context.Context, key ctrlclient.ObjectKey, into ctrlclient.Object, options ...ctrlclient.GetOption) error {
	if _, isConfigMap := into.(*corev1.ConfigMap); isConfigMap {
		return apierrors.NewForbidden(corev1.Resource("configmaps"), key.Name, errors.New("no rights"))
	}
	return n.Reader.Get(ctx, key, into, options...)
}

// TestValues makes objects that take a value from another one.
func TestValues(t *testing.T) {
	const other = group + "/providers/Contoso.Homes/houses/g"
	sent := func(color string) string { return fmt.Sprintf(`{"color":%q,"rooms":1}`, color) }
	t.Run("an output is awaited, sent, and sent again when it changes", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(takes("House", "g", "rooms"))
		w.pass(time.Minute)
		w.expect("alone", get[homes.House](w, "h"), "False WaitingForReference", "spec.color", "House shop/g does not exist")
		w.has("alone", houseID, "")
		w.create(newHouse("g", 7))
		w.pass(5 * time.Second)
		w.expect("with it", get[homes.House](w, "h"), "True Succeeded")
		w.has("with it", houseID, sent("7"))
		edit(w, "g", func(g *homes.House) { g.Spec.Fields.Rooms = p(int64(8)) })
		w.pass(5 * time.Second)
		w.has("changed", houseID, sent("8"))
		puts := w.count("PUT", houseID)
		w.pass(24 * time.Hour)
		if n := w.count("PUT", houseID); n != puts {
			t.Errorf("%d PUTs were sent although nothing has changed", n-puts)
		}
	})
	t.Run("a key of a ConfigMap likewise", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(takes("ConfigMap", "paint", "color"))
		w.pass(time.Minute)
		w.expect("alone", get[homes.House](w, "h"), "False WaitingForReference", "ConfigMap shop/paint does not exist")
		w.configMap("paint", map[string]string{"colour": "red"})
		w.pass(5 * time.Second)
		w.expect("another key", get[homes.House](w, "h"), "False WaitingForReference", `ConfigMap shop/paint has no key "color"`)
		w.configMap("paint", map[string]string{"color": "red"})
		w.pass(5 * time.Second)
		w.expect("with it", get[homes.House](w, "h"), "True Succeeded")
		w.has("with it", houseID, sent("red"))
		w.configMap("paint", map[string]string{"color": "blue"})
		w.pass(5 * time.Second)
		w.has("changed", houseID, sent("blue"))
	})
	t.Run("without its source the object keeps what it has, and says so", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.configMap("paint", map[string]string{"color": "red"})
		w.create(takes("ConfigMap", "paint", "color"))
		w.pass(time.Minute)
		w.delete(get[corev1.ConfigMap](w, "paint"))
		w.pass(time.Minute)
		w.expect("without", get[homes.House](w, "h"), "False WaitingForReference", "does not exist")
		w.has("without", houseID, sent("red"))
		w.delete(get[homes.House](w, "h"))
		w.pass(time.Minute)
		w.has("deleted", houseID, "")
	})
	t.Run("the value itself in place of the reference changes nothing", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.configMap("paint", map[string]string{"color": "red"})
		w.create(takes("ConfigMap", "paint", "color"))
		w.pass(time.Minute)
		puts := w.count("PUT", houseID)
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Color, h.Spec.Fields.ColorFrom = p("red"), nil })
		w.pass(time.Minute)
		w.expect("itself", get[homes.House](w, "h"), "True Succeeded")
		if n := w.count("PUT", houseID); n != puts {
			t.Errorf("%d PUTs were sent", n-puts)
		}
	})
	t.Run("what cannot change stays what was sent first, also after a restart", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.configMap("map", map[string]string{"place": "west"})
		h := newHouse("h", 1)
		h.Spec.Fields.LocationFrom = &reference.Value{Kind: "ConfigMap", Name: "map", Output: "place"}
		w.create(h)
		w.pass(time.Minute)
		w.expect("first", get[homes.House](w, "h"), "True Succeeded")
		puts := w.count("PUT", houseID)
		w.configMap("map", map[string]string{"place": "north"})
		w.pass(time.Minute)
		w.expect("changed", get[homes.House](w, "h"), "False ValueChanged", "spec.location has another value now than ARM has")
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(2)) })
		w.start()
		w.pass(time.Hour)
		w.expect("restarted", get[homes.House](w, "h"), "False ValueChanged")
		if n := w.count("PUT", houseID); n != puts {
			t.Errorf("%d PUTs were sent", n-puts)
		}
		w.configMap("map", map[string]string{"place": "west"})
		w.pass(5 * time.Second)
		w.expect("as before", get[homes.House](w, "h"), "True Succeeded")
		w.has("as before", houseID, `{"rooms":2}`)
	})
	t.Run("an output that ARM makes later is looked for, and costs no request afterwards", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		defer func() { homes.Hooks.AfterRead = nil }()
		shown := w.now.Add(20 * time.Second)
		homes.Hooks.AfterRead = func(rooms **int64, _ []byte) error {
			if w.now.Before(shown) {
				*rooms = nil
			}
			return nil
		}
		w.create(newHouse("g", 7))
		w.pass(time.Second)
		w.create(takes("House", "g", "rooms"))
		w.pass(time.Second)
		w.expect("too early", get[homes.House](w, "h"), "False WaitingForReference", "House shop/g has no output rooms yet")
		w.expect("its source", get[homes.House](w, "g"), "True Succeeded")
		w.pass(40 * time.Second)
		w.expect("later", get[homes.House](w, "h"), "True Succeeded")
		gets := w.count("GET", other)
		if gets > 11 {
			t.Errorf("its source was read %d times", gets)
		}
		w.pass(30 * time.Minute)
		if n := w.count("GET", other) - gets; n > 1 {
			t.Errorf("its source was read %d times more", n)
		}
	})
	t.Run("a ConfigMap that the operator may not read is told", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.configMap("paint", map[string]string{"color": "red"})
		readable := w.live
		w.live = noConfigMaps{readable}
		w.create(takes("ConfigMap", "paint", "color"))
		w.pass(time.Minute)
		w.expect("forbidden", get[homes.House](w, "h"), "False ConfigMapForbidden", "no right to ConfigMap shop/paint", "spec.color")
		w.live = readable
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(2)) })
		w.pass(time.Minute)
		w.expect("permitted", get[homes.House](w, "h"), "True Succeeded")
	})
	t.Run("a value outside of the scopes is not sent", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.limitTo(group)
		w.configMap("paint", map[string]string{"color": "/subscriptions/other/resourceGroups/theirs"})
		w.create(takes("ConfigMap", "paint", "color"))
		w.pass(time.Minute)
		w.expect("outside", get[homes.House](w, "h"), "False OutsideScopes")
		w.has("outside", houseID, "")
	})
	t.Run("two that take from each other are told", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		h, g := takes("House", "g", "rooms"), takes("House", "h", "rooms")
		g.Name = "g"
		w.create(h)
		w.create(g)
		w.pass(time.Minute)
		w.expect("h", get[homes.House](w, "h"), "False WaitingForReference", "because it waits for this one")
		w.has("h", houseID, "")
		w.has("g", other, "")
	})
	for _, test := range []struct {
		behavior, kind, name, output string
		want                         string
		texts                        []string
	}{
		{"an unknown output is refused", "House", "g", "roms", "False InvalidSpec",
			[]string{`no output "roms"`, "expected one of id, rooms"}},
		{"an output that is a secret is refused", "House", "g", "key1", "False InvalidSpec",
			[]string{"a secret", "expected one of id, rooms"}},
		{"a kind without outputs is refused", "Street", "s", "id", "False InvalidSpec", []string{"it has none that is not a secret"}},
		{"an unknown kind is refused", "Hose", "g", "id", "False UnknownKind", []string{`no kind "Hose"`}},
		{"a Secret is refused", "Secret", "s", "k", "False InvalidSpec", []string{"ARM shows this property"}},
		{"no text is refused", "ConfigMap", "odd", "empty", "False ValueUnusable",
			[]string{"empty of ConfigMap shop/odd: found no text"}},
		{"a text that is too long is refused", "ConfigMap", "odd", "long", "False ValueUnusable",
			[]string{"found 4097 bytes, expected at most 4096"}},
		{"bytes are refused", "ConfigMap", "odd", "bytes", "False ValueUnusable", []string{"found bytes, expected text"}},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			w := newWorld(t, armtest.Behavior{})
			w.create(newHouse("g", 7))
			w.configMap("odd", map[string]string{"empty": "", "long": strings.Repeat("x", 4097)})
			odd := get[corev1.ConfigMap](w, "odd")
			odd.BinaryData = map[string][]byte{"bytes": {0xff}}
			if err := w.store.Update(context.Background(), odd); err != nil {
				t.Fatal(err)
			}
			w.create(takes(test.kind, test.name, test.output))
			w.pass(time.Minute)
			w.expect(test.behavior, get[homes.House](w, "h"), test.want, append(test.texts, "spec.color")...)
			w.has(test.behavior, houseID, "")
		})
	}
}
