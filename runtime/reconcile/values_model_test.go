package reconcile

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reference"
)

// TestValuesModel has an object that takes a value from a resource, from a ConfigMap or from nowhere. These come,
// change and go, while ARM fails and the operator stops. ARM never has a value that the source never had, and in the
// end it has the present one.
func TestValuesModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rates := armtest.AllFaults()
		if !rapid.Bool().Draw(t, "faults") {
			rates = nil
		}
		m := &valuesModel{T: t, had: map[string]bool{}}
		m.w = newWorld(t, armtest.Behavior{Seed: rapid.Uint64().Draw(t, "seed"), Rates: rates})
		m.w.lag = rapid.SampledFrom([]time.Duration{0, 0, time.Millisecond, 3 * time.Second}).Draw(t, "lag")
		t.Repeat(map[string]func(*rapid.T){
			"take":      m.take,
			"delete":    m.delete,
			"house":     m.house,
			"configMap": m.configMap,
			"none":      m.none,
			"stop":      func(t *rapid.T) { m.w.crashAt = rapid.IntRange(1, 12).Draw(t, "after"); m.wait(t) },
			"wait":      m.wait,
			"":          m.invariants,
		})
		m.finish()
	})
}

// valuesModel knows the values that the sources have had.
type valuesModel struct {
	*rapid.T
	w   *world
	had map[string]bool
	n   int
}

func (m *valuesModel) wait(t *rapid.T) {
	m.w.pass(rapid.SampledFrom([]time.Duration{time.Second, time.Minute, 2 * time.Hour}).Draw(t, "for"))
}

// take makes the object, or lets it take its value from somewhere else.
func (m *valuesModel) take(t *rapid.T) {
	from := rapid.SampledFrom([]string{"House", "ConfigMap", ""}).Draw(t, "from")
	change := func(h *homes.House) {
		h.Spec.Fields.Color, h.Spec.Fields.ColorFrom = nil, nil
		switch from {
		case "House":
			h.Spec.Fields.ColorFrom = &reference.Value{Group: homes.Group, Kind: "House", Name: "g", Output: "rooms"}
		case "ConfigMap":
			h.Spec.Fields.ColorFrom = &reference.Value{Kind: "ConfigMap", Name: "paint", Output: "color"}
		default:
			h.Spec.Fields.Color = p("plain")
			m.had["plain"] = true
		}
	}
	switch h := get[homes.House](m.w, "h"); {
	case h == nil:
		h = newHouse("h", 1)
		change(h)
		m.w.create(h)
	case h.DeletionTimestamp.IsZero():
		edit(m.w, "h", change)
	}
}

func (m *valuesModel) delete(t *rapid.T) {
	if h := get[homes.House](m.w, rapid.SampledFrom([]string{"g", "h"}).Draw(t, "name")); h != nil {
		m.w.delete(h)
	}
}

// house makes or changes the resource that the value may be from.
func (m *valuesModel) house(t *rapid.T) {
	rooms := rapid.Int64Range(1, 9).Draw(t, "rooms")
	m.had[fmt.Sprint(rooms)] = true
	switch g := get[homes.House](m.w, "g"); {
	case g == nil:
		m.w.create(newHouse("g", rooms))
	case g.DeletionTimestamp.IsZero():
		edit(m.w, "g", func(g *homes.House) { g.Spec.Fields.Rooms = &rooms })
	}
}

func (m *valuesModel) configMap(*rapid.T) {
	m.n++
	color := fmt.Sprint("color", m.n)
	m.had[color] = true
	m.w.configMap("paint", map[string]string{"color": color})
}

// none takes the ConfigMap, or its key, away.
func (m *valuesModel) none(t *rapid.T) {
	paint := get[corev1.ConfigMap](m.w, "paint")
	switch {
	case paint == nil:
	case rapid.Bool().Draw(t, "all"):
		m.w.delete(paint)
	default:
		m.w.configMap("paint", map[string]string{"color": ""})
	}
}

// color returns the value that ARM has, if it has the resource.
func (m *valuesModel) color() (value string, exists bool) {
	body, exists := m.w.arm.Resource(houseID)
	var of struct {
		Properties struct{ Color string }
	}
	if err := json.Unmarshal(body, &of); exists && err != nil {
		m.Fatal(err)
	}
	return of.Properties.Color, exists
}

func (m *valuesModel) invariants(*rapid.T) {
	if color, exists := m.color(); exists && !m.had[color] {
		m.Fatalf("ARM has the value %q, which no source has had", color)
	}
}

// finish lets the failures stop, gives the object its source, and looks at what ARM has.
func (m *valuesModel) finish() {
	m.w.crashAt = 0
	m.w.behave(armtest.Behavior{})
	m.w.pass(24 * time.Hour)
	h := get[homes.House](m.w, "h")
	if h == nil || !h.DeletionTimestamp.IsZero() { // a PUT without an answer is waited for
		return
	}
	m.w.configMap("paint", map[string]string{"color": "last"})
	for days := 0; ; days++ { // the same with the source
		if g := get[homes.House](m.w, "g"); g == nil || g.DeletionTimestamp.IsZero() {
			break
		} else if days == 3 {
			m.Fatalf("g is still there: %v", g.Status.Conditions)
		}
		m.w.pass(24 * time.Hour)
	}
	if get[homes.House](m.w, "g") == nil {
		m.w.create(newHouse("g", 7))
	}
	m.w.pass(24 * time.Hour)
	want := "plain"
	if from := h.Spec.Fields.ColorFrom; from != nil && from.Kind == "ConfigMap" {
		want = "last"
	} else if from != nil {
		want = fmt.Sprint(*get[homes.House](m.w, "g").Spec.Fields.Rooms)
	}
	m.w.expect("in the end", get[homes.House](m.w, "h"), "True Succeeded")
	if got, _ := m.color(); got != want {
		m.Fatalf("in the end ARM has %q, want %q", got, want)
	}
}
