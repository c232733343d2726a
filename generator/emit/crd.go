package emit

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/lock"
	"k8s.io/apimachinery/pkg/version"
)

// CRDs returns the files of a group's CRD folder, by name, and the size of each
// CRD. The files are a CRD for each kind, the admission policies, and a
// kustomization of all. A CRD lists the API versions that are not retired, the hub,
// and the storage versions that were the hub before, the last of which is served
// for the operator of the release before. A CRD that is too big to be
// installed is an error.
//
// The CRDs do not say which webhook converts, so that the API server refuses
// them until a [Webhook] completes them.
func CRDs(versions []*ir.Version, packages []*plan.Package, lock *lock.Lock, meta Meta) (map[string][]byte, []Size, error) {
	kinds, err := listed(versions, packages, lock, meta)
	if err != nil {
		return nil, nil, err
	}
	files := map[string][]byte{}
	var sizes []Size
	var errs diag.List
	for _, all := range kinds {
		name := all[0].pkg.Group + "_" + all[0].Plural + ".yaml"
		content := crd(all)
		files[name] = append([]byte("---\n"), encodeYAML(content)...)
		size := weigh(content, all)
		sizes = append(sizes, size)
		if size.Bytes > MaxCRDBytes {
			errs.Add(diag.Error{File: name, Message: tooLarge(untyping(all, size))})
		}
	}
	if err := errs.Err(); err != nil {
		return nil, nil, err
	}
	files[packages[0].Group+PoliciesSuffix] = policies(packages[0].Group, publishedVersions(packages, lock), identitiesOf(kinds))
	files["kustomization.yaml"] = Kustomization(slices.Sorted(maps.Keys(files)))
	slices.SortFunc(sizes, func(a, b Size) int { return cmp.Compare(a.CRD, b.CRD) })
	return files, sizes, nil
}

// listed returns the versions of each CRD, by kind, in the order of the CRD.
func listed(versions []*ir.Version, packages []*plan.Package, lock *lock.Lock, meta Meta) (map[string][]crdVersion, error) {
	shapes := map[string]*ir.Version{}
	for _, v := range versions {
		shapes[v.APIVersion] = v
	}
	kinds := map[string][]crdVersion{}
	for _, p := range packages {
		v := shapes[p.APIVersion]
		if v == nil {
			return nil, fmt.Errorf("package %s has API version %s, but the inputs have no IR of that version", p.Name, p.APIVersion)
		}
		g := newGoPackage(p, v)
		for _, r := range g.resources() {
			if role, isListed := roleInCRD(p, r, lock); isListed {
				kinds[r.Kind] = append(kinds[r.Kind], crdVersion{g, r, role, meta})
			}
		}
	}
	for _, all := range kinds {
		slices.SortFunc(all, func(a, b crdVersion) int {
			return version.CompareKubeAwareVersionStrings(b.pkg.Name, a.pkg.Name)
		})
	}
	return kinds, nil
}

// crdVersion is a version in a CRD.
type crdVersion struct {
	pkg *goPackage
	resource
	role crdRole
	meta Meta
}

// isStored reports whether the version is a storage version.
func (v crdVersion) isStored() bool {
	return v.role == hub || v.role == lastHub || v.role == formerHub
}

// isServed reports whether clients may ask for the version.
func (v crdVersion) isServed() bool { return v.role != formerHub }

// crdRole is the reason why a CRD lists a version.
type crdRole int

const (
	served    crdRole = iota // an API version
	alias                    // an API version under an older prefix
	hub                      // where objects are stored
	lastHub                  // where objects were stored until the hub moved
	formerHub                // where objects were stored before that, or as an alias
)

// roleInCRD returns why a package's version of a resource is listed in the CRD,
// and reports whether it is: a retired version is not, an alias is while the
// lock lists its storage version.
func roleInCRD(p *plan.Package, r resource, lock *lock.Lock) (crdRole, bool) {
	locked := lock.Resources[r.Kind]
	switch {
	case p.Role == plan.API && p.Alias:
		return alias, locked.Lists(r.Next)
	case p.Role == plan.API:
		return served, !p.Retired
	case r.Hub:
		return hub, true
	case len(locked.Former) > 0 && p.Name == locked.Former[len(locked.Former)-1]:
		return lastHub, true
	default:
		return formerHub, locked.Lists(p.Name)
	}
}

// crd returns the CRD of a kind. Kubernetes serves the first version by default;
// it has the full docs.
func crd(all []crdVersion) node {
	first := all[0]
	names := node{
		"kind":     first.Kind,
		"listKind": first.Kind + "List",
		"plural":   first.Plural,
		"singular": first.Singular,
	}
	if len(first.ShortNames) > 0 {
		names["shortNames"] = texts(first.ShortNames)
	}
	if len(first.Categories) > 0 {
		names["categories"] = texts(first.Categories)
	}
	versions := make(list, len(all))
	for i, v := range all {
		versions[i] = v.entry(i == 0)
	}
	return node{
		"apiVersion": "apiextensions.k8s.io/v1",
		"kind":       "CustomResourceDefinition",
		"metadata":   node{"name": first.Plural + "." + first.pkg.Group},
		"spec": node{
			"conversion": reviewVersions(),
			"group":      first.pkg.Group,
			"names":      names,
			"scope":      "Namespaced",
			"versions":   versions,
		},
	}
}

// entry returns the CRD's entry for a version.
func (v crdVersion) entry(isDefault bool) node {
	columns := make(list, len(printColumns))
	for i, c := range printColumns {
		column := node{"name": c.name, "type": c.kind, "jsonPath": c.path}
		if c.priority > 0 {
			column["priority"] = c.priority
		}
		columns[i] = column
	}
	n := node{
		"name":                     v.pkg.Name,
		"served":                   v.isServed(),
		"storage":                  v.role == hub,
		"subresources":             node{"status": node{}},
		"additionalPrinterColumns": columns,
		"schema":                   node{"openAPIV3Schema": v.schema(isDefault)},
	}
	if v.Deprecated != "" {
		n["deprecated"] = true
		n["deprecationWarning"] = v.Deprecated
	}
	return n
}

// schema returns the schema of a version. That of a storage version accepts
// everything: what is stored was validated as an API version.
func (v crdVersion) schema(isDefault bool) node {
	if v.isStored() {
		return node{"type": "object", preserve: true}
	}
	return v.schemer(isDefault).root(v.resource)
}

// schemer returns what makes the schema of an API version.
func (v crdVersion) schemer(isDefault bool) *schemer {
	s := &schemer{goPackage: v.pkg, docs: firstSentences, meta: v.meta}
	switch {
	case v.role == alias:
		s.docs = noDocs
	case isDefault:
		s.docs = fullDocs
	}
	return s
}

// Kustomization returns the text of a kustomization of files.
func Kustomization(files []string) []byte {
	var text strings.Builder
	text.WriteString("apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n")
	for _, file := range files {
		text.WriteString("- " + file + "\n")
	}
	return []byte(text.String())
}
