package planner

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/match"
)

// addPairs sets the steps of all conversions, and the hooks that they call.
func (b *builder) addPairs() {
	possible := map[string][]possibleHook{}
	for _, p := range b.sorted() {
		if p.Alias && p.Role == plan.Storage {
			continue // it uses its twin's types
		}
		p.SetPairs(match.Pairs(p, b.shape(p)))
		possible[p.Name] = possibleHooks(p.Package)
	}
	b.addHooks(possible)
}

// addHooks sets the hooks that each package calls. A hook that is not among the
// possible ones becomes a [plan.Misfit], which package lock reports with its position.
func (b *builder) addHooks(possible map[string][]possibleHook) {
	for _, source := range b.Hooks {
		p := b.packages[source.Package]
		if p == nil {
			b.errs.Addf("", 0, 0, "there are hooks for %s, which is no package of the group%s", source.Package,
				diag.DidYouMean(source.Package, slices.Sorted(maps.Keys(b.packages))))
			continue
		}
		if plan.IsOperatorHook(source.Method) {
			if message := operatorMisfit(p, source); message != "" {
				p.Misfits = append(p.Misfits, plan.Misfit{Receiver: source.Receiver, Method: source.Method, Message: message})
			}
			continue
		}
		possible := possible[p.Name]
		i := slices.IndexFunc(possible, func(h possibleHook) bool { return h.signature() == source.Signature })
		if i >= 0 {
			p.Hooks = append(p.Hooks, possible[i].Hook)
			continue
		}
		p.Misfits = append(p.Misfits, plan.Misfit{Receiver: source.Receiver, Method: source.Method, Message: misfit(p, source, possible)})
	}
	for _, p := range b.packages {
		slices.SortFunc(p.Hooks, compareHooks)
	}
}

// possibleHook is a hook that a package may have, and its link.
type possibleHook struct {
	plan.Hook
	link *plan.Link
}

func (h possibleHook) signature() string { return h.link.Signature(h.Hook) }

// declaration returns the first line of the hook in Go.
func (h possibleHook) declaration() string { return h.Declaration(h.Neighbour + "." + h.There) }

func compareHooks(x, y plan.Hook) int {
	return cmp.Or(cmp.Compare(x.Type, y.Type), cmp.Compare(x.Method(), y.Method()), cmp.Compare(x.Neighbour, y.Neighbour))
}

// possibleHooks returns all hooks that a package may have.
func possibleHooks(p *plan.Package) []possibleHook {
	var all []possibleHook
	for _, link := range p.Links() {
		for _, hook := range link.Hooks() {
			all = append(all, possibleHook{hook, &link})
		}
	}
	return all
}

// misfit returns the reason why no conversion calls a method.
func misfit(p *match.Package, source plan.HookSource, possible []possibleHook) string {
	var types, methods, want []string
	for _, h := range possible {
		types = append(types, h.Type)
		if h.Type == source.Receiver && h.To == plan.IsHookTo(source.Method) {
			methods = append(methods, h.Method())
			want = append(want, h.declaration())
		}
	}
	switch {
	case len(possible) == 0:
		return fmt.Sprintf("no conversion calls %s: %s converts with no other package; a hook stands in the package "+
			"farther from the hub", source.Method, p.Name)
	case p.Resource(source.Receiver) != nil:
		return fmt.Sprintf("no conversion calls %s: a resource converts by its halves, each of which converts alone "+
			"too; write the hook for %[2]s_Spec or %[2]s_Status", source.Method, source.Receiver)
	case len(want) == 0:
		return fmt.Sprintf("no conversion calls %s: %s has no type %s that converts%s", source.Method, p.Name,
			source.Receiver, diag.DidYouMean(source.Receiver, types))
	case !slices.Contains(methods, source.Method):
		return fmt.Sprintf("no conversion calls %s: %s converts with no type of that name%s; expected %s",
			source.Method, source.Receiver, diag.DidYouMean(source.Method, methods), strings.Join(want, " or "))
	}
	return fmt.Sprintf("no conversion calls %s as it is; expected %s, and it is %s", source.Method,
		strings.Join(want, " or "), shorten(source.Signature))
}

// operatorMisfit returns the reason why the operator does not call a method, or "".
func operatorMisfit(p *match.Package, source plan.HookSource) string {
	if p.Role != plan.API {
		return fmt.Sprintf("the operator does not call %s: %s is a storage package; write it in the package of the "+
			"API version in which ARM is spoken to", source.Method, p.Name)
	}
	var types, want []string
	for _, r := range p.Resources {
		hook := plan.OperatorHook(p.Name, r.Kind, source.Method)
		if hook == source {
			return ""
		}
		types = append(types, hook.Receiver)
		if hook.Receiver == source.Receiver {
			want = append(want, shorten(hook.Signature))
		}
	}
	if want == nil {
		return fmt.Sprintf("the operator does not call %s of %s: it calls that of a resource's %s%s", source.Method, source.Receiver,
			plan.OperatorHook("", "", source.Method).Receiver[1:], diag.DidYouMean(source.Receiver, types))
	}
	return fmt.Sprintf("the operator does not call %s as it is; expected %s, and it is %s", source.Method, want[0],
		shorten(source.Signature))
}

// shorten returns a signature with package names instead of import paths.
func shorten(signature string) string { return importFolder.ReplaceAllString(signature, "") }

// importFolder matches an import path without its last element.
var importFolder = regexp.MustCompile(`[\w.~/-]*/`)
