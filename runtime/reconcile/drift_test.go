package reconcile

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reference"
)

// drifted returns the message of the condition Drifted, or "" if it is not true.
func drifted(h *homes.House) string { return condition(h, Drifted) }

// TestKeptByARM takes properties out of Specs whose service changes only what a PUT has.
func TestKeptByARM(t *testing.T) {
	keeps := armtest.Behavior{Rates: armtest.Rates{armtest.KeepsProperties: 1}}
	// made returns a world with a house that is red.
	made := func(t *testing.T, b armtest.Behavior) *world {
		w := newWorld(t, b)
		h := newHouse("h", 3)
		h.Spec.Fields.Color = p("red")
		w.create(h)
		w.pass(time.Minute)
		w.expect("made", get[homes.House](w, "h"), "True Succeeded")
		return w
	}
	colorless := func(h *homes.House) { h.Spec.Fields.Color = nil }
	t.Run("the condition names what ARM keeps, also after a restart", func(t *testing.T) {
		w := made(t, keeps)
		edit(w, "h", colorless)
		for range 3 {
			w.pass(2 * time.Hour)
			h := get[homes.House](w, "h")
			w.expect("without its color", h, "True Succeeded")
			if !strings.HasPrefix(drifted(h), "ARM keeps spec.color, which the Spec no longer sets") {
				t.Fatalf("the condition says %q", drifted(h))
			}
			w.start()
		}
		if n := w.count("PUT", houseID); n != 2 {
			t.Errorf("ARM got %d PUTs", n)
		}
	})
	t.Run("also if the operator was stopped when it left the Spec", func(t *testing.T) {
		w := made(t, keeps)
		edit(w, "h", colorless)
		w.start()
		w.pass(time.Minute)
		if drifted(get[homes.House](w, "h")) == "" {
			t.Error("nothing is said")
		}
	})
	t.Run("another change does not hide it", func(t *testing.T) {
		w := made(t, keeps)
		edit(w, "h", colorless)
		w.pass(time.Minute)
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(7)) })
		w.pass(time.Minute)
		if drifted(get[homes.House](w, "h")) == "" {
			t.Error("nothing is said")
		}
	})
	t.Run("it ends when the Spec sets it again, or somebody takes it away in Azure", func(t *testing.T) {
		w := made(t, keeps)
		edit(w, "h", colorless)
		w.pass(time.Minute)
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Color = p("blue") })
		w.pass(time.Minute)
		if said := drifted(get[homes.House](w, "h")); said != "" {
			t.Errorf("set again: %s", said)
		}
		edit(w, "h", colorless)
		w.pass(time.Minute)
		if drifted(get[homes.House](w, "h")) == "" {
			t.Error("nothing is said")
		}
		w.behave(armtest.Behavior{})
		w.putInARM(houseID, `{"location":"westeurope","properties":{"rooms":3}}`)
		w.pass(2 * time.Hour)
		if said := drifted(get[homes.House](w, "h")); said != "" {
			t.Errorf("taken away: %s", said)
		}
	})
	t.Run("what the Spec never set is nothing that ARM keeps", func(t *testing.T) {
		w := newWorld(t, keeps)
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.putInARM(houseID, `{"location":"westeurope","properties":{"rooms":3,"color":"green"}}`)
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
		w.pass(2 * time.Hour)
		if said := drifted(get[homes.House](w, "h")); said != "" {
			t.Errorf("it says %s", said)
		}
	})
	t.Run("a service that takes what it is sent keeps nothing", func(t *testing.T) {
		w := made(t, armtest.Behavior{})
		edit(w, "h", colorless)
		w.pass(2 * time.Hour)
		if said := drifted(get[homes.House](w, "h")); said != "" {
			t.Errorf("it says %s", said)
		}
		if sent := get[homes.House](w, "h").Annotations[annotation.Sent]; len(sent) > 1000 {
			t.Errorf("the record has %d bytes", len(sent))
		}
	})
	t.Run("a PUT that was refused leaves the record as it was", func(t *testing.T) {
		w := made(t, keeps)
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms, h.Spec.Fields.Color = p(int64(1000)), nil })
		w.pass(time.Minute)
		w.start()
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
		w.pass(time.Minute)
		if drifted(get[homes.House](w, "h")) == "" {
			t.Error("nothing is said")
		}
	})
	t.Run("what ARM refused to take is nothing that it keeps", func(t *testing.T) {
		w := newWorld(t, keeps)
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.putInARM(houseID, `{"location":"westeurope","properties":{"rooms":3,"color":"green"}}`)
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms, h.Spec.Fields.Color = p(int64(1000)), p("red") })
		w.pass(time.Minute)
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms, h.Spec.Fields.Color = p(int64(4)), nil })
		w.pass(time.Minute)
		w.expect("mended", get[homes.House](w, "h"), "True Succeeded")
		if said := drifted(get[homes.House](w, "h")); said != "" {
			t.Errorf("it says %s", said)
		}
	})
}

