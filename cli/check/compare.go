package check

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/runtime/apiversion"
)

// comparison collects the findings about a group.
type comparison struct {
	before, after *group
	findings      []Finding
}

// compare returns what a person should know before the upgrade from a release to
// another, in the order of groups, codes and kinds.
func compare(before, after *release) []Finding {
	var all []Finding
	for _, name := range slices.Sorted(maps.Keys(before.groups)) {
		c := &comparison{before: before.groups[name], after: after.groups[name]}
		if before.webhook != after.webhook {
			c.add(webhookMoved, "", "", "", "the Service that converts was %s and is %s", before.webhook, after.webhook)
			c.add(wayBack, "", "", "", "the old CRDs name %s, where a webhook has to answer", before.webhook)
		}
		if c.after == nil {
			c.add(kindGone, "", "", "", "the new release does not have the group")
		} else {
			c.compareKinds()
			c.compareProposed()
			c.compareDocs()
			c.listAliases()
			c.comparePolicies()
			c.judgeWayBack()
		}
		all = append(all, c.findings...)
	}
	if is := after.price(); is.Live() > before.price().Live() && is.Warning() != "" {
		all = append(all, Finding{Code: memory.name, Level: memory.level, Message: is.Warning(), Do: memory.do})
	}
	sortFindings(all)
	return all
}

// merge adds findings to others, but none that is about the same.
func merge(all, more []Finding) []Finding {
	for _, f := range more {
		same := func(other Finding) bool {
			return other.Code == f.Code && other.Group == f.Group && other.Kind == f.Kind && other.Version == f.Version &&
				(f.Code == memory.name || f.Code == storedLost.name)
		}
		if !slices.ContainsFunc(all, same) {
			all = append(all, f)
		}
	}
	sortFindings(all)
	return all
}

// sortFindings sorts findings by groups, codes and kinds.
func sortFindings(all []Finding) {
	order := map[string]int{}
	for i, c := range codes {
		order[c.name] = i
	}
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), order[a.Code]-order[b.Code], cmp.Compare(a.Kind, b.Kind))
	})
}

// add adds a finding.
func (c *comparison) add(of code, kind, version, path, format string, args ...any) {
	c.findings = append(c.findings, Finding{of.name, of.level, c.before.name, kind, version, path, fmt.Sprintf(format, args...), of.do})
}

// compareKinds compares the CRDs.
func (c *comparison) compareKinds() {
	for _, name := range slices.Sorted(maps.Keys(c.before.crds)) {
		was, is := c.before.crds[name], c.after.crds[name]
		kind := was.Spec.Names.Kind
		if is == nil {
			with := "the new release does not have it"
			if c.after.listed[name] != nil {
				with = "the new release has it, but its CRDs leave it out"
			}
			c.add(kindGone, kind, "", "", "%s", with)
			continue
		}
		c.compareNames(kind, was, is)
		c.compareStored(kind, was, is)
		for _, v := range served(was) {
			if isServed(is, v.Name) {
				c.findings = append(c.findings, c.compareSchemas(kind, v.Name, v.Schema, version(is, v.Name).Schema)...)
			} else if !apiversion.IsStorage(v.Name) {
				c.addUnserved(kind, v.Name, c.after.listed[name])
			}
		}
	}
}

// addUnserved adds that a version is not served any longer. It breaks somebody if the
// release cannot serve it at all.
func (c *comparison) addUnserved(kind, version string, listed *crd.Summary) {
	of, message := versionGone, "it is not served any longer; armature serve can add it"
	if !slices.ContainsFunc(listed.Versions, func(v crd.Version) bool { return v.Name == version }) {
		of.level, message = breaks, "it is not served any longer, and the new release cannot serve it"
	}
	c.add(of, kind, version, "", "%s", message)
}

// compareNames compares what the API server and clients call a kind.
func (c *comparison) compareNames(kind string, was, is *apiextensionsv1.CustomResourceDefinition) {
	a, b := was.Spec.Names, is.Spec.Names
	for _, name := range []struct{ what, was, is string }{
		{"scope", string(was.Spec.Scope), string(is.Spec.Scope)},
		{"kind", a.Kind, b.Kind},
		{"listKind", a.ListKind, b.ListKind},
		{"singular", a.Singular, b.Singular},
	} {
		if name.was != name.is {
			c.add(kindChanged, kind, "", "", "its %s was %s and is %s", name.what, name.was, name.is)
		}
	}
	for _, names := range []struct {
		what    string
		was, is []string
	}{{"short name", a.ShortNames, b.ShortNames}, {"category", a.Categories, b.Categories}} {
		for _, name := range without(names.was, names.is) {
			c.add(kindChanged, kind, "", "", "it does not have the %s %s any longer", names.what, name)
		}
	}
}

