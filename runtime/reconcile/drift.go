package reconcile

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/inline"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/paths"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
)

// drift finds what ARM has otherwise than the Spec says, because somebody has changed it there, or because the service
// keeps what the Spec no longer sets: some services change by a PUT only what its body has.
type drift struct{ *run }

// drifting is what this instance knows of the drift of an object. Few objects have any.
type drifting struct {
	// told has, by their paths, the differences that were reported when the resource was last read.
	told map[string]paths.Difference
	// kept are the paths of what ARM keeps and the Spec no longer sets.
	kept pathSet
	// corrected has, by their paths, the differences that the last correction was sent for and that have not gone
	// since.
	corrected map[string]paths.Difference
	// corrections has when each path was corrected, as far as that was less than [contest] ago.
	corrections map[string][]time.Time
	// before is the baseline of the PUT before the last one, nil for none.
	before *paths.Baseline
	// policy is what the annotations say of drift, and of when to look for it.
	policy string
}

const (
	// mostCorrections is how often a property is corrected within [contest]. After that, somebody else wants it
	// otherwise, and the two would go on for ever.
	mostCorrections = 3
	contest         = time.Hour
)

// pathsWith returns the paths of the Spec, and those of the record before that ARM may still have.
func (r drift) pathsWith(before *record.Record) (paths.Hashes, error) {
	spec, err := r.specPaths()
	if err != nil {
		return nil, err
	}
	if r.memory.paths != nil {
		return paths.Hash(spec, r.memory.paths), nil
	}
	return paths.Hash(spec, before.Paths), nil
}

// compare compares ARM's answer to a GET with the Spec that ARM has accepted. The first answer that shows the resource
// as the PUT has left it is the baseline, and is written into the record. What differs from that later is drift. It
// returns when the resource is to be read again for a baseline, or the zero time.
func (r drift) compare(ctx context.Context, body []byte) (again time.Time, err error) {
	r.memory.paths = nil
	if r.versioned == nil || len(body) == 0 || r.sent == nil || !r.confirmed || r.sent.Phase != record.Accepted {
		return time.Time{}, nil
	}
	wanted, shown, fits, err := r.both(body)
	if err != nil { // the Status says what does not fit
		return time.Time{}, r.writeAccepted(ctx)
	}
	differences, err := paths.Compare(wanted, shown)
	if err != nil {
		return time.Time{}, err
	}
	differences = slices.DeleteFunc(differences, func(d paths.Difference) bool { return r.ignores.has(d.Path) })
	keeps, err := r.kept(shown)
	if err != nil {
		return time.Time{}, err
	}
	sum, err := r.op.keys.Marker(ctx, r.sent)
	if err != nil || sum == nil {
		return time.Time{}, err
	}
	if r.sent.Baseline == nil {
		if at := r.mayBeOld(differences, sum); !at.IsZero() {
			return at, r.writeAccepted(ctx)
		}
		if err := r.setBaseline(ctx, differences, sum); err != nil {
			return time.Time{}, err
		}
	}
	changed, unknown := r.sent.Baseline.Since(differences, sum)
	if !fits { // then what does not fit is missing
		changed = slices.DeleteFunc(changed, func(d paths.Difference) bool {
			return d.Shown == "" || strings.HasPrefix(d.Shown, "[") || strings.HasPrefix(d.Shown, "{")
		})
	}
	r.tell(changed, unknown, keeps, body)
	return time.Time{}, nil
}

// mayBeOld returns when to read a resource again that ARM may still show as it was before the PUT: that was sent a
// moment ago, ARM had the resource before, and what it shows differs from the Spec otherwise than before.
func (r drift) mayBeOld(differences []paths.Difference, sum paths.Sum) (again time.Time) {
	at := r.memory.known.Wrote.Add(decide.FirstRetry)
	if !r.now.Before(at) || r.sent.Attempt == 1 && !r.sent.Adopted {
		return time.Time{}
	}
	if before := r.memory.drift.before; before != nil {
		differences, _ = before.Since(differences, sum)
	}
	if len(differences) == 0 {
		return time.Time{}
	}
	return at
}

// setBaseline writes the baseline. What was drift before the PUT, and is as it was, is none of the service's ways.
func (r drift) setBaseline(ctx context.Context, differences []paths.Difference, sum paths.Sum) error {
	normal := slices.DeleteFunc(slices.Clone(differences), func(d paths.Difference) bool {
		before, told := r.memory.drift.told[d.Path]
		return told && before == d
	})
	next := *r.sent
	next.Baseline = paths.BaselineOf(normal, sum)
	return r.writeRecord(ctx, &next)
}

