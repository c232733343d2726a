package crd

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/version"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/manifests"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/lock"
	"github.com/armature-dev/armature/generator/shape"
	"github.com/armature-dev/armature/runtime/annotation"
)

// Files returns the files of a group's CRD folder, by name, and their index. The
// files are a CRD for each kind, the admission policies, a kustomization of these,
// and the index. A CRD lists the API versions that are not retired, the hub, and the
// storage versions that were the hub before, the last of which is served for the
// operator of the release before. A CRD that is too big to be installed is an error.
//
// The CRDs do not say which webhook converts, so that the API server refuses them
// until a [Webhook] completes them.
func Files(versions []*ir.Version, packages []*plan.Package, lock *lock.Lock, meta Meta) (map[string][]byte, *Index, error) {
	kinds, err := listed(versions, packages, lock, meta)
	if err != nil {
		return nil, nil, err
	}
	group := packages[0].Group
	files := map[string][]byte{}
	index := &Index{Group: group}
	var errs diag.List
	for _, all := range kinds {
		text, sizes := define(all).encode()
		c := summarize(all, sizes)
		files[c.File] = text
		index.CRDs = append(index.CRDs, c)
		if c.Bytes > MaxBytes {
			errs.Add(diag.Error{File: c.File, Message: tooLarge(untyping(all, c))})
		}
	}
	if err := errs.Err(); err != nil {
		return nil, nil, err
	}
	slices.SortFunc(index.CRDs, func(a, b *Summary) int { return strings.Compare(a.Name, b.Name) })
	policies := policiesOf(kinds)
	policies.Group, policies.Published = group, publishedVersions(packages, lock)
	files[group+manifests.PoliciesSuffix] = policies.Text()
	files[manifests.KustomizationFile] = manifests.Kustomization(slices.Sorted(maps.Keys(files)))
	for _, c := range plan.ChangesBy(packages, plan.Tool) {
		index.Proposed = append(index.Proposed, c.Line())
	}
	files[IndexFile] = index.text()
	return files, index, nil
}

// listed returns the versions of each CRD, by kind, in the order of the CRD.
func listed(versions []*ir.Version, packages []*plan.Package, lock *lock.Lock, meta Meta) (map[string][]listing, error) {
	shapes := map[string]*ir.Version{}
	relaxed, demands := relax(versions, packages)
	for _, v := range relaxed {
		shapes[v.APIVersion] = v
	}
	kinds := map[string][]listing{}
	for _, p := range packages {
		v := shapes[p.APIVersion]
		if v == nil {
			return nil, fmt.Errorf("package %s has API version %s, but the inputs have no IR of that version", p.Name, p.APIVersion)
		}
		pkg := shape.New(p, v)
		var stops map[Stop]bool
		if p.Role == plan.API {
			stops = Stops(pkg.Version)
		}
		for _, r := range pkg.Declared() {
			if role, isListed := roleInCRD(p, r, lock); isListed {
				kinds[r.Kind] = append(kinds[r.Kind], listing{pkg, r, role, stops, demands[p.APIVersion], meta})
			}
		}
	}
	for _, all := range kinds {
		slices.SortFunc(all, func(a, b listing) int {
			return version.CompareKubeAwareVersionStrings(b.pkg.Name, a.pkg.Name)
		})
	}
	return kinds, nil
}

// listing is a version of a resource that a CRD lists.
type listing struct {
	pkg *shape.Package
	shape.Resource
	role  role
	stops map[Stop]bool
	// demands are those that the schema does not make.
	demands map[demand]bool
	meta    Meta
}

// isStored reports whether the version is a storage version.
func (v listing) isStored() bool { return v.role == hub || v.role == lastHub || v.role == formerHub }

// isServed reports whether clients may ask for the version.
func (v listing) isServed() bool { return v.role != formerHub }

// role is the reason why a CRD lists a version.
type role int