// set returns a change of a property that somebody makes in ARM.
func set(name string, value any) func(map[string]any) {
	return func(body map[string]any) { body["properties"].(map[string]any)[name] = value }
}

// tag returns a change of a tag.
func tag(name, value string) func(map[string]any) {
	return func(body map[string]any) {
		tags, _ := body["tags"].(map[string]any)
		if tags == nil {
			tags = map[string]any{}
			body["tags"] = tags
		}
		if tags[name] = value; value == "" {
			delete(tags, name)
		}
	}
}

// holds checks that what ARM has of the house has a text.
func holds(t *testing.T, w *world, what, text string) {
	t.Helper()
	if body, _ := w.arm.Resource(houseID); !strings.Contains(string(body), text) {
		t.Errorf("%s: ARM has %s, want %s in it", what, body, text)
	}
}

// furnished returns a house with properties of all forms.
func furnished() *homes.House {
	h := newHouse("h", 3)
	h.Annotations = map[string]string{}
	h.Spec.Fields.Color, h.Spec.Fields.Location = p("red"), p("westeurope")
	h.Spec.Fields.Tags = map[string]string{"team": "shop"}
	h.Spec.Fields.Rules = []homes.Rule{{Name: "web", Port: p(int64(80))}, {Name: "tls", Port: p(int64(443))}}
	return h
}

