package reconcile

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
)

// TestStrangersModel has strangers who make, change and remove resources at the ids of objects, at any time, while
// ARM fails and the operator stops. Nothing of theirs is changed or deleted, unless the object is to take it over.
// Left out are services that take neither If-None-Match nor an ETag, false 404s, which are of TestContradiction,
// the five minutes after a PUT without an answer, and what is made again at an id that an object has
// (docs/threats.md).
func TestStrangersModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rates := armtest.AllFaults().Without(
			armtest.NoETag, armtest.IgnoresIfNoneMatch, armtest.RefusesIfNoneMatch, armtest.Missed)
		rates[armtest.SystemData] = 1
		faults := rapid.Bool().Draw(t, "faults")
		if !faults {
			rates = armtest.Rates{armtest.SystemData: 1}
		}
		m := &strangersModel{T: t, faults: faults, owners: map[string]string{}, permitted: map[string]bool{}}
		m.w = newWorld(t, armtest.Behavior{Seed: rapid.Uint64().Draw(t, "seed"), Rates: rates})
		m.w.writing = m.write
		t.Repeat(map[string]func(*rapid.T){
			"create":   m.create,
			"edit":     m.edit,
			"annotate": m.annotate,
			"delete":   m.delete,
			"put":      m.put,
			"between":  m.between,
			"remove":   m.remove,
			"stop":     func(*rapid.T) { m.w.start() },
			"wait": func(t *rapid.T) {
				m.w.pass(rapid.SampledFrom([]time.Duration{time.Second, time.Minute, 2 * time.Hour}).Draw(t, "for"))
			},
		})
	})
}

// strangersModel knows whose each resource is.
type strangersModel struct {
	*rapid.T
	w      *world
	faults bool
	// owners has, by ids, the uid of the object that a resource is from, or stranger.
	owners map[string]string
	// permitted has the names of the objects that may take over what is there.
	permitted map[string]bool
	n         int
}

const stranger = "a stranger"

var strangersNames = []string{"a", "b"}

func (m *strangersModel) id(name string) string {
	return strings.TrimSuffix(houseID, "/h") + "/" + name
}

func (m *strangersModel) draw(t *rapid.T) (name string, h *homes.House) {
	name = rapid.SampledFrom(strangersNames).Draw(t, "name")
	return name, get[homes.House](m.w, name)
}

// adopts are the values of the annotation that the model sets.
var adopts = []string{"", annotation.AdoptCreate, annotation.AdoptAdopt, annotation.AdoptExact, annotation.AdoptObserve}

func (m *strangersModel) setAdopt(name string, h *homes.House, to string) {
	if h.Annotations == nil {
		h.Annotations = map[string]string{}
	}
	h.Annotations[annotation.Adopt] = to
	m.permitted[name] = m.permitted[name] || to == annotation.AdoptAdopt || to == annotation.AdoptExact
}

func (m *strangersModel) create(t *rapid.T) {
	name, h := m.draw(t)
	if h != nil {
		return
	}
	h = newHouse(name, 3)
	m.permitted[name] = false
	m.setAdopt(name, h, rapid.SampledFrom(adopts).Draw(t, "adopt"))
	m.w.create(h)
}

func (m *strangersModel) annotate(t *rapid.T) {
	if name, h := m.draw(t); h != nil && h.DeletionTimestamp.IsZero() {
		to := rapid.SampledFrom(adopts).Draw(t, "adopt")
		edit(m.w, name, func(h *homes.House) { m.setAdopt(name, h, to) })
	}
}

func (m *strangersModel) edit(t *rapid.T) {
	if name, h := m.draw(t); h != nil && h.DeletionTimestamp.IsZero() {
		rooms := rapid.Int64Range(1, 9).Draw(t, "rooms")
		edit(m.w, name, func(h *homes.House) { h.Spec.Fields.Rooms = &rooms })
	}
}

func (m *strangersModel) delete(t *rapid.T) {
	if _, h := m.draw(t); h != nil {
		m.w.delete(h)
	}
}

// put has a stranger make or change a resource. After a PUT of the object whose answer may be lost, it waits until the
// resource cannot be from that.
func (m *strangersModel) put(t *rapid.T) {
	name, h := m.draw(t)
	if h != nil && h.Annotations[annotation.Sent] != "" && !m.exists(name) {
		m.w.pass(6 * time.Minute)
	}
	if h = get[homes.House](m.w, name); h != nil && !m.exists(name) && strings.Contains(h.Annotations[annotation.Sent], `"exists":true`) {
		return
	}
	m.putNow(name)
}

func (m *strangersModel) putNow(name string) {
	m.n++
	if !m.exists(name) {
		m.owners[m.id(name)] = stranger
		h := get[homes.House](m.w, name)
		m.permitted[name] = h != nil && (h.Annotations[annotation.Adopt] == annotation.AdoptAdopt ||
			h.Annotations[annotation.Adopt] == annotation.AdoptExact)
	}
	m.w.arm.Put(m.id(name), "2020-02-02", fmt.Sprintf(`{"properties":{"rooms":%d,"color":"of a stranger"}}`, 10+m.n%80))
}

// between has a stranger make a resource after the next read of an object that has sent nothing, before its PUT.
func (m *strangersModel) between(t *rapid.T) {
	name, h := m.draw(t)
	if m.faults || h == nil || h.Annotations[annotation.Sent] != "" { // with faults the PUT may have no answer
		return
	}
	m.w.answered = func(method, path string) {
		if method == http.MethodGet && arm.SameID(path, m.id(name)) {
			if m.w.answered = nil; !m.exists(name) {
				m.putNow(name)
			}
		}
	}
	m.w.pass(time.Minute)
	m.w.answered = nil
}

func (m *strangersModel) remove(t *rapid.T) {
	name, _ := m.draw(t)
	m.w.arm.Remove(m.id(name))
	delete(m.owners, m.id(name))
}

func (m *strangersModel) exists(name string) bool {
	_, exists := m.w.arm.Resource(m.id(name))
	return exists
}

// write checks a write of the operator.
func (m *strangersModel) write(method, path string) func(status int) {
	name := path[strings.LastIndexByte(path, '/')+1:]
	existed, before := m.exists(name), m.owners[m.id(name)]
	return func(status int) {
		uid := stranger
		if h := get[homes.House](m.w, name); h != nil {
			uid = string(h.UID)
		}
		if method == http.MethodPut && !existed && m.exists(name) {
			m.owners[m.id(name)] = uid
		}
		if status == 0 || status >= http.StatusMultipleChoices || method != http.MethodPut && method != http.MethodDelete {
			return
		}
		if existed && before != uid && !m.permitted[name] {
			m.Fatalf("%s of %s, which is from %q, for the object %q", method, path, before, uid)
		}
		if method == http.MethodPut {
			m.owners[m.id(name)] = uid
		}
	}
}
