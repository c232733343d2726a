package crd

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
)

// Find returns the CRD of a kind that a person has named as for kubectl: by kind, plural
// or short name, in any case, alone or with the group after a dot. The beginning of the
// group's name is enough.
func Find(name string, groups ...*Index) (*Summary, error) {
	var found []*Summary
	var names, full []string
	for _, s := range all(groups) {
		if s.isNamed(name) {
			found, full = append(found, s), append(full, s.Name)
		}
		names = append(append(names, s.Kind, s.Plural), s.ShortNames...)
	}
	switch len(found) {
	case 0:
		alone, _, _ := strings.Cut(name, ".")
		return nil, fmt.Errorf("no kind is %s%s", name, diag.DidYouMean(alone, names))
	case 1:
		return found[0], nil
	}
	return nil, fmt.Errorf("several kinds are named %s: expected one of %s", name, strings.Join(full, ", "))
}

// CheckKinds returns an error if one of the names of kinds does not name one, as for
// [Find]. A name may be a pattern of [path.Match] for kinds instead.
func CheckKinds(kinds []string, groups ...*Index) error {
	var errs diag.List
	for _, name := range kinds {
		if isPattern(name) && slices.ContainsFunc(all(groups), func(s *Summary) bool { return s.isOf(name) }) {
			continue
		}
		if _, err := Find(name, groups...); err != nil {
			errs.Addf("", 0, 0, "%v", err)
		}
	}
	return errs.Err()
}

// isOf reports whether a name or a pattern is for the kind.
func (s *Summary) isOf(name string) bool {
	if !isPattern(name) {
		return s.isNamed(name)
	}
	matches, err := path.Match(strings.ToLower(name), strings.ToLower(s.Kind))
	return err == nil && matches
}

func isPattern(name string) bool { return strings.ContainsAny(name, `*?[\`) }

// isNamed reports whether a name is one of the kind's, alone or with the group.
func (s *Summary) isNamed(name string) bool {
	name, group, _ := strings.Cut(strings.ToLower(name), ".")
	if !strings.HasPrefix(s.Group()+".", group+".") && group != "" {
		return false
	}
	return name == strings.ToLower(s.Kind) || name == s.Plural || slices.Contains(s.ShortNames, name)
}

// all returns the CRDs of groups.
func all(groups []*Index) []*Summary {
	var crds []*Summary
	for _, x := range groups {
		crds = append(crds, x.CRDs...)
	}
	return crds
}
