package reconcile

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"maps"
	"sync"
	"time"

	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/inline"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
)

// A PUT of a parent goes out at its own API version, which may not know all that a child
// has. So what ARM shows of each child that is an object is compared before and after the
// PUT, and the child is sent again if that has changed it. What others have changed of a
// child before stays: the operator cannot tell that from what it has sent itself.

// looks are what ARM showed of children before a PUT of their parent.
type looks map[ref]look

// look is what ARM showed of one.
type look struct {
	path, name string
	// id and version are those of the child, where ARM was asked for it alone because it speaks
	// another API version than its parent; otherwise they are "".
	id, version string
	digest      [sha256.Size]byte
}

// digestOf returns a digest of what ARM shows of a child, without what changes although nobody
// changes the child.
func digestOf(shown map[string]any) [sha256.Size]byte {
	shown = maps.Clone(shown)
	for _, name := range []string{"id", "etag", "location", "type", "provisioningState"} {
		delete(shown, name)
	}
	if properties, ok := shown["properties"].(map[string]any); ok {
		properties = maps.Clone(properties)
		delete(properties, "provisioningState")
		shown["properties"] = properties
	}
	text, err := json.Marshal(shown)
	if err != nil {
		panic(err) // it was JSON
	}
	return sha256.Sum256(text)
}

// add notes what ARM shows of a child in a list of its parent.
func (l looks) add(r *run, o *child, c arm.Collection, element map[string]any) {
	version, err := kinds.ARMVersionOf(o.Resource, r.op.scheme)
	if err != nil {
		return // nothing is sent for it
	}
	seen := look{path: c.Path, name: inline.Name(element), digest: digestOf(element)}
	if version != r.request.APIVersion {
		seen.id, seen.version = r.request.ID+"/"+lastSegment(c.Type)+"/"+seen.name, version
	}
	l[o.ref] = seen
}

// ask asks ARM for the children that speak another version than their parent.
func (l looks) ask(ctx context.Context, r *run) decide.Outcome {
	for of, seen := range l {
		if seen.version == "" {
			continue
		}
		answer, o := r.readFirst(ctx, decide.ChildRequest, seen.id, seen.version, true)
		if o.Ends() {
			return o
		}
		if answer == nil || answer.Body == nil {
			delete(l, of)
			continue
		}
		shown, err := inline.Parse(answer.Body)
		if err != nil {
			return decide.Stop(err)
		}
		seen.digest = digestOf(shown)
		l[of] = seen
	}
	return decide.GoOn()
}

// noteLooks notes what ARM showed before a PUT that it has perhaps taken. unchecked reports
// whether nobody has looked yet what the one before has left: then that counts for the
// children that were seen before that one, if this instance has sent it.
func (r *run) noteLooks(unchecked bool, seen looks) {
	m := r.memory
	if m.harmed = nil; !unchecked {
		m.looks = seen
	} else if m.looks != nil && seen != nil {
		maps.Copy(seen, m.looks)
		m.looks = seen
	}
}

// checkChildren compares what the last PUT has left of the children, has those sent again that it
// has changed, and notes when all of them have been.
func (r *run) checkChildren(ctx context.Context) decide.Outcome {
	m := r.memory
	if m.harmed == nil {
		var o decide.Outcome
		if m.harmed, o = r.harmed(ctx); o.Ends() || m.harmed == nil {
			return o
		}
		for of := range m.harmed {
			r.op.harmed.add(of)
			r.op.wake(of)
		}
	}
	for of := range m.harmed {
		if r.refs.look(of); r.op.harmed.has(of) {
			return decide.GoOn()
		}
	}
	next := *r.sent
	next.Unchecked = false
	if err := r.writeRecord(ctx, &next); err != nil {
		return decide.Stop(err)
	}
	m.looks, m.harmed = nil, nil
	return decide.GoOn()
}

// unsettled is how long to wait until a child has been sent that may have been when its parent was.
const unsettled = 5 * time.Second

// harmed returns the children that the last PUT has changed, or nil if that is not known yet. If another instance has
// sent it, nobody knows what ARM showed before: then they are those that speak another API version.
func (r *run) harmed(ctx context.Context) (all map[ref]bool, o decide.Outcome) {
	before, sentBefore := r.memory.looks, r.memory.looks != nil
	answer, o := r.readFirst(ctx, decide.GetRequest, r.request.ID, r.request.APIVersion, true)
	switch {
	case o.Ends():
		return nil, o
	case answer == nil: // it may be gone, or ARM does not show it yet
		r.memory.known.Read = time.Time{} // so that it is read, and then compared once more
		return nil, decide.GoOn()
	case answer.Body == nil: // it cannot be read
		return map[ref]bool{}, decide.GoOn()
	}
	after, all, o := r.shownAfter(ctx, answer.Body)
	if o.Ends() || !sentBefore {
		return all, o
	}
	if o := after.ask(ctx, r); o.Ends() {
		return nil, o
	}
	all = map[ref]bool{}
	for of, seen := range after {
		if was, found := before[of]; found && was != seen {
			all[of] = true
		}
	}
	return all, decide.GoOn()
}

// shownAfter returns what ARM shows of the children that have not been sent since the last PUT of their parent, whose
// body is given, and those of them that speak another API version.
func (r *run) shownAfter(ctx context.Context, body []byte) (after looks, other map[ref]bool, o decide.Outcome) {
	after, other = looks{}, map[ref]bool{}
	shown, err := inline.Parse(body)
	if err != nil {
		return nil, nil, decide.Stop(err)
	}
	for _, c := range r.request.Collections {
		objects, err := r.children(ctx, r.request.ID, c.Type)
		if err != nil {
			return nil, nil, decide.Stop(err)
		}
		for _, element := range inline.Elements(shown, c) {
			o := objects[inline.Name(element)]
			if o == nil || o.foreign || !o.GetDeletionTimestamp().IsZero() || kinds.PolicyOf(o.Resource) == kinds.PolicySkip ||
				o.sent != nil && o.sent.Time.After(r.sent.Time) {
				continue
			}
			if o.sent != nil && o.sent.Phase == record.Sending { // or a cache is behind
				return nil, nil, decide.ComeBack(r.now.Add(unsettled))
			}
			if after.add(r, o, c, element); o.sent != nil && after[o.ref].version != "" {
				other[o.ref] = true
			}
		}
	}
	return after, other, decide.GoOn()
}

// refs are objects that something is so of.
type refs struct {
	mutex sync.Mutex
	all   map[ref]bool
}

func (s *refs) add(of ref) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.all == nil {
		s.all = map[ref]bool{}
	}
	s.all[of] = true
}

func (s *refs) has(of ref) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.all[of]
}

// remove reports whether the object was among them.
func (s *refs) remove(of ref) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	was := s.all[of]
	delete(s.all, of)
	return was
}
