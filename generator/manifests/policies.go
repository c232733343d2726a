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
}

// policies are the names of the policies, in the order of the file.
var policies = []string{"storage-versions", "arm-ids", "annotations", "served-versions"}

// Text returns the text of the policies with their bindings.
func (p Policies) Text() []byte {
	fields := struct {
		Policies
		Versions       string
		MaxAnnotations int
		Names          names
	}{p, versions(p.Published), maxAnnotations, annotations}
	var text []byte
	for _, name := range policies {
		text = append(text, render("policy-"+name, fields)...)
		text = append(text, render("policy-binding", struct{ Policy, Group string }{name, p.Group})...)
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
