package service

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/tools/specs/layout"
)

// NoTypesError reports a choice that selects nothing: the specs may describe no resource
// of a provider that a PUT creates.
type NoTypesError struct {
	Provider string
	Versions []string // those of the choice, which may be none
}

func (e *NoTypesError) Error() string {
	return fmt.Sprintf("no resource type of %s is described at %s", e.Provider, cmp.Or(strings.Join(e.Versions, ", "), "any version"))
}

// chosen says what is read for a group.
type chosen struct {
	// kinds has the kind of each resource type.
	kinds map[string]string
	// documents are those of each version that describe the group's resources. Names are relative to the folder of the
	// specs or to the repository. formats has the formats that BUILD.bazel gives to some.
	documents map[string][]string
	formats   map[string]string
	// evidence has the Swagger documents of the checkout that describe the types, by version.
	evidence map[string][]string
	// added has the versions that have documents which the group did not have.
	added []string
}

// apiVersions returns the versions in order.
func (c *chosen) apiVersions() []string {
	return slices.SortedFunc(maps.Keys(c.documents), naming.CompareVersions)
}

// types returns the resource types, sorted.
func (c *chosen) types() []string { return slices.SortedFunc(maps.Keys(c.kinds), compareFolded) }

func compareFolded(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) }

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
	documents := map[string][]string{}
	var found []string
	for _, folded := range types {
		at := layout.Newest(has[folded])
		if len(c.Versions) > 0 {
			at = slices.DeleteFunc(slices.Clone(has[folded]), func(v string) bool { return !slices.Contains(c.Versions, v) })
		}
		if len(at) == 0 {
			continue
		}
		found = append(found, spelled[folded])
		for _, v := range at {
			for doc, types := range byName[v].Types {
				describes := slices.ContainsFunc(types, func(t string) bool { return strings.EqualFold(t, folded) })
				if describes && !slices.Contains(documents[v], doc) {
					documents[v] = append(documents[v], doc)
				}
			}
		}
	}
	if len(found) == 0 {
		return nil, &NoTypesError{provider, c.Versions}
	}
	for _, docs := range documents {
		slices.Sort(docs)
	}
	slices.Sort(found)
	return &chosen{kinds: Kinds(found), documents: documents, evidence: swaggerDocs(found, versions)}, nil
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

// swaggerDocs returns the documents of each version whose Swagger describes one of some types.
func swaggerDocs(types []string, versions []*Version) map[string][]string {
	found := map[string][]string{}
	for _, v := range versions {
		for doc, described := range v.Types {
			if strings.HasPrefix(doc, layout.SwaggerFolder+"/") && slices.ContainsFunc(types, func(t string) bool {
				return slices.ContainsFunc(described, func(d string) bool { return strings.EqualFold(d, t) })
			}) {
				found[v.APIVersion] = append(found[v.APIVersion], doc)
			}
		}
		slices.Sort(found[v.APIVersion])
	}
	return found
}

// chosen returns what a group has.
func (e *existing) chosen() *chosen {
	return &chosen{kinds: e.decisions.Load().Exports, documents: e.build.documents, formats: e.build.formats}
}

// choose adds the documents of the versions that an update asks for to those that a group has.
func (e *existing) choose(u Update) (*chosen, error) {
	has := e.chosen()
	if e.inTree {
		return has, nil
	}
	if err := u.Specs.usable(u.Repository); err != nil {
		return nil, err
	}
	provider, docs, err := u.Specs.Provider(e.provider)
	if err != nil {
		return nil, err
	}
	documents, err := e.follow(provider, docs)
	if err != nil {
		return nil, err
	}
	o, err := u.Specs.offer(provider, docs)
	if err != nil {
		return nil, err
	}
	types := has.types()
	c := &chosen{kinds: has.kinds, documents: documents, formats: has.formats, evidence: swaggerDocs(types, o.versions)}
	wanted := newest(types, o.versions, u, e.hubs())
	if u.APIVersion != "" {
		wanted = map[string][]string{u.APIVersion: types}
		if docs[u.APIVersion] == nil {
			names := slices.SortedFunc(maps.Keys(docs), naming.CompareVersions)
			return nil, fmt.Errorf("the specs have no version %s of %s; they have %s", u.APIVersion, provider, strings.Join(names, ", "))
		}
	}
	for _, v := range o.versions {
		if types := wanted[v.APIVersion]; types != nil && addDocuments(documents, v, types) {
			c.added = append(c.added, v.APIVersion)
		}
	}
	if u.APIVersion != "" && len(c.added) == 0 && documents[u.APIVersion] == nil {
		return nil, fmt.Errorf("version %s of %s has none of the group's resource types, %s", u.APIVersion, provider,
			strings.Join(types, ", "))
	}
	return c, nil
}

