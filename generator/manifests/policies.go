package manifests

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// PoliciesSuffix ends the name of the file in a group's CRD folder that has the
// group's admission policies. The name begins with the API group.
const PoliciesSuffix = ".policies.yaml"

// maxAnnotations is how many bytes the annotations that clients write may have. The
// API server takes 256 KiB of all; the rest is for the marker that a read adds
// where the remainder has no room.
const maxAnnotations = 252 << 10

// Policies has the fields of the admission policies of a group.
type Policies struct {
	// Group is the API group.
	Group string
	// Published has the API versions that may be asked for, by kind.
	Published map[string][]string
	// AnyOwner has the kinds whose owner can be of any kind, NoOwner those that have
	// none, and FixedName those whose name in Azure the user cannot choose.
	AnyOwner, NoOwner, FixedName []string
	// Names has the limits on names in Azure, and Enums the properties whose values are
	// known, but not all.
	Names []NameLimits
	Enums []OpenEnum
	// Fixed has what cannot change once ARM has the resource, which an object shows by one of
	// the properties IDs of its Status.
	Fixed []Fixed
	IDs   []string
	// Demands has what versions require of a Spec, and schemas do not.
	Demands []Demand
}

// list returns the policies of the group, in the order of the file. A policy that would
// say nothing about any kind is left out.
func (p Policies) list() []policy {
	all := []policy{{"storage-versions", "Deny"}, {"arm-ids", "Deny"}}
	if len(p.Names) > 0 {
		all = append(all, policy{"names", "Deny"})
	}
	if len(p.Demands) > 0 {
		all = append(all, policy{"required", "Deny"})
	}
	if len(p.Fixed) > 0 {
		all = append(all, policy{"create-only", "Deny"})
	}
	if len(p.Enums) > 0 {
		all = append(all, policy{"known-values", "Warn"})
	}
	return append(all, policy{"annotations", "Deny"}, policy{"deletion", "Deny"}, policy{"served-versions", "Deny"})
}

// policy is the name of a policy, and what becomes of a write that it does not allow.
type policy struct{ Policy, Action string }

// IsData reports whether a variable of a policy has what the kinds and versions of a release
// are: it grows with every version, which says nothing about the policy.
func IsData(variable string) bool {
	return slices.Contains([]string{"published", "limits", "known", "unknown", "missing", "fixed"}, variable) ||
		strings.HasPrefix(variable, "part")
}

// Text returns the text of the policies with their bindings.
func (p Policies) Text() []byte {
	fields := struct {
		Policies
		Versions       string
		MaxAnnotations int
		Annotations    names
		Limits         string
		Known, Unknown []string
		Missing        []string
		FixedTable     string
		Was, Now, Had  string
	}{
		p, versions(p.Published), maxAnnotations, annotations, limits(p.Names), knownValues(p.Enums), unknownValues(p.Enums),
		missing(p.Demands), table(p.Fixed),
		at("oldObject.spec", "f.path", p.Fixed), at("object.spec", "f.path", p.Fixed), at("oldObject.status", "f.shown", p.Fixed),
	}
	var text []byte
	for _, one := range p.list() {
		text = append(text, render("policy-"+one.Policy, fields)...)
		text = append(text, render("policy-binding", struct {
			policy
			Group string
		}{one, p.Group})...)
	}
	return text
}

// versions returns the versions by kind as a list in CEL. Kinds with the same
// versions share an element, because CEL limits the length of an expression.
func versions(published map[string][]string) string {
	kinds := map[string][]string{}
	for _, kind := range slices.Sorted(maps.Keys(published)) {
		versions := celList(published[kind])
		kinds[versions] = append(kinds[versions], kind)
	}
	var elements []string
	for versions, kinds := range kinds {
		elements = append(elements, fmt.Sprintf("{'kinds': %s, 'versions': %s}", celList(kinds), versions))
	}
	slices.Sort(elements)
	return "[" + strings.Join(elements, ", ") + "]"
}
