package reconcile

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reconcile/internal/outputs"
	"github.com/armature-dev/armature/runtime/reference"
)

// TestExpressionsModel has a House with expressions. What they are made of comes, changes and goes: properties, a
// version that has one less, keys, an annotation, the Secrets and ConfigMaps themselves. Meanwhile ARM fails, and the
// operator stops. Nothing of a secret is ever where people see it, what somebody else has made stays as it is, and in
// the end each key has the present value, or none if there is none.
//
// ARMATURE_RUNS=10000 go test ./runtime/reconcile -run TestExpressionsModel runs ten thousand histories.
func TestExpressionsModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rates := armtest.AllFaults()
		if !rapid.Bool().Draw(t, "faults") {
			rates = nil
		}
		m := &expressionsModel{T: t, faults: rates != nil, had: map[string]map[string]bool{}, rooms: map[string]bool{}}
		m.w = newWorld(t, armtest.Behavior{Seed: rapid.Uint64().Draw(t, "seed"), Rates: rates})
		m.w.secret("pw", map[string]string{"k": "canary"})
		m.w.lag = rapid.SampledFrom([]time.Duration{0, 0, time.Millisecond, 3 * time.Second}).Draw(t, "lag")
		m.ask(t)
		t.Repeat(map[string]func(*rapid.T){
			"ask":    m.ask,
			"edit":   m.edit,
			"delete": m.delete,
			"rotate": func(*rapid.T) { m.w.arm.Rotate(houseID) },
			"meddle": m.meddle,
			"stop":   func(t *rapid.T) { m.w.crashAt = rapid.IntRange(1, 12).Draw(t, "after"); m.wait(t) },
			"wait":   m.wait,
			"":       m.invariants,
		})
		m.finish()
	})
}

// expressionsModel knows the values that keys have had, by the name of the Secret or ConfigMap and the key.
type expressionsModel struct {
	*rapid.T
	w      *world
	faults bool
	had    map[string]map[string]bool
	rooms  map[string]bool // that the House has had, of which ARM may still show older ones
}

// computed is what an expression should have: a text, nothing, or what it had before, as it does not compile.
type computed struct {
	text  string
	fails bool
	stays bool
}

var (
	fails = computed{fails: true}
	stays = computed{stays: true}
)

// formulas have a text for each key, and what it should have of a House, whose first key in ARM is key1. They may go
// into ConfigMaps only if they name no secret output.
var formulas = map[string]struct {
	text string
	want func(h *homes.House, key1 string, isSecret bool) computed
}{
	"rooms": {`string(self.spec.rooms) + "/" + string(outputs.rooms)`, func(h *homes.House, _ string, _ bool) computed {
		return computed{text: fmt.Sprintf("%d/%[1]d", *h.Spec.Fields.Rooms)}
	}},
	"part": {`string(12 / (self.spec.rooms - 3))`, func(h *homes.House, _ string, _ bool) computed {
		if *h.Spec.Fields.Rooms == 3 {
			return fails
		}
		return computed{text: fmt.Sprint(12 / (*h.Spec.Fields.Rooms - 3))}
	}},
	"color": {`self.spec.color`, func(h *homes.House, _ string, _ bool) computed {
		switch {
		case h.Annotations[annotation.APIVersion] == homes.V2019:
			return stays
		case h.Spec.Fields.Color == nil:
			return fails
		}
		return computed{text: *h.Spec.Fields.Color}
	}},
	"url": {`"https://" + secretOutputs.key1`, func(_ *homes.House, key1 string, isSecret bool) computed {
		if !isSecret {
			return stays
		}
		return computed{text: "https://" + key1}
	}},
	"missing": {`secretOutputs.key3`, func(_ *homes.House, _ string, isSecret bool) computed {
		return map[bool]computed{true: fails, false: stays}[isSecret]
	}},
	"quoted": {`string(int(secretOutputs.key1))`, func(_ *homes.House, _ string, isSecret bool) computed {
		return map[bool]computed{true: fails, false: stays}[isSecret]
	}},
	"mine": {`self.metadata.annotations[?"mine"].orValue("none")`, func(h *homes.House, _ string, _ bool) computed {
		if mine, found := h.Annotations["mine"]; found {
			return computed{text: mine}
		}
		return computed{text: "none"}
	}},
	"all":    {`json.encode(self) == "" ? "" : "all"`, func(*homes.House, string, bool) computed { return computed{text: "all"} }},
	"object": {`json.encode(self)`, nil},
	"wrong":  {`self.spec.rooms.`, func(*homes.House, string, bool) computed { return stays }},
}

