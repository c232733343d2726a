package reconcile

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
)

// TestDriftModel has a house that its user edits and that strangers change in ARM, while ARM fails, shows things late
// and in its own ways, and the operator stops. In the end the condition names what a stranger has changed, and
// nothing else.
func TestDriftModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rates := armtest.Rates{}
		if rapid.Bool().Draw(t, "faults") {
			rates = armtest.AllFaults().Without(armtest.FixedLocation, armtest.KeepsProperties, armtest.OtherType, armtest.OperationFails)
			rates[armtest.LateChange] = .5
		}
		if rapid.Bool().Draw(t, "normalizes") {
			rates[armtest.Normalizes] = 1
		}
		m := &driftModel{T: t, strange: map[string]change{}}
		m.behavior = armtest.Behavior{Seed: rapid.Uint64().Draw(t, "seed"), Rates: rates}
		m.w = newWorld(t, m.behavior)
		h := furnished()
		h.Annotations[annotation.Drift] = rapid.SampledFrom([]string{annotation.DriftReport, annotation.DriftCorrect}).Draw(t, "drift")
		m.w.create(h)
		t.Repeat(map[string]func(*rapid.T){
			"edit":     m.edit,
			"stranger": m.stranger,
			"stop":     func(t *rapid.T) { m.w.crashAt = rapid.IntRange(1, 12).Draw(t, "after"); m.wait(t) },
			"restart":  func(*rapid.T) { m.w.start() },
			"wait":     m.wait,
			"":         m.invariants,
		})
		m.finish()
	})
}

// driftModel knows what strangers have changed.
type driftModel struct {
	*rapid.T
	w        *world
	behavior armtest.Behavior
	strange  map[string]change
}

// change is the last change that strangers have made at a path.
type change struct {
	// sent is when the last PUT was sent that ARM took, and compared whether there was a baseline for it.
	sent     time.Time
	compared bool
}

func (m *driftModel) wait(t *rapid.T) {
	m.w.pass(rapid.SampledFrom([]time.Duration{time.Second, 7 * time.Second, time.Minute, 2 * time.Hour}).Draw(t, "for"))
}

func (m *driftModel) edit(t *rapid.T) {
	what := rapid.IntRange(0, 3).Draw(t, "what")
	edit(m.w, "h", func(h *homes.House) {
		f := &h.Spec.Fields
		switch what {
		case 0:
			f.Color = p(rapid.SampledFrom([]string{"red", "pink"}).Draw(t, "color"))
		case 1:
			f.Rooms = p(int64(rapid.IntRange(1, 3).Draw(t, "rooms")))
		case 2:
			f.Tags["team"] = rapid.SampledFrom([]string{"shop", "bank"}).Draw(t, "team")
		case 3:
			f.Rules[0].Port = p(int64(rapid.IntRange(80, 82).Draw(t, "port")))
		}
	})
}

// stranger changes a property, a tag, an element of a list, or takes one away.
func (m *driftModel) stranger(t *rapid.T) {
	set := func(name string, values ...any) (string, func(map[string]any)) {
		value := rapid.SampledFrom(values).Draw(t, name)
		return "spec." + name, func(body map[string]any) { body["properties"].(map[string]any)[name] = value }
	}
	var path string
	var do func(map[string]any)
	switch rapid.IntRange(0, 3).Draw(t, "what") {
	case 0:
		path, do = set("color", "green", "red", "pink")
	case 1:
		path, do = set("rooms", json.Number("7"), json.Number("1"), json.Number("2"))
	case 2:
		text := rapid.SampledFrom([]string{"eve", ""}).Draw(t, "team")
		path, do = "spec.tags.team", tag("team", text)
	case 3:
		port := json.Number(rapid.SampledFrom([]string{"8080", "80", "81"}).Draw(t, "port"))
		path = "spec.rules[name=web].port"
		do = func(body map[string]any) {
			list := slices.Clone(body["properties"].(map[string]any)["rules"].([]any))
			for i, rule := range list {
				if rule := maps.Clone(rule.(map[string]any)); rule["name"] == "web" {
					rule["port"] = port
					list[i] = rule
				}
			}
			body["properties"].(map[string]any)["rules"] = list
		}
	}
	if m.w.arm.Change(houseID, "eve", do) {
		r := m.record()
		if was, again := m.strange[path]; again && !was.compared && !r.Time.After(was.sent) {
			return // it may be as it was
		}
		m.strange[path] = change{r.Time, r.Phase == record.Accepted && r.Baseline != nil}
	}
}