func TestDrift(t *testing.T) {
	made := func(t *testing.T, b armtest.Behavior, annotations ...string) *world {
		w := newWorld(t, b)
		h := furnished()
		for i := 0; i < len(annotations); i += 2 {
			h.Annotations[annotations[i]] = annotations[i+1]
		}
		w.create(h)
		w.pass(5 * time.Minute)
		w.expect("made", get[homes.House](w, "h"), "True Succeeded")
		if said := drifted(get[homes.House](w, "h")); said != "" {
			t.Fatalf("at first: %s", said)
		}
		return w
	}
	puts := func(w *world) int { return w.count("PUT", houseID) }
	shows := func(t *testing.T, w *world, texts ...string) {
		t.Helper()
		h := get[homes.House](w, "h")
		w.expect("the object", h, "True Succeeded")
		for _, text := range texts {
			if !strings.Contains(drifted(h), text) {
				t.Errorf("the condition says %q, want %q in it", drifted(h), text)
			}
		}
		if len(texts) == 0 && drifted(h) != "" {
			t.Errorf("the condition says %q", drifted(h))
		}
	}
	t.Run("the condition says what ARM has and what the Spec says, an event once, a metric, and nothing is sent", func(t *testing.T) {
		w := made(t, armtest.Behavior{})
		before := w.reads
		w.changeInARM(houseID, set("color", "green"))
		w.pass(2 * time.Hour)
		shows(t, w, `somebody has changed the resource in ARM: spec.color is "green", the Spec says "red"`)
		w.start()
		w.pass(5 * time.Hour)
		shows(t, w, `spec.color is "green"`)
		if n := puts(w); n != 1 {
			t.Errorf("got %d PUTs", n)
		}
		events := 0
		for _, e := range w.events.all {
			if strings.Contains(e, "Warning "+ReasonChanged) {
				events++
			}
		}
		if events != 1 {
			t.Errorf("got %d events of %q", events, w.events.all)
		}
		w.changeInARM(houseID, set("rooms", json.Number("9")))
		w.pass(2 * time.Hour)
		if all := w.events.all; !strings.Contains(all[len(all)-1], "spec.rooms is 9") {
			t.Errorf("another change is no event: %q", all)
		}
		if all := w.gather(); !slices.Contains(all, "armature_drifted_objects homes.example.com House") {
			t.Errorf("there is no metric in %q", all)
		}
		if w.reads > before+2 {
			t.Errorf("%d reads", w.reads-before)
		}
	})
	t.Run("it costs no request: the GETs are those of the refresh", func(t *testing.T) {
		w := made(t, armtest.Behavior{})
		before := len(w.arm.Requests())
		w.pass(10 * time.Hour)
		if n := len(w.arm.Requests()) - before; n != 10 {
			t.Errorf("got %d requests in ten hours", n)
		}
	})
	t.Run("tags and elements that are new, changed or gone", func(t *testing.T) {
		w := made(t, armtest.Behavior{})
		w.changeInARM(houseID, tag("team", ""))
		w.changeInARM(houseID, tag("cost, center", "7"))
		w.changeInARM(houseID, set("rules", []any{
			map[string]any{"name": "tls", "port": json.Number("444")}, map[string]any{"name": "ssh"}}))
		w.pass(2 * time.Hour)
		shows(t, w, `spec.rules[name=ssh] is {"name":"ssh"}, which the Spec does not have`,
			`spec.rules[name=tls].port is 444, the Spec says 443`, `spec.rules[name=web] is gone`,
			`spec.tags["cost, center"] is "7", which the Spec does not have`,
			`spec.tags.team is gone, the Spec says "shop"`)
	})
	t.Run("it ends when somebody sets it back, or the Spec is sent", func(t *testing.T) {
		w := made(t, armtest.Behavior{})
		w.changeInARM(houseID, set("color", "green"))
		w.pass(2 * time.Hour)
		shows(t, w, "spec.color")
		w.changeInARM(houseID, set("color", "red"))
		w.pass(2 * time.Hour)
		shows(t, w)
		w.changeInARM(houseID, set("color", "green"))
		w.pass(2 * time.Hour)
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
		w.pass(time.Minute)
		shows(t, w)
	})
	t.Run("who was the last to change it", func(t *testing.T) {
		w := made(t, armtest.Behavior{Rates: armtest.Rates{armtest.SystemData: 1}})
		w.changeInARM(houseID, set("color", "green"))
		w.pass(2 * time.Hour)
		shows(t, w, "eve@example.com was the last to change the resource in ARM: spec.color")
	})
	t.Run("the ways of a service are no drift, and what somebody changes there is told without what it was", func(t *testing.T) {
		for seed := range uint64(20) {
			w := made(t, armtest.Behavior{Seed: seed, Lag: 4 * time.Second, Rates: armtest.Rates{
				armtest.Normalizes: 1, armtest.OtherSpelling: .5, armtest.SpelledLocation: .5, armtest.OtherCase: .5, armtest.LateChange: 1,
				armtest.NotEchoed: 1, armtest.ShowsState: 1, armtest.SystemData: .5, armtest.AsyncOperation: .5}})
			for i := range 5 {
				w.pass(2 * time.Hour)
				shows(t, w)
				edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4 + i)) })
				w.pass(5 * time.Minute)
				shows(t, w)
			}
			w.changeInARM(houseID, set("color", "green"))
			w.pass(2 * time.Hour)
			shows(t, w, `spec.color is "Green", what it was is not kept`)
			w.changeInARM(houseID, set("color", "red"))
			w.changeInARM(houseID, tag("team", "x"))
			w.pass(2 * time.Hour)
			shows(t, w, `: spec.tags.team is "x", the Spec says "shop"`)
		}
	})
	t.Run("what ARM shows late is not taken for the way of a service", func(t *testing.T) {
		w := made(t, armtest.Behavior{Lag: 4 * time.Second, Rates: armtest.Rates{armtest.LateChange: 1}})
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Color = p("pink") })
		w.pass(time.Minute)
		w.changeInARM(houseID, set("color", "red"))
		w.pass(2 * time.Hour)
		shows(t, w, `spec.color is "red", the Spec says "pink"`)
	})
	t.Run("what a service does not show is no drift", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.arm.Behave(armtest.Behavior{Rates: armtest.Rates{armtest.NotEchoed: 1}, WriteOnly: []string{"color", "rules"},
			Now: func() time.Time { return w.now }})
		w.create(furnished())
		w.pass(5 * time.Hour)
		shows(t, w)
	})
	t.Run("what has another type in ARM's answer is no drift", func(t *testing.T) {
		w := made(t, armtest.Behavior{})
		w.arm.Misfit(houseID, "rooms", "three")
		w.changeInARM(houseID, set("color", "green"))
		w.pass(2 * time.Hour)
		shows(t, w, `ARM: spec.color is "green", the Spec says "red"`)
		if said := drifted(get[homes.House](w, "h")); strings.Contains(said, "rooms") {
			t.Errorf("it says %s", said)
		}
	})
	t.Run("what may be a secret by its name is not shown", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		h := furnished()
		h.Spec.Fields.Tags = map[string]string{"adminPassword": "canary-1", "a": "1"}
		w.create(h)
		w.pass(time.Minute)
		w.changeInARM(houseID, tag("adminPassword", "canary-2"))
		w.changeInARM(houseID, tag("accessKey", "canary-3"))
		w.pass(2 * time.Hour)
		shows(t, w, "spec.tags.accessKey is otherwise, and is not shown; spec.tags.adminPassword is otherwise, and is not shown")
		if said := drifted(get[homes.House](w, "h")); strings.Contains(said, "canary") {
			t.Errorf("it says %s", said)
		}
	})
	t.Run("at most ten changes, and how many others there are", func(t *testing.T) {
		w := made(t, armtest.Behavior{})
		for i := range 15 {
			w.changeInARM(houseID, tag(fmt.Sprintf("t%02d", i), strings.Repeat("x", 1000)))
		}
		w.pass(2 * time.Hour)
		shows(t, w, "spec.tags.t09", "; 5 more")
		if said := drifted(get[homes.House](w, "h")); len(said) > 3000 || strings.Contains(said, "t10") {
			t.Errorf("it says %s", said)
		}
	})
	t.Run("a child that is listed, and none that somebody adds", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		g := newGarden(3)
		g.Spec.Fields.Plants = []homes.InlinePlant{{Name: "fern", Rooms: p(int64(1))}, {Name: "oak"}}
		w.create(g)
		w.pass(time.Minute)
		w.putInARM(plantID("moss"), `{"properties":{"rooms":9}}`)
		w.pass(2 * time.Hour)
		if said := condition(get[homes.Garden](w, "g"), Drifted); said != "" {
			t.Errorf("one that somebody adds: %s", said)
		}
		w.putInARM(plantID("fern"), `{"properties":{"rooms":5}}`)
		w.arm.Remove(plantID("oak"))
		w.pass(2 * time.Hour)
		said := condition(get[homes.Garden](w, "g"), Drifted)
		for _, want := range []string{"spec.plants[name=fern].rooms is 5, the Spec says 1", "spec.plants[name=oak] is gone"} {
			if !strings.Contains(said, want) {
				t.Errorf("it says %q, want %q in it", said, want)
			}
		}
	})
	t.Run("without an answer after the PUT nothing is told until there is one", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.replies = func(method, _ string) (int, string) {
			if method == "GET" && w.count("PUT", houseID) > 0 {
				return 403, "AuthorizationFailed"
			}
			return 0, ""
		}
		w.create(furnished())
		w.pass(time.Second)
		h := get[homes.House](w, "h")
		w.expect("made", h, "True Succeeded")
		all := *kinds.ConditionsOf(h)
		if c := meta.FindStatusCondition(all, Drifted); c == nil || c.Status != metav1.ConditionUnknown || c.Reason != ReasonNoBaseline {
			t.Errorf("the conditions are %v", all)
		}
		w.replies = nil
		w.pass(2 * time.Hour)
		if all := *kinds.ConditionsOf(get[homes.House](w, "h")); meta.FindStatusCondition(all, Drifted) != nil {
			t.Errorf("afterwards the conditions are %v", all)
		}
		w.changeInARM(houseID, set("color", "green"))
		w.pass(2 * time.Hour)
		shows(t, w, "spec.color")
	})
	t.Run("a stop between PUT and baseline costs at most one PUT, at each step", func(t *testing.T) {
		for at := 1; at < 20; at++ {
			w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.Normalizes: 1}})
			w.crashAt = at
			w.create(furnished())
			w.pass(10 * time.Minute)
			w.start()
			w.pass(2 * time.Hour)
			shows(t, w)
			if n := puts(w); n > 2 {
				t.Errorf("stopped after %d calls, ARM got %d PUTs", at, n)
			}
			w.changeInARM(houseID, set("rooms", json.Number("9")))
			w.pass(2 * time.Hour)
			shows(t, w, "spec.rooms is 9, the Spec says 3")
		}
	})
	t.Run("with correct, it is sent once more, and what the service does not take is not sent again and again", func(t *testing.T) {
		w := made(t, armtest.Behavior{}, annotation.Drift, annotation.DriftCorrect)
		w.changeInARM(houseID, set("color", "green"))
		w.pass(2 * time.Hour)
		shows(t, w)
		holds(t, w, "corrected", `"color":"red"`)
		if n := puts(w); n != 2 {
			t.Errorf("got %d PUTs", n)
		}
		w.arm.Stick(houseID, "color")
		w.changeInARM(houseID, set("color", "blue"))
		w.pass(20 * time.Hour)
		shows(t, w, `spec.color is "blue"`)
		if n := puts(w); n != 3 {
			t.Errorf("got %d PUTs", n)
		}
	})
	t.Run("after three corrections in an hour, it stops and says who changes it", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.SystemData: 1}})
		w.options.Refresh = 5 * time.Minute
		w.start()
		h := furnished()
		h.Annotations[annotation.Drift] = annotation.DriftCorrect
		w.create(h)
		w.pass(time.Minute)
		for range 8 {
			w.changeInARM(houseID, set("color", "green"))
			w.pass(6 * time.Minute)
		}
		if n := puts(w); n != 4 {
			t.Errorf("got %d PUTs", n)
		}
		h = get[homes.House](w, "h")
		w.expect("contested", h, "False ChangedAgain", "eve@example.com has changed spec.color in ARM again after 3 corrections")
		if condition(h, Stalled) == "" {
			t.Error("it is not stalled")
		}
		w.pass(time.Hour)
		shows(t, w)
		holds(t, w, "corrected", `"color":"red"`)
	})
	t.Run("a change of the annotation counts at once", func(t *testing.T) {
		w := made(t, armtest.Behavior{})
		w.changeInARM(houseID, set("color", "green"))
		w.pass(2 * time.Hour)
		annotate := func(value string) {
			edit(w, "h", func(h *homes.House) { h.Annotations[annotation.Drift] = value })
			w.pass(time.Second)
		}
		annotate(annotation.DriftIgnore)
		shows(t, w)
		annotate(annotation.DriftReport)
		shows(t, w, "spec.color")
		annotate(annotation.DriftCorrect)
		shows(t, w)
		holds(t, w, "corrected", `"color":"red"`)
	})
	t.Run("the annotation refresh lets the resource be read once", func(t *testing.T) {
		w := made(t, armtest.Behavior{})
		w.changeInARM(houseID, set("color", "green"))
		before := len(w.arm.Requests())
		edit(w, "h", func(h *homes.House) { h.Annotations[annotation.Refresh] = "2026-01-01T00:10:00Z" })
		w.pass(time.Minute)
		shows(t, w, "spec.color")
		if n := len(w.arm.Requests()) - before; n != 1 {
			t.Errorf("got %d requests", n)
		}
	})
	t.Run("a correction waits for ARM's limits, and the object stays ready", func(t *testing.T) {
		w := made(t, armtest.Behavior{}, annotation.Drift, annotation.DriftCorrect)
		w.changeInARM(houseID, set("color", "green"))
		w.replies = func(method, _ string) (int, string) {
			if method == "PUT" {
				return 429, "SubscriptionRequestsThrottled"
			}
			return 0, ""
		}
		w.pass(2 * time.Hour)
		w.replies = nil
		w.pass(2 * time.Hour)
		shows(t, w)
		holds(t, w, "corrected", `"color":"red"`)
	})
	t.Run("with correct, a list that ARM keeps becomes empty", func(t *testing.T) {
		w := made(t, armtest.Behavior{Rates: armtest.Rates{armtest.KeepsProperties: 1}}, annotation.Drift, annotation.DriftCorrect)
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rules, h.Spec.Fields.Color = nil, nil })
		w.pass(2 * time.Hour)
		shows(t, w, "ARM keeps spec.color, which the Spec no longer sets")
		holds(t, w, "cleared", `"rules":[]`)
		before := puts(w)
		w.pass(20 * time.Hour)
		if n := puts(w) - before; n != 0 {
			t.Errorf("got %d PUTs afterwards", n)
		}
	})
	t.Run("an object that is only looked at has no drift", func(t *testing.T) {
		w := made(t, armtest.Behavior{})
		w.changeInARM(houseID, set("color", "green"))
		w.pass(2 * time.Hour)
		edit(w, "h", func(h *homes.House) { h.Annotations[annotation.Adopt] = annotation.AdoptObserve })
		w.pass(5 * time.Hour)
		shows(t, w)
	})
}