func (m *expressionsModel) wait(t *rapid.T) {
	m.w.pass(rapid.SampledFrom([]time.Duration{time.Second, time.Minute, 2 * time.Hour}).Draw(t, "for"))
}

// containers are the names of the Secrets and ConfigMaps.
var containers = []string{"s-a", "s-b", "cm-a", "cm-b"}

// ask makes the House, or lets it ask for other expressions.
func (m *expressionsModel) ask(t *rapid.T) {
	all := map[string]reference.Expression{}
	for _, key := range slices.Sorted(maps.Keys(formulas)) {
		into := rapid.SampledFrom(append([]string{"", ""}, containers...)).Draw(t, key)
		e := reference.Expression{Secret: into, Key: key, Value: formulas[key].text}
		if strings.HasPrefix(into, "cm") {
			e.Secret, e.ConfigMap = "", into
		}
		if into != "" {
			all[key] = e
		}
	}
	h := get[homes.House](m.w, "h")
	switch {
	case h == nil:
		h = newHouse("h", 4)
		// What a deletion has left in ARM, when the operator stopped, is its own again.
		h.Annotations = map[string]string{annotation.Adopt: annotation.AdoptExact, annotation.Deletion: annotation.DeletionDelete}
		h.Spec.Fields.Password = &reference.Secret{Name: "pw", Key: "k"}
		h.Spec.Fields.OperatorSpec = &reference.OperatorSpec{Expressions: all}
		m.w.create(h)
	case h.DeletionTimestamp.IsZero():
		m.change(func(h *homes.House) { h.Spec.Fields.OperatorSpec = &reference.OperatorSpec{Expressions: all} })
	}
	m.note()
}

// delete deletes the House, if there is one.
func (m *expressionsModel) delete(*rapid.T) {
	if h := get[homes.House](m.w, "h"); h != nil {
		m.w.delete(h)
	}
}

// change changes the House, if there is one.
func (m *expressionsModel) change(how func(*homes.House)) {
	if h := get[homes.House](m.w, "h"); h != nil && h.DeletionTimestamp.IsZero() {
		edit(m.w, "h", func(h *homes.House) {
			if h.Annotations == nil {
				h.Annotations = map[string]string{}
			}
			how(h)
		})
	}
	m.note()
}

// edit changes what the expressions are made of.
func (m *expressionsModel) edit(t *rapid.T) {
	what := rapid.SampledFrom([]string{"rooms", "color", "no color", "version", "newest", "mine", "not mine"}).Draw(t, "what")
	rooms := rapid.Int64Range(1, 9).Draw(t, "rooms")
	m.change(func(h *homes.House) {
		switch what {
		case "rooms":
			h.Spec.Fields.Rooms = &rooms
		case "color":
			h.Spec.Fields.Color = p(fmt.Sprint("color", rooms))
			delete(h.Annotations, annotation.APIVersion) // the other version has no color
		case "no color":
			h.Spec.Fields.Color = nil
		case "version":
			h.Annotations[annotation.APIVersion], h.Spec.Fields.Color = homes.V2019, nil
		case "newest":
			delete(h.Annotations, annotation.APIVersion)
		case "mine":
			h.Annotations["mine"] = fmt.Sprint("mine", rooms)
		case "not mine":
			delete(h.Annotations, "mine")
		}
	})
}

// meddle deletes a Secret or a ConfigMap, changes it, or makes one where the operator would.
func (m *expressionsModel) meddle(t *rapid.T) {
	name := rapid.SampledFrom(containers).Draw(t, "name")
	object := m.container(name)
	switch how := rapid.SampledFrom([]string{"delete", "change", "make"}).Draw(t, "how"); {
	case how == "make" && object == nil:
		object = outputs.New(containerRef(name))
		outputs.SetData(object, map[string][]byte{"theirs": []byte("1")})
		m.w.create(object)
	case how == "delete" && object != nil:
		m.w.delete(object)
	case how == "change" && object != nil && !isTheirs(object):
		outputs.SetData(object, map[string][]byte{"rooms": []byte("x"), "more": []byte("y")})
		if err := m.w.store.Update(m.Context(), object); err != nil {
			m.Fatal(err)
		}
	}
}

// isTheirs reports whether somebody else has made a Secret or a ConfigMap.
func isTheirs(object ctrlclient.Object) bool { return len(outputs.Data(object)["theirs"]) > 0 }

func (m *expressionsModel) container(name string) ctrlclient.Object {
	return (&model{T: m.T, w: m.w}).container(name)
}

