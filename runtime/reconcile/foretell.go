package reconcile

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/reconcile/internal/paths"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
)

// foretelling notes for a plan what a reconcile is about to send. Without a plan it does nothing.
type foretelling struct{ *run }

// of returns what is foretold of the object, nil without a plan.
func (r foretelling) of() *Foretold {
	if r.op.planner == nil {
		return nil
	}
	return r.op.planner.foretold[r.name]
}

// put notes a PUT.
func (r foretelling) put(ctx context.Context, s *outgoing) error {
	f := r.of()
	if f == nil {
		return nil
	}
	p := r.op.planner
	shown, err := r.read(ctx, s.ID, s.APIVersion, "")
	e, isRefusal := client.AsError(err)
	switch {
	case isRefusal && saysGone(e):
		shown, f.Action = &client.Answer{}, PlanCreate
	case err != nil:
		return err
	case r.adopts:
		f.Action = PlanAdopt
	case f.Action != PlanCreate && f.Action != PlanAdopt:
		f.Action = PlanChange
	}
	changes, err := r.changes(shown.Body, s)
	if err != nil {
		return err
	}
	isNew := p.note(f, ForetoldRequest{Method: http.MethodPut, ID: s.ID, APIVersion: s.APIVersion, Body: p.conceal(s.Body, s.Secrets),
		sent: s.Body})
	if isNew {
		f.Changes = append(f.Changes, changes...)
	}
	return nil
}

// note notes a request, and reports whether it is new: what is refused is sent again and again.
func (p *planner) note(f *Foretold, request ForetoldRequest) bool {
	if slices.ContainsFunc(f.Requests, func(r ForetoldRequest) bool {
		return r.Method == request.Method && r.ID == request.ID && r.APIVersion == request.APIVersion && bytes.Equal(r.sent, request.sent)
	}) {
		return false
	}
	f.ID, f.Requests = request.ID, append(f.Requests, request)
	p.requests++
	return true
}

// delete notes a DELETE.
func (r foretelling) delete(version string) {
	if f := r.of(); f != nil {
		f.Action, f.Changes = PlanDelete, nil
		r.op.planner.note(f, ForetoldRequest{Method: http.MethodDelete, ID: r.sent.ID, APIVersion: version})
	}
}

// changes returns what a PUT changes of what ARM shows, nil for nothing.
func (r foretelling) changes(shown []byte, s *outgoing) (all []PlannedChange, err error) {
	wanted, _, err := r.specOf(s.Body)
	if err != nil {
		return nil, &problem.Problem{Reason: ReasonUnreadable, Stalled: true, Message: err.Error()}
	}
	before := reflect.New(reflect.TypeOf(r.versioned).Elem()).Interface()
	if shown != nil {
		if before, _, err = r.specOf(shown); err != nil {
			return nil, nil // the Status says what does not fit
		}
	}
	differences, err := paths.Compare(wanted, before)
	if err != nil {
		return nil, err
	}
	for _, d := range differences {
		c := PlannedChange{Path: d.Path, Before: r.known(d.Shown), After: r.known(d.Wanted), Deletes: d.Wanted == "" && r.isElement(d.Path)}
		if mayBeSecret(d) {
			c.Before, c.After = notShown(c.Before), notShown(c.After)
		}
		all = append(all, c)
	}
	return all, nil
}

// known returns JSON without secrets, in which texts that only ARM can know are named as such.
func (r foretelling) known(text string) string {
	if text == "" {
		return ""
	}
	return r.op.planner.conceal([]byte(text), client.NewSecrets(r.resolver.secrets...))
}

// notShown stands for JSON that may be a secret.
func notShown(text string) string {
	if text == "" {
		return ""
	}
	return `"(not shown)"`
}

// isElement reports whether a path is an element of a list that holds resources.
func (r foretelling) isElement(path string) bool {
	list, _, isElement := strings.Cut(path, "[")
	if !isElement {
		return false
	}
	list = list[strings.LastIndexByte(list, '.')+1:]
	return slices.ContainsFunc(r.request.Collections, func(c arm.Collection) bool {
		return strings.EqualFold(c.Path[strings.LastIndexByte(c.Path, '/')+1:], list)
	})
}