// both returns the Specs of the request and of a body, without the children that the request does not list: those have
// other ways to be there. fits reports whether all of the body fits the Spec.
func (r drift) both(body []byte) (wanted, shown any, fits bool, err error) {
	if wanted, _, err = r.specOf(r.request.Body); err != nil {
		return nil, nil, false, err
	}
	if body, err = inline.Common(body, r.request.Body, r.request.Collections); err != nil {
		return nil, nil, false, err
	}
	shown, fits, err = r.specOf(body)
	return wanted, shown, fits, err
}

// kept returns what the Spec has set once and no longer sets, and what ARM shows nevertheless.
func (r drift) kept(shown any) ([]string, error) {
	spec, err := r.specPaths()
	if err != nil || !r.sent.Paths.HasOthers(spec) {
		return nil, err
	}
	all, err := paths.OfWithoutEmpty(shown)
	if err != nil {
		return nil, err
	}
	keeps, hashes := r.sent.Paths.Kept(spec, slices.DeleteFunc(all, r.ignores.has))
	r.memory.paths = paths.Hash(spec, hashes)
	return keeps, nil
}

// tell sets the condition that says what has changed in ARM and what ARM keeps, and decides what is corrected.
func (r drift) tell(changed []paths.Difference, unknown map[string]bool, keeps []string, body []byte) {
	said := ""
	if before := meta.FindStatusCondition(*kinds.ConditionsOf(r.object), Drifted); before != nil {
		said = before.Message
	}
	r.setCondition(changed, unknown, keeps, body)
	after := meta.FindStatusCondition(*kinds.ConditionsOf(r.object), Drifted)
	if after != nil && after.Status == metav1.ConditionTrue && after.Message != said {
		r.op.cluster.Events.Eventf(r.object, nil, corev1.EventTypeWarning, after.Reason, "Reconcile", "%s",
			after.Message[:min(len(after.Message), 1000)])
	}
	known := &r.memory.drift
	byPath := map[string]paths.Difference{}
	for _, d := range changed {
		byPath[d.Path] = d
	}
	if known.kept = keeps; r.policy().Drift == annotation.DriftCorrect {
		for _, path := range keeps {
			byPath[path] = paths.Difference{Path: path}
		}
	}
	maps.DeleteFunc(known.corrected, func(path string, was paths.Difference) bool { return byPath[path] != was })
	if known.told = byPath; len(byPath) == 0 {
		known.told = nil
	}
	if r.policy().Drift == annotation.DriftCorrect {
		r.correct(body)
	}
}