// note notes which values each key may have for the House as it is.
func (m *expressionsModel) note() {
	if h := get[homes.House](m.w, "h"); h != nil {
		m.rooms[fmt.Sprint(*h.Spec.Fields.Rooms)] = true
	}
	for at, v := range m.wanted() {
		if m.had[at] == nil {
			m.had[at] = map[string]bool{"x": true}
		}
		m.had[at][v.text] = true
	}
}

// wanted returns what the keys should have, by the name of the Secret or the ConfigMap and the key.
func (m *expressionsModel) wanted() map[string]computed {
	h := get[homes.House](m.w, "h")
	if h == nil || h.Spec.Fields.OperatorSpec == nil {
		return nil
	}
	all := map[string]computed{}
	for key, e := range h.Spec.Fields.OperatorSpec.Expressions {
		if want := formulas[key].want; want != nil {
			all[e.Secret+e.ConfigMap+"/"+key] = want(h, m.key1(h), e.Secret != "")
		}
	}
	return all
}

// key1 returns the first key that ARM has.
func (m *expressionsModel) key1(h *homes.House) string {
	version := "2020-02-02"
	if h.Annotations[annotation.APIVersion] == homes.V2019 {
		version = "2019-01-01"
	}
	answer, exists := m.w.arm.Answer(houseID, "listKeys", version).(map[string]any)
	if !exists {
		return ""
	}
	return answer["keys"].([]any)[0].(map[string]any)["value"].(string)
}

func (m *expressionsModel) invariants(*rapid.T) {
	if text := m.w.everything(); strings.Contains(text, "canary") {
		at := strings.Index(text, "canary")
		m.Fatalf("a secret is where people see it: %s", text[max(at-300, 0):min(at+100, len(text))])
	}
	if len(m.w.errors) > 0 {
		m.Fatalf("the operator failed: %q", m.w.errors)
	}
	for _, name := range containers {
		object := m.container(name)
		if object == nil {
			continue
		}
		data := outputs.Data(object)
		if isTheirs(object) && (len(data) != 1 || len(object.GetLabels()) > 0 || len(object.GetOwnerReferences()) > 0) {
			m.Fatalf("%s is somebody else's, and was changed: %q %v", name, data, object.GetLabels())
		}
		for key, value := range data {
			had := m.had[name+"/"+key]
			spec, shown, isPair := strings.Cut(string(value), "/")
			switch {
			case key == "url" || had == nil || had[string(value)] || key == "rooms" && isPair && m.rooms[spec] && m.rooms[shown]:
			default:
				m.Fatalf("the key %s of %s has %q, expected one of %v", key, name, value, had)
			}
		}
	}
}

// finish lets the failures stop, and looks at what each key has.
func (m *expressionsModel) finish() {
	w := m.w
	w.crashAt = 0
	w.behave(armtest.Behavior{})
	w.pass(3 * time.Hour)
	if m.faults || w.crashes > 0 {
		w.pass(24 * time.Hour) // what may still be made is waited for a day
	}
	if get[homes.House](w, "h") == nil {
		m.ask(m.T)
	}
	for _, name := range containers {
		if object := m.container(name); object != nil && isTheirs(object) {
			w.delete(object)
		}
	}
	w.pass(3 * time.Hour)
	m.invariants(m.T)
	h := get[homes.House](w, "h")
	found, isReady := map[string]string{}, true
	for _, name := range containers {
		if object := m.container(name); object != nil {
			for key, value := range outputs.Data(object) {
				found[name+"/"+key] = string(value)
			}
		}
	}
	for at, want := range m.wanted() {
		got, has := found[at]
		isReady = isReady && !want.fails && !want.stays
		if has && (want.fails || !want.stays && got != want.text) || !has && !want.fails && !want.stays {
			m.Fatalf("%s has %q, want %+v; the House: %s %q", at, got, want, ready(h), message(h))
		}
	}
	for at := range found {
		name, key, _ := strings.Cut(at, "/")
		if e, asked := h.Spec.Fields.OperatorSpec.Expressions[key]; !asked || e.Secret+e.ConfigMap != name {
			m.Fatalf("%s is there, and nobody asks for it", at)
		}
	}
	want := "True Succeeded"
	if !isReady {
		want = "False Expression"
	}
	if got := ready(h); !strings.HasPrefix(got, want) {
		m.Fatalf("in the end the House is %s %q, want %s", got, message(h), want)
	}
	w.delete(h)
	w.pass(3 * time.Hour)
	if left := w.contents(); len(left) > 0 {
		m.Fatalf("%q are left", left)
	}
}
