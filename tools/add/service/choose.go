package service

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/tools/specs/layout"
)

// Choice says which resource types and API versions of a provider to add.
type Choice struct {
	// Types are patterns of [path.Match] for resource types, without the
	// provider, such as "virtualNetworks" or "virtualNetworks/*". Without any, all
	// types are chosen.
	Types []string
	// Versions are API versions. Without any, each type is added at its newest
	// stable version and at the previews newer than that, or, if it has no stable
	// version, at its newest preview.
	Versions []string
}

// NoTypesError reports a choice that selects nothing: the specs may describe no resource
// of a provider that a PUT creates.
type NoTypesError struct {
	Provider string
	Versions []string // those of the choice, which may be none
}

func (e *NoTypesError) Error() string {
	return fmt.Sprintf("no resource type of %s is described at %s", e.Provider, cmp.Or(strings.Join(e.Versions, ", "), "any version"))
}

// chosen has the documents of each API version, and the resource types as the
// newest version spells them.
type chosen struct {
	documents map[string][]string
	types     []string
}

// choose returns what a choice selects from the versions, which are all of the
// provider's.
func (c Choice) choose(provider string, versions []*Version) (*chosen, error) {
	byName := map[string]*Version{}
	var names []string
	spelled := map[string]string{} // the newest spelling of each folded type
	has := map[string][]string{}   // the versions of each folded type
	for _, v := range versions {
		byName[v.APIVersion] = v
		names = append(names, v.APIVersion)
	}
	slices.SortFunc(names, naming.CompareVersions)
	for _, name := range names {
		for _, types := range byName[name].Types {
			for _, t := range types {
				folded := strings.ToLower(t)
				spelled[folded] = t
				if !slices.Contains(has[folded], name) {
					has[folded] = append(has[folded], name)
				}
			}
		}
	}
	types, err := c.matching(provider, spelled)
	if err != nil {
		return nil, err
	}
	for _, v := range c.Versions {
		if byName[v] == nil {
			return nil, fmt.Errorf("%s has no version %s; it has %s", provider, v, strings.Join(names, ", "))
		}
	}
	out := &chosen{documents: map[string][]string{}}
	for _, folded := range types {
		at := layout.Newest(has[folded])
		if len(c.Versions) > 0 {
			at = slices.DeleteFunc(slices.Clone(has[folded]), func(v string) bool { return !slices.Contains(c.Versions, v) })
		}
		if len(at) == 0 {
			continue
		}
		out.types = append(out.types, spelled[folded])
		for _, v := range at {
			for doc, types := range byName[v].Types {
				describes := slices.ContainsFunc(types, func(t string) bool { return strings.EqualFold(t, folded) })
				if describes && !slices.Contains(out.documents[v], doc) {
					out.documents[v] = append(out.documents[v], doc)
				}
			}
		}
	}
	if len(out.types) == 0 {
		return nil, &NoTypesError{provider, c.Versions}
	}
	for _, docs := range out.documents {
		slices.Sort(docs)
	}
	slices.Sort(out.types)
	return out, nil
}

// matching returns the folded types that the patterns select, sorted.
func (c Choice) matching(provider string, spelled map[string]string) ([]string, error) {
	var all, short []string
	for folded, t := range spelled {
		all = append(all, folded)
		short = append(short, t[len(provider)+1:])
	}
	slices.Sort(all)
	slices.Sort(short)
	if len(c.Types) == 0 {
		return all, nil
	}
	var errs diag.List
	selected := map[string]bool{}
	for _, pattern := range c.Types {
		folded := strings.TrimPrefix(strings.ToLower(pattern), strings.ToLower(provider)+"/")
		found := false
		for _, t := range all {
			ok, err := path.Match(folded, t[len(provider)+1:])
			if err != nil {
				return nil, fmt.Errorf("--types=%s: %w", pattern, err)
			}
			if ok {
				selected[t], found = true, true
			}
		}
		if !found {
			errs.Addf("", 0, 0, "--types=%s selects no type of %s%s", pattern, provider, diag.DidYouMean(pattern, short))
		}
	}
	return slices.DeleteFunc(all, func(t string) bool { return !selected[t] }), errs.Err()
}