// conceal returns a body without secrets, and without texts that only ARM can know.
func (p *planner) conceal(body []byte, secrets client.Secrets) string {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var value any
	if d.Decode(&value) != nil {
		return `"(not shown)"`
	}
	var of func(name string, value any) any
	of = func(name string, value any) any {
		switch v := value.(type) {
		case map[string]any:
			for n := range v {
				v[n] = of(n, v[n])
			}
		case []any:
			for i := range v {
				v[i] = of(name, v[i])
			}
		case string:
			switch {
			case p.arm.IsUnknown(v):
				return "(known after apply)"
			case secrets.Remove(v) != v:
				return secrets.Remove(v)
			case secretName.MatchString(name):
				return "(not shown)"
			}
		case json.Number:
			if text := v.String(); secrets.Remove(text) != text {
				return secrets.Remove(text)
			}
		}
		return value
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(of("", value)); err != nil {
		panic(err) // it came from JSON
	}
	return strings.TrimSpace(out.String())
}

// same reports whether ARM has what the Spec says, for a plan without the keys of records: nobody can compare the
// digest then. It notes what only the operator can know.
func (r foretelling) same(ctx context.Context) (bool, error) {
	p := r.op.planner
	delete(p.maybe, r.name)
	if r.sent.Phase != record.Accepted {
		return false, nil
	}
	isEdited := r.sent.Generation != r.object.GetGeneration() ||
		r.object.GetAnnotations()[annotation.SentAPIVersion] != r.request.APIVersion
	answer, err := r.read(ctx, r.request.ID, r.request.APIVersion, "")
	e, isRefusal := client.AsError(err)
	switch {
	case isRefusal && saysGone(e):
		return !isEdited, nil // whoever reads it next finds out that it is gone
	case err != nil:
		return false, err
	case answer.Body == nil:
		p.maybe[r.name] = "ARM does not show it"
		return true, nil
	}
	wanted, shown, _, err := drift{r.run}.both(answer.Body)
	if err != nil {
		return false, err
	}
	differences, err := paths.Compare(wanted, shown)
	if err != nil {
		return false, err
	}
	differences = slices.DeleteFunc(differences, func(d paths.Difference) bool { return r.ignores.has(d.Path) })
	var names []string
	for _, d := range differences {
		names = append(names, d.Path)
	}
	changed, err := r.changedByFile()
	if err != nil {
		return false, err
	}
	switch {
	case slices.ContainsFunc(changed, func(path string) bool { return !r.ignores.has(path) && !notSent.has(path) }):
		return false, nil
	case len(names) > 0:
		p.maybe[r.name] = "ARM shows it otherwise, which may be its normal form, or somebody else's change: " + listed(names)
	case isEdited:
		p.maybe[r.name] = "ARM has what the Spec says, and may be sent it again"
	case len(r.resolver.secrets) > 0:
		p.maybe[r.name] = "it has secrets, which ARM does not show"
	}
	return len(names) == 0 || !isEdited, nil
}

// notSent is what the operator alone has of a Spec.
var notSent = pathSet{"spec.operatorSpec"}

// changedByFile returns the paths of the Spec that a file changes, if the operator has sent what the cluster has.
func (r foretelling) changedByFile() (pathSet, error) {
	old := r.op.planner.old[r.name]
	if old == nil || r.sent.Generation != old.GetGeneration() {
		return nil, nil
	}
	before, err := conversion.GetVersionedSpec(old, r.op.scheme)
	if err != nil || reflect.TypeOf(before) != reflect.TypeOf(r.versioned) {
		return nil, nil // it is written for another version
	}
	now, err := conversion.GetVersionedSpec(r.object, r.op.scheme)
	if err != nil {
		return nil, err
	}
	return paths.Changed(before, now)
}