// correct decides whether the Spec is sent again because of what has changed.
func (r drift) correct(body []byte) {
	known := &r.memory.drift
	for path, at := range known.corrections {
		at = slices.DeleteFunc(at, func(t time.Time) bool { return r.now.Sub(t) >= contest })
		if known.corrections[path] = at; len(at) == 0 {
			delete(known.corrections, path)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(known.told)) {
		if at := known.corrections[path]; len(at) >= mostCorrections {
			r.found.Drifted, r.contested = false, r.contestedBy(path, at[0].Add(contest), body)
			return
		}
		if _, isSame := known.corrected[path]; !isSame {
			r.found.Drifted = true
		}
	}
}

// clear changes a PUT that corrects, so that it has empty lists and maps in place of those that ARM keeps.
func (r drift) clear(s *outgoing) (err error) {
	kept := r.memory.drift.kept
	if len(kept) == 0 || r.probed == nil {
		return nil
	}
	s.Body, err = arm.Keeper{Spec: r.versioned, Keeps: kept.has, Inside: kept.isInside}.Clear(s.Body, r.probed.Body)
	return err
}

// corrects notes that the Spec is sent again because of what has changed.
func (r drift) corrects() {
	r.found.Drifted = false
	known := &r.memory.drift
	known.corrected = maps.Clone(known.told)
	if known.corrections == nil {
		known.corrections = map[string][]time.Time{}
	}
	for path := range known.told {
		known.corrections[path] = append(known.corrections[path], r.now)
	}
}

// contestedBy returns the problem of a property that somebody changes again and again.
func (r drift) contestedBy(path string, until time.Time, body []byte) *problem.Problem {
	who := "somebody"
	if by := arm.LastModifiedBy(body); by != "" {
		who = by
	}
	return &problem.Problem{Reason: ReasonContested, Stalled: true, After: until.Sub(r.now), Message: fmt.Sprintf(
		"%s has changed %s in ARM again after %d corrections within an hour: agree on one value, or set the annotation %s to %s, or %s "+
			"to the path; it is corrected again after %s", who, path, mostCorrections, annotation.Drift, annotation.DriftReport,
		annotation.Ignore, until.UTC().Format(time.RFC3339))}
}

// setCondition sets the condition that names what has changed in ARM, and what ARM keeps.
func (r drift) setCondition(changed []paths.Difference, unknown map[string]bool, keeps []string, body []byte) {
	var parts []string
	reason := ReasonKept
	if len(changed) > 0 {
		reason = ReasonChanged
		parts = append(parts, describeAll(changed, unknown, arm.LastModifiedBy(body)))
	}
	if len(keeps) > 0 {
		parts = append(parts, "ARM keeps "+listed(keeps)+", which the Spec no longer sets: the service changes only what it is "+
			"sent; set what you want there, or take it away in Azure")
	}
	if len(parts) == 0 {
		meta.RemoveStatusCondition(kinds.ConditionsOf(r.object), Drifted)
		return
	}
	r.set(metav1.ConditionTrue, reason, strings.Join(parts, "; "))
}

// notCompared sets the condition that says that ARM has not shown the resource since the PUT.
func (r drift) notCompared() {
	r.set(metav1.ConditionUnknown, ReasonNoBaseline, "ARM has not shown the resource since the last PUT, so what somebody changes in ARM "+
		"is not found before it does")
}

// set sets the condition, unless nothing is to be told.
func (r drift) set(status metav1.ConditionStatus, reason, message string) {
	if r.policy().Drift == annotation.DriftIgnore {
		return
	}
	meta.SetStatusCondition(kinds.ConditionsOf(r.object), metav1.Condition{Type: Drifted, Status: status, Reason: reason,
		Message: limit(client.NewSecrets(r.resolver.secrets...).Remove(message)), ObservedGeneration: r.object.GetGeneration()})
}

// describeAll returns what has changed in ARM: the first ten changes, and how many others there are.
func describeAll(changed []paths.Difference, unknown map[string]bool, by string) string {
	var texts []string
	for _, d := range changed {
		texts = append(texts, describeOne(d, unknown[d.Path]))
	}
	who := "somebody has changed"
	if by != "" {
		who = by + " was the last to change"
	}
	return who + " the resource in ARM: " + strings.Join(firstTen(texts), "; ")
}

// describeOne returns what has changed at a path. wasOther reports whether ARM has shown something else there than it
// was sent.
func describeOne(d paths.Difference, wasOther bool) string {
	was := "the Spec says " + short(d.Wanted)
	switch {
	case wasOther:
		was = "what it was is not kept"
	case d.Wanted == "":
		was = "which the Spec does not have"
	}
	switch {
	case mayBeSecret(d):
		return d.Path + " is otherwise, and is not shown"
	case d.Shown == "":
		return d.Path + " is gone, " + was
	}
	return d.Path + " is " + short(d.Shown) + ", " + was
}

// short shortens JSON for a message.
func short(text string) string {
	const most = 100
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// secretName matches the names of properties whose values may be secrets, though no spec says so.
var secretName = regexp.MustCompile(
	`(?i)(password|passphrase|passwd|pwd|secret|token|credential|connectionstring|sas(uri|url)?|keys?|keyvalue|certificate|pfx)$`)

// mayBeSecret reports whether the value at a path may be a secret, or have one, by the names.
func mayBeSecret(d paths.Difference) bool {
	for _, text := range []string{d.Path, d.Shown, d.Wanted} {
		for _, name := range words.FindAllString(text, -1) {
			if secretName.MatchString(name) {
				return true
			}
		}
	}
	return false
}

var words = regexp.MustCompile(`[A-Za-z0-9_-]+`)

// prepare lets the resource be read at once if there is no baseline, or if the annotations have changed that ask for
// that, or say what is done about drift.
func (r drift) prepare() {
	if s := r.sent; s != nil && r.confirmed && s.Phase == record.Accepted && s.Baseline == nil {
		r.memory.known.Wanted = true // of an instance that was stopped, or ARM has not shown it
	}
	all := r.object.GetAnnotations()
	now := r.policy().Drift + "\n" + all[annotation.Ignore] + "\n" + all[annotation.Refresh]
	if r.memory.drift.policy != "" && r.memory.drift.policy != now {
		r.memory.known.Wanted = true
	}
	r.memory.drift.policy = now
}

// stopsTelling removes the condition when the annotations say that nothing is told, or that nothing is sent. It reports
// whether there was one.
func (r drift) stopsTelling() bool {
	p := r.policy()
	if p.Problem() != "" || p.Drift != annotation.DriftIgnore && !p.Observes() {
		return false
	}
	r.memory.drift = drifting{policy: r.memory.drift.policy, before: r.memory.drift.before}
	return meta.RemoveStatusCondition(kinds.ConditionsOf(r.object), Drifted)
}
