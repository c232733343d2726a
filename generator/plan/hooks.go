package plan

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
)

// HookSource is a hand-written method that is named like a hook: all that a
// plan depends on of it. Its body and its place are left out, so that an edit
// of them plans nothing.
type HookSource struct {
	// Package is the generated package that the method is compiled into.
	Package string `json:"package"`
	// Receiver is the type of the package that has the method.
	Receiver string `json:"receiver"`
	// Method such as "AssignToPerson_Spec".
	Method string `json:"method"`
	// Signature is the whole with import paths in the place of their names, such
	// as "func (*Person_Spec) AssignToPerson_Spec(*example.com/next.Person_Spec) error".
	Signature string `json:"signature"`
}

// HookPlace is where a [HookSource] stands.
type HookPlace struct {
	Package  string `json:"package"`
	Receiver string `json:"receiver"`
	Method   string `json:"method"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
}

// The beginnings of the names of hooks.
const (
	assignTo   = "AssignTo"
	assignFrom = "AssignFrom"
)

// IsHook tells whether a method is named like a hook.
func IsHook(method string) bool {
	for _, prefix := range []string{assignTo, assignFrom} {
		if rest, ok := strings.CutPrefix(method, prefix); ok && rest != "" && strings.ToUpper(rest[:1]) == rest[:1] {
			return true
		}
	}
	return false
}

// Hook is a hook that the conversion of a pair calls last.
type Hook struct {
	// Type is the package's, There the neighbour's.
	Type      string `json:"type"`
	Neighbour string `json:"neighbour"`
	There     string `json:"there"`
	// To tells that the hook is of the way to the neighbour, not from it.
	To bool `json:"to,omitempty"`
}

// Method is the name of a hook.
func (h Hook) Method() string {
	if h.To {
		return assignTo + h.There
	}
	return assignFrom + h.There
}

// signature is that of a hook, with the neighbour's package as given.
func (h Hook) signature(pkg string) string {
	return fmt.Sprintf("func (*%s) %s(*%s.%s) error", h.Type, h.Method(), pkg, h.There)
}

// declaration is what a person writes.
func (h Hook) declaration() string {
	end := "src"
	if h.To {
		end = "dst"
	}
	return fmt.Sprintf("func (%s *%s) %s(%s *%s.%s) error", strings.ToLower(h.Type[:1]), h.Type, h.Method(), end, h.Neighbour, h.There)
}

func (h Hook) compare(o Hook) int {
	return cmp.Or(cmp.Compare(h.Type, o.Type), cmp.Compare(h.Method(), o.Method()), cmp.Compare(h.Neighbour, o.Neighbour))
}

// Misfit is a method that is named like a hook and that no conversion calls.
type Misfit struct {
	Receiver string `json:"receiver"`
	Method   string `json:"method"`
	Message  string `json:"message"`
}

// addHooks finds out which conversions call which hooks. What fits nowhere is
// noted for [CheckHooks], which knows its place.
func (b *builder) addHooks() {
	for _, source := range b.Hooks {
		p := b.packages[source.Package]
		if p == nil {
			b.errs.Addf("", 0, 0, "there are hooks for %s, which is no package of the group%s", source.Package, diag.DidYouMean(source.Package, sortedKeys(b.packages)))
			continue
		}
		possible := b.possibleHooks(p)
		i := slices.IndexFunc(possible, func(h possibleHook) bool { return h.signature(h.importPath) == source.Signature })
		if i >= 0 {
			p.Hooks = append(p.Hooks, possible[i].Hook)
			continue
		}
		p.Misfits = append(p.Misfits, Misfit{source.Receiver, source.Method, misfit(p, source, possible)})
	}
	for _, p := range b.packages {
		slices.SortFunc(p.Hooks, Hook.compare)
	}
}

// possibleHook is a hook that a package may have.
type possibleHook struct {
	Hook
	importPath string // the neighbour's
}

// possibleHooks are all hooks that a package may have.
func (b *builder) possibleHooks(p *Package) []possibleHook {
	var all []possibleHook
	if p.Alias && p.Role == Storage {
		return nil // its types are its twin's
	}
	for _, pairs := range Pairs(p, b.version(p.APIVersion)) {
		n := pairs.Neighbour
		if p.Alias {
			n.Name, n.ImportPath = path.Base(p.Twin), p.Twin
		}
		for _, pair := range pairs.Pairs {
			for _, to := range []bool{true, false} {
				all = append(all, possibleHook{Hook{pair.Here.Name, n.Name, pair.There.Name, to}, n.ImportPath})
			}
		}
	}
	return all
}

// misfit says why a hook is none.
func misfit(p *Package, source HookSource, possible []possibleHook) string {
	var types, methods, want []string
	for _, h := range possible {
		types = append(types, h.Type)
		if h.Type == source.Receiver && h.To == strings.HasPrefix(source.Method, assignTo) {
			methods = append(methods, h.Method())
			want = append(want, h.declaration())
		}
	}
	switch {
	case len(possible) == 0:
		return fmt.Sprintf("no conversion calls %s: %s converts with no other package; a hook stands in the package farther from the hub", source.Method, p.Name)
	case p.has(source.Receiver):
		return fmt.Sprintf("no conversion calls %s: a resource converts by its halves, each of which converts alone too; write the hook for %[2]s_Spec or %[2]s_Status", source.Method, source.Receiver)
	case len(want) == 0:
		return fmt.Sprintf("no conversion calls %s: %s has no type %s that converts%s", source.Method, p.Name, source.Receiver, diag.DidYouMean(source.Receiver, types))
	case !slices.Contains(methods, source.Method):
		return fmt.Sprintf("no conversion calls %s: %s converts with no type of that name%s; expected %s",
			source.Method, source.Receiver, diag.DidYouMean(source.Method, methods), strings.Join(want, " or "))
	}
	return fmt.Sprintf("no conversion calls %s as it is; expected %s, and it is %s", source.Method, strings.Join(want, " or "), shorten(source.Signature))
}

// shorten writes a signature with the names of packages in the place of their
// import paths.
func shorten(signature string) string { return importFolder.ReplaceAllString(signature, "") }

// importFolder is all of an import path but its last element.
var importFolder = regexp.MustCompile(`[\w.~/-]*/`)

// CheckHooks reports the hooks that no conversion calls, each at its place.
func CheckHooks(packages []*Package, places []HookPlace) error {
	var errs diag.List
	for _, p := range packages {
		for _, m := range p.Misfits {
			var at HookPlace
			for _, place := range places {
				if place.Package == p.Name && place.Receiver == m.Receiver && place.Method == m.Method {
					at = place
				}
			}
			errs.Addf(at.File, at.Line, at.Column, "%s", m.Message)
		}
	}
	return errs.Err()
}

// DecodeHooks reads what armhooks has written: a list of [HookSource] or of
// [HookPlace].
func DecodeHooks[T HookSource | HookPlace](text []byte) ([]T, error) {
	var hooks []T
	if err := json.Unmarshal(text, &hooks); err != nil {
		return nil, fmt.Errorf("no list of hooks of this generator: %w", err)
	}
	return hooks, nil
}