// TestIgnore lets somebody else manage properties in ARM.
func TestIgnore(t *testing.T) {
	const paths = `spec.rules[name=web].port, spec.tags["cost"]`
	made := func(t *testing.T, b armtest.Behavior) *world {
		w := newWorld(t, b)
		h := furnished()
		h.Annotations[annotation.Ignore] = paths
		w.create(h)
		w.pass(time.Minute)
		w.expect("made", get[homes.House](w, "h"), "True Succeeded")
		w.changeInARM(houseID, set("rules", []any{map[string]any{"name": "web", "port": json.Number("8080")},
			map[string]any{"name": "tls", "port": json.Number("443")}}))
		w.changeInARM(houseID, tag("cost", "7"))
		return w
	}
	t.Run("what it manages is no drift and costs no PUT, and a PUT takes what ARM has", func(t *testing.T) {
		w := made(t, armtest.Behavior{})
		w.pass(5 * time.Hour)
		if said := drifted(get[homes.House](w, "h")); said != "" || w.count("PUT", houseID) != 1 {
			t.Errorf("the condition says %q, and ARM got %d PUTs", said, w.count("PUT", houseID))
		}
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
		w.pass(time.Minute)
		holds(t, w, "the port", `"port":8080`)
		holds(t, w, "the tag", `"cost":"7"`)
		holds(t, w, "the rooms", `"rooms":4`)
		w.changeInARM(houseID, set("rooms", json.Number("9")))
		w.pass(2 * time.Hour)
		if said := drifted(get[homes.House](w, "h")); !strings.Contains(said, "spec.rooms is 9") {
			t.Errorf("the condition says %q", said)
		}
	})
	t.Run("a change between GET and PUT is not lost", func(t *testing.T) {
		w := made(t, armtest.Behavior{})
		changed := false
		w.asked = func(method, _ string) {
			if method == "PUT" && !changed {
				changed = true
				w.changeInARM(houseID, tag("cost", "8"))
			}
		}
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
		w.pass(time.Hour)
		holds(t, w, "the tag", `"cost":"8"`)
		holds(t, w, "the rooms", `"rooms":4`)
	})
	t.Run("a service without ETags is named", func(t *testing.T) {
		w := made(t, armtest.Behavior{Rates: armtest.Rates{armtest.NoETag: 1}})
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
		w.pass(time.Minute)
		if all := strings.Join(w.events.all, "\n"); !strings.Contains(all, "Warning NoETag: ARM shows no ETag of "+houseID) {
			t.Errorf("got %s", all)
		}
	})
	t.Run("a path that names nothing sends nothing", func(t *testing.T) {
		for path, want := range map[string]string{
			"spec.colour":                    "found no property colour in spec, expected a name such as color",
			"spec.tags[":                     "in the path spec.tags[: found the end",
			"spec.password, spec.owner.name": "spec.password is a secret, which ARM does not show; spec.owner.name is not sent to ARM",
		} {
			w := newWorld(t, armtest.Behavior{})
			h := furnished()
			h.Annotations[annotation.Ignore] = path
			w.create(h)
			w.pass(time.Minute)
			w.expect(path, get[homes.House](w, "h"), "False InvalidPolicy", want, annotation.Ignore+" at version 2020-02-02")
			if n := len(w.arm.Requests()); n != 0 {
				t.Errorf("%s: ARM got %d requests", path, n)
			}
		}
	})
	t.Run("what ARM has there may reach no further than the namespace", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		h := furnished()
		h.Spec.Fields.StreetReference = &reference.Resource{ARMID: group + "/providers/Contoso.Homes/streets/s"}
		h.Annotations[annotation.Ignore] = "spec.streetReference"
		w.create(h)
		w.limitTo(group)
		w.pass(time.Minute)
		w.expect("made", get[homes.House](w, "h"), "True Succeeded")
		w.changeInARM(houseID, set("streetId", "/subscriptions/s/resourceGroups/other/providers/Contoso.Homes/streets/s"))
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
		w.pass(time.Minute)
		w.expect("outside", get[homes.House](w, "h"), "False OutsideScopes", "resourceGroups/other")
	})
}