// compareStored compares at which versions objects may be stored. An old storage
// version that is not in the new CRD cannot be read, and the API server refuses the CRD.
func (c *comparison) compareStored(kind string, was, is *apiextensionsv1.CustomResourceDefinition) {
	for _, v := range was.Spec.Versions {
		if apiversion.IsStorage(v.Name) && version(is, v.Name) == nil {
			c.add(storedLost, kind, v.Name, "", "objects may be stored at it, and the new CRD does not list it")
		}
	}
	before, after := hub(was), hub(is)
	if before == after || version(is, before) == nil {
		return
	}
	message := "objects are stored at it from now on, and no longer at " + before
	if !isServed(is, before) {
		message += ", which is not served: the operator of the old release waits until it is replaced"
	}
	c.add(hubMoved, kind, after, "", "%s", message)
}

// compareProposed compares the changes from one API version to another that no person
// has assessed.
func (c *comparison) compareProposed() {
	for _, line := range without(c.after.proposed, c.before.proposed) {
		since, change, _ := strings.Cut(line, " ")
		property, what, _ := strings.Cut(change, ": ")
		kind, path, _ := strings.Cut(property, ".")
		c.add(changeProposed, kind, since, path, "%s, and only a tool has said why", what)
	}
}

// compareDocs adds the versions that have lost their descriptions.
func (c *comparison) compareDocs() {
	for _, name := range slices.Sorted(maps.Keys(c.after.listed)) {
		is, was := c.after.listed[name], c.before.listed[name]
		for _, v := range is.Versions {
			described := func(old crd.Version) bool { return old.Name == v.Name && !old.WithoutDocs }
			if v.WithoutDocs && was != nil && slices.ContainsFunc(was.Versions, described) {
				c.add(docsGone, is.Kind, v.Name, "", "it has no descriptions any longer: it was built from its facts alone")
			}
		}
	}
}

// listAliases adds the served aliases that a later release does not have any longer.
func (c *comparison) listAliases() {
	for _, name := range slices.Sorted(maps.Keys(c.after.listed)) {
		is := c.after.crds[name]
		for _, v := range c.after.listed[name].Versions {
			if v.Until != "" && is != nil && isServed(is, v.Name) {
				c.add(aliasGoes, is.Spec.Names.Kind, v.Name, "", "release %s does not have this alias any longer", v.Until)
			}
		}
	}
}

// judgeWayBack adds what is in the way from the new release back to the old one. It is
// the upgrade in the other direction, while the newer webhook stays.
func (c *comparison) judgeWayBack() {
	back := &comparison{before: c.after, after: c.before}
	back.compareKinds()
	for _, f := range back.findings {
		message, known := map[string]string{
			kindGone.name:       "the old release does not have the kind: its webhook converts no objects of it",
			storedLost.name:     "the API server refuses the old CRD, which does not list it: armature serve with the old release adds it",
			versionGone.name:    "clients that use it by then fail, because the old CRD does not serve it",
			propertyGone.name:   "the old CRD does not have the property: writes at this version drop it",
			requiredAdded.name:  "the old CRD requires it: the next write of an object without it is refused",
			schemaNarrowed.name: "the old CRD accepts less: the next write of an object may be refused",
			defaultChanged.name: "the old CRD has another default",
		}[f.Code]
		if known {
			c.add(wayBack, f.Kind, f.Version, f.Path, "%s", message)
		}
	}
}

// served returns the versions that a CRD serves.
func served(c *apiextensionsv1.CustomResourceDefinition) []apiextensionsv1.CustomResourceDefinitionVersion {
	var all []apiextensionsv1.CustomResourceDefinitionVersion
	for _, v := range c.Spec.Versions {
		if v.Served {
			all = append(all, v)
		}
	}
	return all
}

// version returns a version of a CRD, or nil.
func version(c *apiextensionsv1.CustomResourceDefinition, name string) *apiextensionsv1.CustomResourceDefinitionVersion {
	i := slices.IndexFunc(c.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return v.Name == name })
	if i < 0 {
		return nil
	}
	return &c.Spec.Versions[i]
}

func isServed(c *apiextensionsv1.CustomResourceDefinition, name string) bool {
	v := version(c, name)
	return v != nil && v.Served
}

// hub returns the version at which a CRD stores objects.
func hub(c *apiextensionsv1.CustomResourceDefinition) string {
	for _, v := range c.Spec.Versions {
		if v.Storage {
			return v.Name
		}
	}
	return ""
}

// without returns the texts of a list that another one does not have.
func without(all, others []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(text string) bool { return slices.Contains(others, text) })
}