func (m *driftModel) record() *record.Record {
	if r := record.Of(get[homes.House](m.w, "h")); r != nil {
		return r
	}
	return &record.Record{}
}

// has returns what ARM has at the paths that strangers change, as JSON, "" for nothing.
func (m *driftModel) has(body []byte) map[string]string {
	var of struct {
		Tags       map[string]string
		Properties struct {
			Color string
			Rooms int
			Rules []struct {
				Name string
				Port int
			}
		}
	}
	if err := json.Unmarshal(body, &of); err != nil {
		m.Fatal(err)
	}
	all := map[string]string{"spec.color": of.Properties.Color, "spec.rooms": fmt.Sprint(of.Properties.Rooms),
		"spec.tags.team": of.Tags["team"]}
	for _, r := range of.Properties.Rules {
		if r.Name == "web" {
			all["spec.rules[name=web].port"] = fmt.Sprint(r.Port)
		}
	}
	return all
}

// invariants checks that the condition names no path that no stranger has changed.
func (m *driftModel) invariants(*rapid.T) {
	for path := range m.told() {
		if _, changed := m.strange[path]; !changed {
			m.Fatalf("the condition says %q, and no stranger has changed %s", drifted(get[homes.House](m.w, "h")), path)
		}
	}
}

// told returns the paths that the condition names.
func (m *driftModel) told() map[string]bool {
	told := map[string]bool{}
	_, message, _ := strings.Cut(drifted(get[homes.House](m.w, "h")), " the resource in ARM: ")
	for part := range strings.SplitSeq(message, "; ") {
		if path, _, found := strings.Cut(part, " is "); found {
			told[path] = true
		}
	}
	return told
}

// finish lets the failures stop, but not the ways of the service, and compares what ARM has with what is told.
func (m *driftModel) finish() {
	m.w.crashAt = 0
	m.w.behave(armtest.Behavior{Seed: m.behavior.Seed, Rates: armtest.Rates{armtest.Normalizes: m.behavior.Rates[armtest.Normalizes]}})
	m.w.pass(5 * time.Hour)
	h := get[homes.House](m.w, "h")
	m.w.expect("in the end", h, "True Succeeded")
	body, _ := m.w.arm.Resource(houseID)
	has, told := m.has(body), m.told()
	f := h.Spec.Fields
	wants := map[string]string{"spec.color": *f.Color, "spec.rooms": fmt.Sprint(*f.Rooms), "spec.tags.team": f.Tags["team"],
		"spec.rules[name=web].port": fmt.Sprint(*f.Rules[0].Port)}
	for path, want := range wants {
		of := m.strange[path]
		isKnown := of.compared || m.record().Time.After(of.sent)
		switch is := has[path] != want; {
		case is && !told[path] && isKnown:
			m.Fatalf("ARM has %q at %s, the Spec says %q, and the condition says %q", has[path], path, want, drifted(h))
		case !is && told[path] && isKnown:
			m.Fatalf("ARM has %q at %s, as the Spec says, and the condition says %q", has[path], path, drifted(h))
		case is && isKnown && h.Annotations[annotation.Drift] == annotation.DriftCorrect:
			m.Fatalf("ARM has %q at %s, the Spec says %q, and nothing corrects it", has[path], path, want)
		}
	}
}
