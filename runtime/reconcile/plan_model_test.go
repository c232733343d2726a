package reconcile

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
)

// TestPlanModel lets users act in any order, and then plans and lets the operator work. What it sends is what was
// foretold, no more and no less, by method, id, API version and body. Without the keys of records that holds but for
// the objects of which the plan says that it cannot know.
func TestPlanModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &planModel{newModel(t, nil)}
		m.w.lag = 0
		rates := armtest.Rates{armtest.MissingParent: 1}
		if rapid.Bool().Draw(t, "normalizes") {
			rates[armtest.Normalizes] = 1
		}
		m.w.behave(armtest.Behavior{Rates: rates})
		m.rooms = []int64{1, 2, 3}
		t.Repeat(map[string]func(*rapid.T){
			"create":      m.create,
			"edit":        m.edit,
			"delete":      m.delete,
			"policy":      m.policy,
			"password":    m.password,
			"lost in ARM": m.lose,
			"stranger":    m.stranger,
			"outputs":     m.outputs,
			"wait":        m.wait,
			"plan":        m.plan,
			"restart":     func(*rapid.T) { m.w.start() },
		})
		m.plan(t)
	})
}

type planModel struct{ *model }

// lose takes a resource away in ARM. When it is made again, whether what ARM makes with it is still missed depends on
// when each was read, so that is not taken with it.
func (m *planModel) lose(t *rapid.T) {
	if m.object("Deal x") != nil {
		t.Skip("ARM makes it with its house")
	}
	m.lost(t)
}

// stranger changes a resource in ARM.
func (m *planModel) stranger(t *rapid.T) {
	ids := m.w.arm.IDs()
	if len(ids) == 0 {
		t.Skip("ARM has nothing")
	}
	m.w.arm.Change(rapid.SampledFrom(ids).Draw(t, "id"), "eve", func(body map[string]any) {
		if properties, is := body["properties"].(map[string]any); is {
			properties["color"] = "green"
		}
	})
}

func (m *planModel) plan(t *rapid.T) {
	var files []ctrlclient.Object
	if rapid.Bool().Draw(t, "file") {
		_, r := m.draw(t, true)
		before := specOf(r)
		if m.randomize(t, r); specOf(r) != before {
			r.SetGeneration(r.GetGeneration() + 1)
		}
		files = append(files, r)
	}
	exact, keyless := m.w.plan(planned{files: files}), m.w.plan(planned{files: files, keyless: true})
	for _, f := range files {
		if err := m.w.store.Update(t.Context(), f); err != nil {
			m.Fatalf("%v", err)
		}
	}
	asked := len(m.w.arm.Requests())
	before := map[string]kinds.Resource{}
	m.w.each(func(k *kinds.Kind, object kinds.Resource) { before[k.Kind+" "+object.GetName()] = object })
	m.w.start() // so that it reads everything
	m.w.pass(3 * time.Hour)
	sent := map[string]bool{}
	for _, r := range m.w.arm.Requests()[asked:] {
		if r.Method == http.MethodPut || r.Method == http.MethodDelete {
			sent[requestLine(r.Method, r.ID, r.APIVersion, r.Body)] = true
		}
	}
	m.compare("with the keys", exact, sent)
	m.compare("without the keys", keyless, sent)
}

// requestLine returns what two requests have in common that do the same.
func requestLine(method, id, version string, body []byte) string {
	var value any
	if err := json.Unmarshal(body, &value); err == nil {
		body, _ = json.Marshal(value) // whose members are in order
	}
	return strings.ToLower(fmt.Sprintf("%s %s?%s ", method, id, version)) + string(body)
}

// compare compares what was foretold with what was sent.
func (m *planModel) compare(what string, plan map[string]*Foretold, sent map[string]bool) {
	foretold, unsure := map[string]bool{}, map[string]bool{}
	for _, f := range plan {
		for _, r := range f.Requests {
			foretold[requestLine(r.Method, r.ID, r.APIVersion, r.sent)] = true
		}
		if f.Maybe != "" {
			unsure[strings.ToLower(f.ID)] = true
		}
	}
	isUnsure := func(request string) bool {
		id, _, _ := strings.Cut(request[strings.Index(request, " ")+1:], "?")
		return unsure[id]
	}
	var wrong []string
	for r := range sent {
		if !foretold[r] && !isUnsure(r) {
			wrong = append(wrong, "not foretold: "+r)
		}
	}
	for r := range foretold {
		if !sent[r] && !isUnsure(r) {
			wrong = append(wrong, "not sent: "+r)
		}
	}
	if slices.Sort(wrong); len(wrong) > 0 {
		var all []string
		for name, f := range plan {
			all = append(all, fmt.Sprintf("%s: %v %s", name, f, f.Message))
		}
		slices.Sort(all)
		m.Fatalf("%s:\n%s\nthe plan:\n%s\nthe objects:\n%s", what, strings.Join(wrong, "\n"), strings.Join(all, "\n"), m.states())
	}
}

// states describes the objects.
func (m *planModel) states() string {
	var all []string
	m.w.each(func(k *kinds.Kind, object kinds.Resource) {
		all = append(all, fmt.Sprintf("%s %s: %s %s", k.Kind, object.GetName(), ready(object), message(object)))
	})
	return strings.Join(all, "\n")
}