const (
	served    role = iota // an API version
	alias                 // an API version under an older prefix
	hub                   // where objects are stored
	lastHub               // where objects were stored until the hub moved
	formerHub             // where objects were stored before that, or as an alias
)

// roleInCRD returns why a package's version of a resource is listed in the CRD,
// and reports whether it is: a retired version is not, an alias is while the
// lock lists its storage version.
func roleInCRD(p *plan.Package, r shape.Resource, lock *lock.Lock) (role, bool) {
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

// define returns the CRD of a kind. Kubernetes serves the first version by default;
// it has the full docs, and alone describes the Status.
func define(all []listing) *Definition {
	first := all[0]
	d := &Definition{APIVersion: apiVersion, Kind: kind}
	d.Metadata.Name = first.Plural + "." + first.pkg.Group
	d.Spec.Conversion = newConversion()
	d.Spec.Group = first.pkg.Group
	d.Spec.Names = names{
		Categories: first.Categories,
		Kind:       first.Kind,
		ListKind:   first.Kind + "List",
		Plural:     first.Plural,
		ShortNames: first.ShortNames,
		Singular:   first.Singular,
	}
	d.Spec.Scope = "Namespaced"
	for _, v := range all {
		d.Spec.Versions = append(d.Spec.Versions, v.entry(first.pkg.Name))
	}
	return d
}

// Columns are the columns that kubectl shows for every resource.
var Columns = []Column{
	{Name: "Ready", Type: "string", JSONPath: `.status.conditions[?(@.type=='Ready')].status`},
	{Name: "Reason", Type: "string", JSONPath: `.status.conditions[?(@.type=='Ready')].reason`},
	{Name: "Message", Type: "string", JSONPath: `.status.conditions[?(@.type=='Ready')].message`},
	{Name: "Age", Type: "date", JSONPath: `.metadata.creationTimestamp`},
	// The version in which ARM is spoken to is not that of the table.
	// What an annotation says is not always what applies: its Namespace may say it, or that the resource was adopted.
	{Name: "Stays In Azure", Type: "string", JSONPath: `.status.conditions[?(@.type=='StaysInAzure')].reason`, Priority: 1},
	{Name: "ARM Version", Type: "string", JSONPath: annotationPath(annotation.SentAPIVersion), Priority: 1},
}

// annotationPath returns the JSONPath of an annotation.
func annotationPath(name string) string {
	return ".metadata.annotations." + strings.ReplaceAll(name, ".", `\.`)
}

// entry returns the CRD's entry for a version, beside the default one.
func (v listing) entry(byDefault string) *entry {
	e := &entry{
		Columns:            Columns,
		Deprecated:         v.Deprecated != "",
		DeprecationWarning: v.Deprecated,
		Name:               v.pkg.Name,
		Served:             v.isServed(),
		Storage:            v.role == hub,
	}
	e.Schema.Root = v.schema(byDefault)
	return e
}

// schema returns the schema of a version. That of a storage version accepts
// everything: what is stored was validated as an API version. It has the default
// of the Status, because an API server drops the Status of an object that is
// created, default included, and sets the defaults of the version at which it
// reads what is stored.
func (v listing) schema(byDefault string) *schema {
	s := v.schemer(byDefault)
	if !v.isStored() {
		return s.root(v.Resource)
	}
	open := &schema{Type: "object", PreserveUnknown: true}
	if status := s.Type(v.Resource.Shape.Status); status != nil {
		if value := unseen(status); value != nil {
			open.Properties = map[string]*schema{"status": {Type: "object", PreserveUnknown: true, Default: value}}
		}
	}
	return open
}

// schemer returns what makes the schema of an API version.
func (v listing) schemer(byDefault string) *schemer {
	s := &schemer{Package: v.pkg, stops: v.stops, docs: firstSentences, describedAt: byDefault, meta: v.meta}
	if v.pkg.Name == byDefault {
		s.docs, s.describedAt = fullDocs, ""
	}
	if v.role == alias {
		s.docs = noDocs
	}
	return s
}
