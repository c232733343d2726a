// Package site writes pages of static HTML about a service group: for each kind what it is,
// a sample, its Spec and Status as trees that unfold, and what changed from version to
// version. Its main function is [Files].
//
// A page needs no server and no other host, and works from a file; only the search needs a
// script. Addresses stay: <group>/<kind>/<version>.html#spec.sku.name, in lower case. The
// files that all groups share are made by the package front, in the folder above.
package site

import (
	"cmp"
	_ "embed"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/evolution"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/sample"
	"github.com/armature-dev/armature/generator/site/page"
)

// Input holds what the pages of a group are made of. Its shapes have limits, and docs where
// the specs were there.
type Input struct {
	evolution.Input
	// Given has what the group gives for its samples, or nil.
	Given *sample.Given
	// Folder is the name of the folder of the group in the site.
	Folder string
}

//go:embed site.tmpl
var text string

var pages = page.Templates(text)

// Files returns the pages of a group, and the script with its properties, by their names,
// and what the pages over all groups say of it.
func Files(in Input) (map[string][]byte, page.Group, error) {
	kinds, err := evolution.New(in.Input)
	if err != nil {
		return nil, page.Group{}, err
	}
	samples, err := sample.All(in.Packages, in.Shapes, in.Given)
	if err != nil {
		return nil, page.Group{}, err
	}
	s := &site{files: map[string][]byte{}, kinds: map[string]string{}, versions: map[string]*version{}}
	for _, k := range kinds {
		s.kinds[strings.ToLower(k.ARMType)] = k.Kind
	}
	for _, p := range in.Packages {
		i := slices.IndexFunc(in.Shapes, func(v *ir.Version) bool { return v.APIVersion == p.APIVersion })
		if p.Role == plan.API && !p.Alias && i >= 0 {
			s.versions[p.Name] = newVersion(s, p, in.Shapes[i])
		}
		s.group = p.Group
	}
	list := listOf(in.Folder, s.group, kinds)
	s.add(page.Index, "index", s.group, list.Kinds)
	for _, k := range kinds {
		changes := s.addKind(k)
		for i, v := range k.Versions {
			if of := s.versions[v.Name]; of != nil {
				s.addVersion(k, i, of, samples, changes[v.Name])
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.versions)) {
		s.versions[name].addTypes()
	}
	s.files[page.SearchFile] = s.search.script(s.group)
	return s.files, list, s.err
}

// site collects the pages.
type site struct {
	group    string
	kinds    map[string]string // by ARM type in lower case
	versions map[string]*version
	files    map[string][]byte
	search   search
	err      error
}

// add adds a page that a template makes, in the folder of the group or in one below it.
func (s *site) add(name, of, title string, data any) {
	p := page.Page{Title: title, Root: "..", Data: data}
	if path.Dir(name) != "." {
		p.Root = "../.."
		p.Trail = []page.Link{{Text: s.group, To: "../" + page.Index}}
	}
	text, err := page.Write(pages, of, p)
	if err != nil && s.err == nil {
		s.err = err
	}
	s.files[name] = text
}

// listOf returns what the pages over all groups say of this one.
func listOf(folder, group string, kinds []*evolution.Resource) page.Group {
	list := page.Group{Folder: folder, Name: group, Kinds: []page.Kind{}}
	for _, k := range kinds {
		kind := page.Kind{Name: k.Kind, ARMType: k.ARMType, Folder: kindFolder(k.Kind)}
		for _, v := range k.Distinct() {
			kind.Versions++
			kind.Newest = page.Link{Text: v.APIVersion, To: pageOf(k.Kind, v.Name)}
		}
		list.Kinds = append(list.Kinds, kind)
	}
	return list
}

// kindFolder returns the name of the folder of a kind.
func kindFolder(kind string) string { return strings.ToLower(kind) }

// pageOf returns the name of the page of a kind at a version.
func pageOf(kind, version string) string {
	return path.Join(kindFolder(kind), strings.ToLower(version)+".html")
}

// anchor returns the id of a property on the page of a version.
func anchor(path string) string { return strings.ToLower(path) }

// kindOf returns the kind of an ARM type, as a link from a folder of the site, and the type
// itself where no kind of the group has it.
func (s *site) kindOf(armType string) page.Link {
	if kind := s.kinds[strings.ToLower(armType)]; kind != "" {
		return page.Link{Text: kind, To: "../" + kindFolder(kind) + "/" + page.Index}
	}
	return page.Link{Text: armType}
}

// versionPage is what the page of a kind at a version shows.
type versionPage struct {
	Group, Kind, ARMType string
	evolution.Version
	Hub, Preview, WithoutDocs bool
	Doc                       string
	Scopes                    []ir.Scope
	Owner                     *page.Link
	ShortNames                []string
	FixedName                 string
	Sample                    string
	Halves                    []*node
	Outputs                   []ir.Output
	Permissions               []string
	Others                    []page.Link
	Before                    string // the version before it
	Changes                   []change
	Newest                    string
	Unseen                    []place
}

// addVersion adds the page of a kind at one of its versions.
func (s *site) addVersion(k *evolution.Resource, index int, v *version, samples []sample.Sample, changes []change) {
	own, planned := v.shape.Resource(k.ARMType), v.pkg.Resource(k.Kind)
	if own == nil || planned == nil {
		return
	}
	name := k.Versions[index].Name
	data := versionPage{
		Group: s.group, Kind: k.Kind, ARMType: k.ARMType, Version: k.Versions[index],
		Hub: slices.Equal(k.Versions[index].Route, []string{k.Hub}), Preview: isPreview(v.pkg.APIVersion),
		WithoutDocs: v.shape.WithoutDocs, Scopes: own.Scopes, ShortNames: planned.ShortNames, FixedName: own.FixedName,
		Outputs: own.Outputs, Changes: changes,
	}
	if own.Parent != "" {
		owner := s.kindOf(own.Parent)
		data.Owner = &owner
	}
	if i := slices.IndexFunc(samples, func(o sample.Sample) bool { return o.Kind == k.Kind && o.Version == name }); i >= 0 {
		data.Sample = string(samples[i].YAML)
	}
	for _, half := range []struct{ path, typ string }{{"spec", own.Spec}, {"status", own.Status}} {
		top := &node{Name: half.path, ID: half.path, Open: true}
		v.fill(top, v.types[half.typ], half.path)
		data.Halves = append(data.Halves, top)
	}
	if t := v.types[own.Spec]; t != nil {
		data.Doc = t.Doc
	}
	armType := own.Type
	if own.ARM != "" {
		armType = own.ARM
	}
	for _, verb := range []string{"read", "write", "delete"} {
		if verb != "delete" || !own.NoDelete {
			data.Permissions = append(data.Permissions, armType+"/"+verb)
		}
	}
	for _, o := range own.Outputs {
		if p := armType + "/" + o.Action + "/action"; o.Action != "" && !slices.Contains(data.Permissions, p) {
			data.Permissions = append(data.Permissions, p)
		}
	}
	for _, other := range k.Distinct() {
		if other.Name == name {
			data.Before = data.Newest
		}
		data.Newest = other.Name
		at := page.Link{Text: other.APIVersion, To: path.Base(pageOf(k.Kind, other.Name))}
		if other.Name == name || s.versions[other.Name] == nil {
			at.To = ""
		}
		data.Others = append(data.Others, at)
	}
	data.Unseen = unseen(k, data.Newest, name)
	s.add(pageOf(k.Kind, name), "version", k.Kind+" "+v.pkg.APIVersion, data)
	s.search.add(k.Kind, pageOf(k.Kind, name), data.Halves)
}

func isPreview(apiVersion string) bool {
	v, err := naming.ParseVersion(apiVersion)
	return err == nil && v.Preview()
}

// place is a property, by the shortest of the paths at which it is.
type place struct {
	Path string
	More int // the other paths
}

// unseen returns what an object of one version has and a client at another one does not
// see, without what is below it.
func unseen(k *evolution.Resource, from, to string) []place {
	var all []place
	for _, c := range k.Changes {
		if c.Fate == evolution.Carried && c.Between(from, to) {
			shortest := slices.MinFunc(c.Paths, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
			all = append(all, place{shortest, len(c.Paths) - 1})
		}
	}
	slices.SortFunc(all, func(a, b place) int { return cmp.Compare(a.Path, b.Path) })
	return all
}
