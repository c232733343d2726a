package reconcile

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reference"
)

const gardenID = group + "/providers/Contoso.Homes/gardens/g"

func plantID(name string) string { return gardenID + "/plants/" + name }

// newGarden returns the Garden g, which lists plants with one room each.
func newGarden(rooms int64, plants ...string) *homes.Garden {
	g := &homes.Garden{ObjectMeta: objectMeta("g")}
	g.Spec.Fields.Owner, g.Spec.Fields.Rooms = &reference.Owner{ARMID: group}, &rooms
	g.Spec.Fields.Plants = listOf(plants...)
	return g
}

func listOf(names ...string) (all []homes.InlinePlant) {
	for _, n := range names {
		all = append(all, homes.InlinePlant{Name: n, Rooms: p(int64(1))})
	}
	return all
}

// newPlant returns a Plant of the Garden g.
func newPlant(name string, rooms int64) *homes.Plant {
	o := &homes.Plant{ObjectMeta: objectMeta(name)}
	o.Spec.Fields.Owner, o.Spec.Fields.Rooms = &reference.Owner{Name: "g"}, &rooms
	return o
}

func list(names ...string) func(*homes.Garden) {
	return func(g *homes.Garden) { g.Spec.Fields.Plants = listOf(names...) }
}

// complete declares the list of the Spec complete.
func complete(g *homes.Garden) {
	g.Spec.Fields.OperatorSpec = &reference.OperatorSpec{InlineChildren: reference.InlineComplete}
}

