package family

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"maps"
	"time"

	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/inline"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
)

// Compare reports whether the family has changed the resource since it was sent: it has
// children that nobody wants, or a PUT of its parent has changed it.
func (m *Member) Compare(ctx context.Context) (changed bool, o decide.Outcome) {
	abandoned, err := m.hasAbandoned(ctx)
	if err != nil {
		return false, decide.Stop(err)
	}
	changed = abandoned || m.Families.damaged.has(m.Name)
	if m.Record.Unchecked && !changed {
		o = m.checkChildren(ctx)
	}
	return changed, o
}

// Sent notes what ARM showed of the children before a PUT that ARM may have taken. If this instance sent
// the previous PUT, and the children were not compared after it, what ARM showed before the previous PUT
// takes precedence.
func (m *Member) Sent(put *Put) {
	memory := m.Memory
	if memory.damaged = nil; !put.Before.Unchecked {
		memory.before = put.before
	} else if memory.before != nil && put.before != nil {
		maps.Copy(put.before, memory.before)
		memory.before = put.before
	}
}

// checkChildren finds the children that the last PUT has changed, lets them be sent again, and notes in the
// record when all of them have been.
func (m *Member) checkChildren(ctx context.Context) decide.Outcome {
	memory := m.Memory
	if memory.damaged == nil {
		var o decide.Outcome
		if memory.damaged, o = m.findDamaged(ctx); o.Ends() || memory.damaged == nil {
			return o
		}
		for of := range memory.damaged {
			m.Families.damaged.add(of)
			m.wake(of)
		}
	}
	for of := range memory.damaged {
		if m.Host.DependOn(of); m.Families.damaged.has(of) {
			return decide.GoOn()
		}
	}
	next := *m.Record
	next.Unchecked = false
	if err := m.writeRecord(ctx, &next); err != nil {
		return decide.Stop(err)
	}
	*memory = Memory{}
	return decide.GoOn()
}

// findDamaged returns the children that the last PUT has changed, or nil if that is not known yet. If
// another instance sent the PUT, nobody knows what ARM showed before it: then it returns the children with
// another API version.
func (m *Member) findDamaged(ctx context.Context) (map[named.Object]bool, decide.Outcome) {
	answer, o := m.Host.Read(ctx, decide.GetRequest, m.Request.ID, m.Request.APIVersion, decide.Report)
	switch {
	case o.Ends():
		return nil, o
	case answer == nil: // it may be gone, or ARM does not show it yet
		m.Known.Read = time.Time{} // so that it is read, and then compared once more
		return nil, decide.GoOn()
	case answer.Body == nil: // it cannot be read
		return map[named.Object]bool{}, decide.GoOn()
	}
	after, others, o := m.snapshotsAfter(ctx, answer.Body)
	if o.Ends() || m.Memory.before == nil {
		return others, o
	}
	if o := m.readOthers(ctx, after); o.Ends() {
		return nil, o
	}
	damaged := map[named.Object]bool{}
	for of, now := range after {
		if before, found := m.Memory.before[of]; found && before != now {
			damaged[of] = true
		}
	}
	return damaged, decide.GoOn()
}

// snapshotsAfter returns what ARM shows of the children that have not been sent since the last PUT of their
// parent, whose body is given, and those of them with another API version.
func (m *Member) snapshotsAfter(ctx context.Context, body []byte) (after snapshots, others map[named.Object]bool, _ decide.Outcome) {
	after, others = snapshots{}, map[named.Object]bool{}
	shown, err := arm.ParseObject(body)
	if err != nil {
		return nil, nil, decide.Stop(err)
	}
	for _, c := range m.Request.Collections {
		objects, err := m.children(ctx, m.Request.ID, c.Type)
		if err != nil {
			return nil, nil, decide.Stop(err)
		}
		for _, element := range inline.Elements(shown, c) {
			o := objects[inline.Name(element)]
			if o == nil || o.foreign || !o.GetDeletionTimestamp().IsZero() || m.policy(o.Resource).Observes() ||
				o.sent != nil && o.sent.Time.After(m.Record.Time) {
				continue
			}
			if o.sent != nil && o.sent.Phase == record.Sending { // or a cache is behind
				return nil, nil, decide.ComeBack(m.Now.Add(decide.FirstRetry))
			}
			if after.add(m, o, c, element); o.sent != nil && after[o.name].version != "" {
				others[o.name] = true
			}
		}
	}
	return after, others, decide.GoOn()
}

// snapshots are what ARM shows of children at one time.
type snapshots map[named.Object]snapshot

// snapshot is what ARM shows of a child.
type snapshot struct {
	path, name string
	// id and version are those of the child, if ARM is asked for it alone because its API version is not
	// the parent's; otherwise they are "".
	id, version string
	digest      [sha256.Size]byte
}

// add adds what ARM shows of a child in a list of its parent.
func (s snapshots) add(m *Member, o *child, c arm.Collection, element map[string]any) {
	version, err := kinds.ARMVersionOf(o.Resource, m.scheme)
	if err != nil {
		return // nothing is sent for it
	}
	one := snapshot{path: c.Path, name: inline.Name(element), digest: digestOf(element)}
	if version != m.Request.APIVersion {
		one.id, one.version = m.Request.ID+"/"+lastSegment(c.Type)+"/"+one.name, version
	}
	s[o.name] = one
}

// readOthers reads the children with another API version than their parent. If one cannot be read now, those that
// were read need not be read again.
func (m *Member) readOthers(ctx context.Context, all snapshots) decide.Outcome {
	memory := m.Memory
	for of, one := range all {
		if one.version == "" {
			continue
		}
		known, isKnown := memory.read[of]
		if !isKnown || m.Now.Sub(known.at) > readingKept {
			var o decide.Outcome
			if known, o = m.readOther(ctx, one); o.Ends() {
				return o
			}
			if memory.read == nil {
				memory.read = map[named.Object]reading{}
			}
			memory.read[of] = known
		}
		if !known.exists {
			delete(all, of)
			continue
		}
		one.digest = known.digest
		all[of] = one
	}
	memory.read = nil
	m.Known.Happened(decide.ChildAnswered)
	return decide.GoOn()
}

// readOther reads a child.
func (m *Member) readOther(ctx context.Context, of snapshot) (reading, decide.Outcome) {
	answer, o := m.Host.Read(ctx, decide.ChildRequest, of.id, of.version, decide.Report)
	if o.Ends() || answer == nil || answer.Body == nil {
		return reading{at: m.Now}, o
	}
	shown, err := arm.ParseObject(answer.Body)
	if err != nil {
		return reading{}, decide.Stop(err)
	}
	return reading{m.Now, true, digestOf(shown)}, o
}

// digestOf returns a digest of what ARM shows of a child, without the members that change even if nobody
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