// follow returns the documents of a group. Those that the specs have no longer, as after a move of the pin, it replaces
// by those of the same name in another folder of the version, and by those that describe what no other document of the
// version describes any more. A version of which nothing is found stays as it is.
func (e *existing) follow(provider string, docs map[string][]string) (map[string][]string, error) {
	documents := maps.Clone(e.build.documents)
	for v, named := range e.build.documents {
		isGone := func(doc string) bool {
			_, err := os.Stat(e.specs.path(doc))
			return os.IsNotExist(err)
		}
		if len(docs[v]) == 0 || !slices.ContainsFunc(named, isGone) {
			continue
		}
		found := map[string]bool{}
		for _, doc := range named {
			if !isGone(doc) {
				found[doc] = true
				continue
			}
			for _, other := range docs[v] {
				if path.Base(other) == path.Base(doc) {
					found[other] = true
				}
			}
		}
		all, err := e.specs.Version(provider, v, docs[v])
		if err != nil {
			return nil, err
		}
		documents[v] = slices.Sorted(maps.Keys(found))
		if known := e.known[v]; known != nil {
			var types []string
			for _, r := range known.Resources {
				types = append(types, r.Type)
			}
			addDocuments(documents, all, types)
		}
		if len(documents[v]) == 0 {
			documents[v] = named
		}
	}
	return documents, nil
}

// hubs returns the versions that group.yaml names as hubs, by the type in lower case.
func (e *existing) hubs() map[string]string {
	hubs := map[string]string{}
	for armType, export := range e.decisions.Exports {
		hubs[strings.ToLower(armType)] = export.Hub
	}
	return hubs
}

// newest returns the newest versions of types that an update asks for, with the types that want each. None is older
// than the hub that a person chose for the type: the stable one of diagnosticSettings has other resources.
func newest(types []string, versions []*Version, u Update, hubs map[string]string) map[string][]string {
	wanted := map[string][]string{}
	for _, t := range types {
		stable, preview, hub := u.Stable, u.Preview, hubs[strings.ToLower(t)]
		for _, v := range slices.Backward(versions) {
			parsed, err := naming.ParseVersion(v.APIVersion)
			switch {
			case err != nil || !v.describes(t):
			case hub != "" && naming.CompareVersions(v.APIVersion, hub) < 0:
			case parsed.Preview() && preview:
				wanted[v.APIVersion] = append(wanted[v.APIVersion], t)
				preview = false
			case !parsed.Preview() && stable > 0:
				wanted[v.APIVersion] = append(wanted[v.APIVersion], t)
				stable, preview = stable-1, false
			}
		}
	}
	return wanted
}

// addDocuments adds the documents of a version that describe wanted types which those of the
// group do not describe at that version: another source of the others could change what is
// published. It reports whether there are any.
func addDocuments(documents map[string][]string, v *Version, wanted []string) bool {
	has := &Version{Types: map[string][]string{}}
	for _, doc := range documents[v.APIVersion] {
		has.Types[doc] = v.Types[doc]
	}
	var added []string
	for doc, types := range v.Types {
		isNew := func(t string) bool {
			exported := func(export string) bool { return strings.EqualFold(export, t) }
			return slices.ContainsFunc(wanted, exported) && !has.describes(t)
		}
		if has.Types[doc] == nil && slices.ContainsFunc(types, isNew) {
			added = append(added, doc)
		}
	}
	if len(added) == 0 {
		return false
	}
	documents[v.APIVersion] = slices.Sorted(slices.Values(append(added, documents[v.APIVersion]...)))
	return true
}