// TestFamily has a parent whose PUT deletes the children that are not in it.
func TestFamily(t *testing.T) {
	// garden returns a world with a Garden that lists one plant, two that are objects, and
	// one that somebody else has made.
	garden := func(t *testing.T, behavior armtest.Behavior) *world {
		w := newWorld(t, behavior)
		w.create(newGarden(1, "inline"))
		w.secret("s", map[string]string{"k": "canary"})
		a := newPlant("a", 2)
		a.Spec.Fields.Password = &reference.Secret{Name: "s", Key: "k"}
		w.create(a)
		b := newPlant("b", 3)
		b.Spec.Fields.Color = p("red")
		w.create(b)
		w.pass(5 * time.Minute)
		w.putInARM(plantID("stranger"), `{"properties":{"rooms":9}}`)
		return w
	}
	whole := func(w *world, what string) {
		w.Helper()
		w.has(what, plantID("a"), `{"password":"canary","rooms":2}`)
		w.has(what, plantID("b"), `{"color":"red","rooms":3}`)
		for _, name := range []string{"a", "b"} {
			w.expect(what, get[homes.Plant](w, name), "True Succeeded")
		}
	}
	change := func(w *world) { edit(w, "g", func(g *homes.Garden) { g.Spec.Fields.Rooms = p(int64(5)) }) }
	for _, behavior := range []armtest.Behavior{
		{}, {Rates: armtest.Rates{armtest.NotEchoed: 1}}, {Rates: armtest.Rates{armtest.AsyncOperation: 1, armtest.Busy: 1}},
	} {
		t.Run(fmt.Sprint("a change of the parent takes no child away ", behavior.Rates), func(t *testing.T) {
			w := garden(t, behavior)
			change(w)
			w.pass(10 * time.Minute)
			whole(w, "after the change")
			w.has("that of somebody else", plantID("stranger"), `{"rooms":9}`)
			w.has("that of the list", plantID("inline"), `{"rooms":1}`)
		})
	}
	t.Run("nor does a parent that is corrected", func(t *testing.T) {
		w := garden(t, armtest.Behavior{})
		edit(w, "g", func(g *homes.Garden) { g.Annotations[annotation.Drift] = annotation.DriftCorrect })
		before := w.count("PUT", gardenID)
		for i := range 2 {
			w.changeInARM(gardenID, func(body map[string]any) { body["properties"].(map[string]any)["rooms"] = 50 + i })
			w.pass(2 * time.Hour)
		}
		whole(w, "after it was corrected")
		if n := w.count("PUT", gardenID) - before; n != 2 {
			t.Errorf("got %d PUTs of the parent", n)
		}
	})
	t.Run("nor do operators side by side, or one that has lost its keys", func(t *testing.T) {
		w := garden(t, armtest.Behavior{})
		w.delete(getIn[corev1.Secret](w, w.op.keys.Secret))
		w.start()
		change(w)
		w.pass(10 * time.Minute)
		whole(w, "after the keys were lost")
		w.has("that of somebody else", plantID("stranger"), `{"rooms":9}`)
	})
	t.Run("what the parent's version cannot say of a child is sent again", func(t *testing.T) {
		w := garden(t, armtest.Behavior{})
		edit(w, "g", func(g *homes.Garden) {
			g.Annotations[annotation.APIVersion], g.Spec.Fields.Rooms = homes.V2019, p(int64(6))
		})
		w.pass(10 * time.Minute)
		whole(w, "after a PUT at a version without colors")
	})
	t.Run("what a list drops is deleted, and nothing else", func(t *testing.T) {
		w := garden(t, armtest.Behavior{})
		edit(w, "g", list("next"))
		w.pass(time.Minute)
		w.has("dropped", plantID("inline"), "")
		w.has("listed", plantID("next"), `{"rooms":1}`)
		w.has("that of somebody else", plantID("stranger"), `{"rooms":9}`)
		edit(w, "g", list())
		w.start()
		w.pass(time.Minute)
		w.has("the last one dropped", plantID("next"), "")
		w.has("that of somebody else", plantID("stranger"), `{"rooms":9}`)
		whole(w, "after that")
	})
	t.Run("a version that keeps what is not listed deletes what is dropped", func(t *testing.T) {
		w := garden(t, armtest.Behavior{})
		w.arm.Keep("2020-02-02")
		edit(w, "g", list())
		w.pass(time.Minute)
		w.has("dropped", plantID("inline"), "")
		whole(w, "after that")
	})
	t.Run("a list that is complete leaves only objects besides", func(t *testing.T) {
		w := garden(t, armtest.Behavior{})
		edit(w, "g", complete)
		w.pass(time.Minute)
		w.has("that of somebody else", plantID("stranger"), "")
		w.has("that of the list", plantID("inline"), `{"rooms":1}`)
		whole(w, "after that")
	})
	t.Run("a child is not both listed and an object", func(t *testing.T) {
		w := garden(t, armtest.Behavior{})
		edit(w, "g", list("inline", "A"))
		w.pass(time.Minute)
		w.expect("the parent", get[homes.Garden](w, "g"), "False ListedTwice", `"a"`, "properties/plants", "Plant shop/a")
		w.enqueue(refOf(w, get[homes.Plant](w, "a")), w.now)
		w.pass(time.Minute)
		w.expect("the child", get[homes.Plant](w, "a"), "False ListedTwice", "Garden shop/g", "properties/plants")
		w.create(newPlant("inline", 4))
		edit(w, "g", list("inline"))
		w.pass(time.Minute)
		w.expect("a later child", get[homes.Plant](w, "inline"), "False ListedTwice", "Garden shop/g")
		w.expect("and the parent", get[homes.Garden](w, "g"), "False ListedTwice", "Plant shop/inline")
		w.has("untouched", plantID("inline"), `{"rooms":1}`)
		edit(w, "g", list())
		w.pass(10 * time.Minute)
		w.has("it moves to the object", plantID("inline"), `{"rooms":4}`)
		w.expect("which is ready", get[homes.Plant](w, "inline"), "True Succeeded")
		for _, r := range w.arm.Requests() {
			if r.Method == "PUT" && r.ID == gardenID && !strings.Contains(string(r.Body), `"inline"`) {
				t.Errorf("it was gone meanwhile: %s", r.Body)
			}
		}
		whole(w, "the others")
	})
	t.Run("a child that is deleted does not come back with its parent", func(t *testing.T) {
		for _, rates := range []armtest.Rates{nil, {armtest.AsyncOperation: 1}, {armtest.LocationOperation: 1}} {
			w := garden(t, armtest.Behavior{Rates: rates})
			w.delete(get[homes.Plant](w, "a"))
			change(w)
			w.pass(10 * time.Minute)
			w.has(fmt.Sprint(rates), plantID("a"), "")
			if get[homes.Plant](w, "a") != nil {
				t.Errorf("%v: the object stays", rates)
			}
		}
	})
	t.Run("nor one that is deleted between the parent's read and its PUT", func(t *testing.T) {
		w := garden(t, armtest.Behavior{Rates: armtest.Rates{armtest.NoETag: 1}})
		child := refOf(w, get[homes.Plant](w, "a"))
		change(w)
		w.asked = func(method, path string) {
			if method != "PUT" || path != gardenID {
				return
			}
			w.asked = nil
			w.delete(get[homes.Plant](w, "a"))
			w.flush()
			_, err := w.op.reconcile(t.Context(), w.op.kinds.ByName[child.GroupKind], child.NamespacedName)
			if n := w.count("DELETE", plantID("a")); err != nil || n != 0 {
				t.Errorf("got %d DELETEs, and %v", n, err)
			}
			w.enqueue(child, w.now.Add(time.Minute))
		}
		w.pass(10 * time.Minute)
		w.has("deleted", plantID("a"), "")
		if get[homes.Plant](w, "a") != nil {
			t.Error("the object stays")
		}
	})
	t.Run("what a stranger makes between the parent's read and its PUT stays", func(t *testing.T) {
		w := garden(t, armtest.Behavior{})
		change(w)
		w.answered = func(method, path string) {
			if method == "GET" && path == gardenID {
				w.answered = nil
				w.putInARM(plantID("late"), `{"properties":{"rooms":8}}`)
			}
		}
		w.pass(10 * time.Minute)
		w.has("late", plantID("late"), `{"rooms":8}`)
		w.expect("the parent", get[homes.Garden](w, "g"), "True Succeeded")
		whole(w, "after that")
	})
	t.Run("a parent waits rather than take the secret of a child away", func(t *testing.T) {
		w := garden(t, armtest.Behavior{Rates: armtest.Rates{armtest.NotEchoed: 1}})
		w.delete(get[corev1.Secret](w, "s"))
		change(w)
		w.pass(10 * time.Minute)
		w.has("without the Secret", plantID("a"), `{"password":"canary","rooms":2}`)
		w.expect("the parent", get[homes.Garden](w, "g"), "False SecretMissing", "Plant shop/a", "Secret shop/s")
		w.secret("s", map[string]string{"k": "canary-2"})
		w.pass(10 * time.Minute)
		w.has("with it", plantID("a"), `{"password":"canary-2","rooms":2}`)
		w.expect("the parent", get[homes.Garden](w, "g"), "True Succeeded")
	})
	t.Run("two operators side by side take no child away, and send nothing again", func(t *testing.T) {
		w := garden(t, armtest.Behavior{})
		before := w.count("PUT", "")
		for i := range 6 { // each with keys of its own
			w.options.Namespace = []string{"operator", "operator-2"}[i%2]
			w.start()
			w.pass(2 * time.Hour)
		}
		if n := w.count("PUT", "") - before; n != 0 {
			t.Errorf("got %d PUTs without a change", n)
		}
		for i := range 6 {
			w.options.Namespace = []string{"operator", "operator-2"}[i%2]
			w.start()
			edit(w, "g", func(g *homes.Garden) { g.Spec.Fields.Rooms = p(int64(10 + i)) })
			w.pass(10 * time.Minute)
			whole(w, "after the change of either")
			w.has("that of somebody else", plantID("stranger"), `{"rooms":9}`)
		}
	})
	t.Run("what others have changed of a child stays, also if it speaks another version", func(t *testing.T) {
		for _, version := range []string{homes.V2020, homes.V2019} {
			for _, stopped := range []bool{false, true} {
				w := garden(t, armtest.Behavior{})
				if version == homes.V2020 { // as the children
					w.putInARM(plantID("a"), `{"properties":{"rooms":7,"password":"canary"}}`)
				}
				puts := w.count("PUT", plantID("a"))
				edit(w, "g", func(g *homes.Garden) {
					g.Annotations[annotation.APIVersion], g.Spec.Fields.Rooms = version, p(int64(6))
				})
				w.putInARM(plantID("b"), `{"properties":{"rooms":8,"color":"red"}}`)
				if stopped {
					w.crashAt = 6 // after the PUT
				}
				w.pass(10 * time.Minute)
				w.expect("the parent", get[homes.Garden](w, "g"), "True Succeeded")
				if version == homes.V2020 {
					w.has("of the same version", plantID("a"), `{"password":"canary","rooms":7}`)
					w.has("of the same version", plantID("b"), `{"color":"red","rooms":8}`)
					if n := w.count("PUT", plantID("a")) - puts; n > 0 {
						t.Errorf("stopped %v: ARM got %d PUTs of a child", stopped, n)
					}
				} else { // what it has lost comes back, and with it what the object says
					w.has("of another version", plantID("b"), `{"color":"red","rooms":3}`)
				}
				if text := get[homes.Garden](w, "g").Annotations[annotation.Sent]; strings.Contains(text, "unchecked") {
					t.Errorf("the record is %s", text)
				}
			}
		}
	})
	t.Run("nobody of the family is sent while ARM is at work on another one", func(t *testing.T) {
		w := garden(t, armtest.Behavior{})
		w.behave(armtest.Behavior{Slowest: 3 * time.Minute, Rates: armtest.Rates{armtest.AsyncOperation: 1, armtest.Busy: 1}})
		before := len(w.arm.Requests())
		change(w)
		for _, name := range []string{"a", "b"} {
			edit(w, name, func(o *homes.Plant) { o.Spec.Fields.Rooms = p(int64(6)) })
		}
		w.pass(20 * time.Minute)
		for _, r := range w.arm.Requests()[before:] {
			if r.Status >= 400 {
				t.Errorf("%s %s was refused with %d", r.Method, r.ID, r.Status)
			}
		}
		for _, name := range []string{"a", "b"} {
			w.expect(name, get[homes.Plant](w, name), "True Succeeded")
		}
	})
	t.Run("a child that is gone says so", func(t *testing.T) {
		w := garden(t, armtest.Behavior{})
		w.removeInARM(plantID("a"))
		w.behave(armtest.Behavior{Rates: armtest.Rates{armtest.Throttled: 0, armtest.Transient409: 1}})
		w.pass(2 * time.Hour)
		if got := ready(get[homes.Plant](w, "a")); got == "True Succeeded" {
			t.Errorf("got %s", got)
		}
		w.behave(armtest.Behavior{})
		w.pass(2 * time.Hour)
		whole(w, "in the end")
	})
	t.Run("a parent with unchanged children costs no request about these", func(t *testing.T) {
		w := garden(t, armtest.Behavior{})
		before := len(w.arm.Requests())
		change(w)
		w.pass(10 * time.Minute)
		var got []string
		for _, r := range w.arm.Requests()[before:] {
			got = append(got, r.Method+" "+strings.TrimPrefix(r.ID, gardenID))
		}
		slices.Sort(got)
		if want := []string{"GET ", "GET ", "PUT "}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
	t.Run("nor do a thousand", func(t *testing.T) {
		leaveOutCrowd(t)
		w := newWorld(t, armtest.Behavior{})
		w.create(newGarden(1))
		w.pass(time.Minute)
		for i := range 1000 {
			w.create(newPlant(fmt.Sprint("p", i), 2))
		}
		w.pass(10 * time.Minute)
		// about returns what ARM gets while a change is made, the number of each request.
		about := func(change func(*homes.Garden)) map[string]int {
			before := len(w.arm.Requests())
			edit(w, "g", change)
			w.pass(time.Minute)
			w.expect("the parent", get[homes.Garden](w, "g"), "True Succeeded")
			all := map[string]int{}
			for _, r := range w.arm.Requests()[before:] {
				if r.ID == gardenID || r.Method != "GET" { // a child may be due for its refresh
					all[r.Method+" "+strings.TrimPrefix(r.ID, gardenID)]++
				}
			}
			return all
		}
		parent := map[string]int{"GET ": 2, "PUT ": 1}
		if got := about(func(g *homes.Garden) { g.Spec.Fields.Rooms = p(int64(5)) }); !maps.Equal(got, parent) {
			t.Errorf("got %v, want %v", got, parent)
		}
		for i := range 10 {
			w.putInARM(plantID(fmt.Sprint("p", i)), `{"properties":{"rooms":7}}`)
		}
		if got := about(func(g *homes.Garden) { g.Spec.Fields.Rooms = p(int64(6)) }); !maps.Equal(got, parent) {
			t.Errorf("after somebody has changed ten in ARM, got %v, want %v", got, parent)
		}
		harmed := maps.Clone(parent)
		for i := range 3 {
			harmed["PUT /plants/"+fmt.Sprint("p", 5+5*i)] = 2 // with the one below
		}
		w.answered = func(method, path string) {
			if method == "PUT" && path == gardenID {
				w.answered = nil
				for i := range 3 {
					w.putInARM(plantID(fmt.Sprint("p", 5+5*i)), `{"properties":{"rooms":9}}`)
				}
			}
		}
		if got := about(func(g *homes.Garden) { g.Spec.Fields.Rooms = p(int64(7)) }); !maps.Equal(got, harmed) {
			t.Errorf("after the PUT has changed three, got %v, want %v", got, harmed)
		}
		for i := range 3 {
			w.has("what the PUT had changed", plantID(fmt.Sprint("p", 5+5*i)), `{"rooms":2}`)
		}
		w.has("what somebody had changed", plantID("p6"), `{"rooms":7}`)
	})
}

// TestFamilyModel draws a parent, its children (objects, children of its list, and children of
// strangers) and what happens to them, in any order, while ARM fails and the operator stops at
// any moment.
func TestFamilyModel(t *testing.T) {
	words := stateWords(t)
	rapid.Check(t, func(t *rapid.T) {
		m := &familyModel{
			T: t, strangers: map[string]string{}, others: map[string]float64{}, doubtful: map[string]bool{}, removed: map[string]bool{},
		}
		// Without an ETag a change made in between may be lost, and a value that a list shows with
		// another type is sent back as it is shown.
		rates := armtest.AllFaults().Without(armtest.NoETag, armtest.OtherType)
		if !rapid.Bool().Draw(t, "faults") {
			rates = nil
		}
		m.w = newWorld(t, armtest.Behavior{Seed: rapid.Uint64().Draw(t, "seed"), Rates: rates, States: words,
			Outage: rapid.SampledFrom(outages).Draw(t, "outage")})
		m.w.takeOver() // as records lose their signatures
		m.w.lag = rapid.SampledFrom([]time.Duration{0, 0, time.Millisecond, 3 * time.Second}).Draw(t, "lag")
		m.w.secret("s", map[string]string{"k": "canary"})
		if rapid.Bool().Draw(t, "keeps") {
			m.w.arm.Keep("2020-02-02")
		}
		m.w.create(newGarden(1))
		t.Repeat(map[string]func(*rapid.T){
			"parent":   m.parent,
			"list":     m.list,
			"complete": m.complete,
			"child":    m.child,
			"delete":   m.delete,
			"stranger": m.stranger,
			"between":  m.between,
			"others":   m.other,
			"forge":    m.forge,
			"keys":     m.keys,
			"stop":     m.stop,
			"wait":     m.wait,
			"":         m.invariants,
		})
		m.finish()
	})
}

type familyModel struct {
	*rapid.T
	w *world
	// strangers has the children that somebody else has made, with their bodies.
	strangers map[string]string
	// others has the rooms that somebody else has last set for children with objects.
	others map[string]float64
	// doubtful has the names of strangers that a list once had, or that existed while lists
	// were complete: they may be deleted.
	doubtful map[string]bool
	// removed has the names of children that a stranger has removed, whoever made them.
	removed map[string]bool
}

var (
	childNames    = []string{"a", "b", "c"}
	listNames     = []string{"a", "i", "j"}
	strangerNames = []string{"i", "x", "y"}
)

func (m *familyModel) parent(t *rapid.T) {
	edit(m.w, "g", func(g *homes.Garden) {
		g.Spec.Fields.Rooms = p(rapid.Int64Range(1, 5).Draw(t, "rooms"))
		g.Spec.OriginalVersion = rapid.SampledFrom([]string{homes.V2019, homes.V2020}).Draw(t, "version")
	})
}

func (m *familyModel) list(t *rapid.T) {
	var names []string
	for _, n := range listNames {
		if rapid.Bool().Draw(t, n) {
			names = append(names, n)
			m.doubtful[n] = true
		}
	}
	edit(m.w, "g", list(names...))
}

func (m *familyModel) complete(t *rapid.T) {
	edit(m.w, "g", func(g *homes.Garden) {
		if g.Spec.Fields.OperatorSpec != nil {
			g.Spec.Fields.OperatorSpec = nil
			return
		}
		complete(g)
	})
	for _, n := range strangerNames {
		m.doubtful[n] = true
	}
}

func (m *familyModel) child(t *rapid.T) {
	name := rapid.SampledFrom(childNames).Draw(t, "name")
	change := func(o *homes.Plant) {
		o.Spec.Fields.Rooms, o.Spec.Fields.Password, o.Spec.Fields.Color = p(rapid.Int64Range(1, 5).Draw(t, "rooms")), nil, nil
		if rapid.Bool().Draw(t, "password") {
			o.Spec.Fields.Password = &reference.Secret{Name: "s", Key: "k"}
		}
		if rapid.Bool().Draw(t, "color") {
			o.Spec.Fields.Color = p("red")
		}
	}
	if o := get[homes.Plant](m.w, name); o == nil {
		o = newPlant(name, 1)
		change(o)
		m.w.create(o)
	} else if o.DeletionTimestamp.IsZero() {
		edit(m.w, name, change)
	}
}

func (m *familyModel) delete(t *rapid.T) {
	if o := get[homes.Plant](m.w, rapid.SampledFrom(childNames).Draw(t, "name")); o != nil {
		m.w.delete(o)
	}
}

func (m *familyModel) stranger(t *rapid.T) {
	name := rapid.SampledFrom(strangerNames).Draw(t, "name")
	if _, found := m.w.arm.Resource(gardenID); !found {
		t.Skip("there is no garden")
	}
	if rapid.IntRange(0, 2).Draw(t, "remove") == 0 {
		m.w.arm.Remove(plantID(name))
		delete(m.strangers, name)
		m.removed[name] = true
		return
	}
	m.strangers[name] = fmt.Sprintf(`{"rooms":%d}`, rapid.IntRange(10, 20).Draw(t, "rooms"))
	m.w.arm.Put(plantID(name), "2020-02-02", `{"properties":`+m.strangers[name]+`}`)
}

// between lets a stranger make a child after the next read of the parent, which mostly comes
// before a PUT.
func (m *familyModel) between(t *rapid.T) {
	name := rapid.SampledFrom(strangerNames).Draw(t, "name")
	body := fmt.Sprintf(`{"rooms":%d}`, rapid.IntRange(10, 20).Draw(t, "rooms"))
	m.w.answered = func(method, path string) {
		if _, found := m.w.arm.Resource(gardenID); method != "GET" || !strings.EqualFold(path, gardenID) || !found {
			return
		}
		m.w.answered, m.strangers[name] = nil, body
		m.w.arm.Put(plantID(name), "2020-02-02", `{"properties":`+body+`}`)
	}
}

// other lets somebody else change a child that is an object, and that no list has.
func (m *familyModel) other(t *rapid.T) {
	name := rapid.SampledFrom(childNames[1:]).Draw(t, "name")
	text, found := m.w.arm.Resource(plantID(name))
	if !found {
		t.Skip("there is no such child")
	}
	m.others[name] = float64(rapid.IntRange(10, 20).Draw(t, "rooms"))
	m.w.arm.Put(plantID(name), "2020-02-02", withRooms(text, m.others[name]))
}

// withRooms returns the body of a PUT of a child with other rooms.
func withRooms(text json.RawMessage, rooms any) string {
	var body struct {
		Properties map[string]any `json:"properties"`
	}
	if err := json.Unmarshal(text, &body); err != nil {
		panic(err) // the stand-in has it
	}
	body.Properties["rooms"] = rooms
	text, _ = json.Marshal(body)
	return string(text)
}

// forge takes the signature of a record away.
func (m *familyModel) forge(t *rapid.T) {
	var all []kinds.Resource
	m.w.each(func(_ *kinds.Kind, r kinds.Resource) {
		if r.GetAnnotations()[annotation.Sent] != "" {
			all = append(all, r)
		}
	})
	if len(all) == 0 {
		t.Skip("there is no record")
	}
	r := rapid.SampledFrom(all).Draw(t, "object")
	r.GetAnnotations()[annotation.Sent] = withoutMAC(r.GetAnnotations()[annotation.Sent])
	if err := m.w.store.Update(t.Context(), r); err != nil {
		m.Fatalf("%v", err)
	}
	m.noteForgotten()
}

// keys loses the keys of records.
func (m *familyModel) keys(*rapid.T) {
	m.w.loseKeys()
	m.noteForgotten()
}

// noteForgotten notes that former children of a list may stay: the record that named them is lost.
func (m *familyModel) noteForgotten() {
	for _, name := range listNames {
		m.doubtful[name] = true
		if _, found := m.strangers[name]; !found {
			m.strangers[name] = ""
		}
	}
}

func (m *familyModel) stop(t *rapid.T) {
	m.w.crashAt = rapid.IntRange(1, 12).Draw(t, "after")
	m.wait(t)
}

func (m *familyModel) wait(t *rapid.T) {
	times := []time.Duration{0, time.Second, 7 * time.Second, time.Minute, 20 * time.Minute, 2 * time.Hour}
	m.w.pass(rapid.SampledFrom(times).Draw(t, "time"))
}

func (m *familyModel) invariants(t *rapid.T) {
	if len(m.w.errors) > 0 {
		m.fail("the operator failed: %q", m.w.errors)
	}
	if text := m.w.everything(); strings.Contains(text, "canary") {
		m.fail("a secret is where people see it")
	}
}

func (m *familyModel) fail(format string, args ...any) {
	m.Helper()
	inner := &model{T: m.T, w: m.w}
	inner.fail(format, args...)
}

// finish stops the failures, and checks everything after each of two changes.
func (m *familyModel) finish() {
	w := m.w
	w.crashAt, w.answered = 0, nil
	w.arm.Recover()
	w.behave(armtest.Behavior{Seed: 1, Rates: armtest.AllFaults().Without(armtest.OtherType,
		armtest.OperationFails, armtest.Transient400, armtest.Transient404, armtest.Transient409,
		armtest.Throttled, armtest.ServerError, armtest.LostRequest, armtest.LostAnswer,
	)})
	edit(w, "g", func(g *homes.Garden) { // an object is not listed any more
		g.Spec.Fields.Plants = slices.DeleteFunc(g.Spec.Fields.Plants, func(l homes.InlinePlant) bool { return l.Name == "a" })
	})
	w.pass(28 * time.Hour) // what may still be made is waited for a day
	m.settled(true)
	edit(w, "g", func(g *homes.Garden) { g.Spec.Fields.Rooms = p(int64(50)) })
	w.pass(4 * time.Hour)
	m.settled(false)
}

// settled checks what ARM has. What a stranger has changed in a list stays as it is until
// the parent is sent again: edited reports whether that may be so.
func (m *familyModel) settled(edited bool) {
	g := get[homes.Garden](m.w, "g")
	if ready(g) != "True Succeeded" {
		m.fail("the garden is not ready")
	}
	want := map[string]string{}
	for _, name := range childNames {
		o := get[homes.Plant](m.w, name)
		if o == nil {
			continue
		}
		if ready(o) != "True Succeeded" {
			m.fail("%s is not ready", name)
		}
		body := map[string]any{"rooms": *o.Spec.Fields.Rooms}
		if o.Spec.Fields.Password != nil {
			body["password"] = "canary"
		}
		if o.Spec.Fields.Color != nil {
			body["color"] = "red"
		}
		text, _ := json.Marshal(body)
		want[name] = string(text)
	}
	for _, l := range g.Spec.Fields.Plants {
		want[l.Name] = `{"rooms":1}`
	}
	complete := g.Spec.Fields.OperatorSpec != nil
	for name, body := range m.strangers {
		if want[name] == "" && !m.doubtful[name] {
			want[name] = body
		}
	}
	for _, name := range slices.Concat(childNames, listNames, strangerNames) {
		text, found := m.w.arm.Resource(plantID(name))
		var body struct{ Properties json.RawMessage }
		if err := json.Unmarshal(text, &body); found && err != nil {
			m.fail("%v", err)
		}
		_, isStrangers := m.strangers[name]
		switch {
		case found && want[name] == string(body.Properties):
		case found && want[name] != "" && m.others[name] > 0 && `{"properties":`+string(body.Properties)+`}` ==
			withRooms([]byte(`{"properties":`+want[name]+`}`), m.others[name]): // it stays until the object changes
		case edited && found && isStrangers && m.strangers[name] == string(body.Properties):
		case edited && !found && m.removed[name]:
		case want[name] != "":
			m.fail("ARM has %s for %s, want %s", text, name, want[name])
		case found && (!isStrangers || complete && !m.doubtful[name]):
			m.fail("ARM has %s, which nobody wants", text)
		}
	}
}
