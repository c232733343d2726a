package service

import (
	"cmp"
	"maps"
	"os"
	"path"
	"slices"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/readers"
	"github.com/armature-dev/armature/generator/transform"
)

// sources is what the specs say of a group.
type sources struct {
	*existing
	*chosen
	// raw has the versions as the specs have them, in order, and used the files that they come from.
	raw  []*ir.Version
	used map[string][]byte
	// refs are the files to which the documents of each version refer.
	refs map[string][]string
	// swagger has the shaped form of the Swagger that is evidence, the newest version first, and
	// consulted the files that it comes from.
	swagger   []*ir.Version
	consulted map[string][]byte
}

// read reads the specs of all versions. Of a new group it drops the types that no version has once the others are
// exported: a type whose resources all have fixed names, if a document of another format lists each name.
func read(e *existing, c *chosen) (*sources, error) {
	var errs diag.List
	var raw []*ir.Version
	all, refs := map[string][]byte{}, map[string][]string{}
	for _, v := range c.apiVersions() {
		if e.lacks(v, c.documents[v]) {
			raw = append(raw, e.known[v])
			continue
		}
		used := map[string]bool{}
		read, err := e.readSources(c, v, c.documents[v], func(name string) ([]byte, error) {
			text, err := os.ReadFile(e.file(name))
			if err == nil {
				used[path.Clean(name)], all[path.Clean(name)] = true, text
			}
			return text, err
		})
		errs.Merge(err)
		raw = append(raw, transform.Merge(read, e.known[v]))
		refs[v] = refsOf(c.documents[v], used)
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	if e.isNew() {
		kinds := maps.Clone(c.kinds)
		maps.DeleteFunc(kinds, func(armType, _ string) bool {
			return !slices.ContainsFunc(raw, func(v *ir.Version) bool { return v.Resource(armType) != nil })
		})
		c = &chosen{kinds: kinds, documents: c.documents, evidence: c.evidence}
	}
	swagger, consulted := e.readEvidence(c)
	return &sources{existing: e, chosen: c, raw: raw, used: all, refs: refs, swagger: swagger, consulted: consulted}, nil
}

// read takes the versions of a group from their facts. If one has no facts, it reads the specs.
func (e *existing) read() (*sources, error) {
	c := e.chosen()
	var raw []*ir.Version
	for _, v := range c.apiVersions() {
		if e.known[v] == nil {
			return read(e, c)
		}
		raw = append(raw, e.known[v])
	}
	return &sources{existing: e, chosen: c, raw: raw}, nil
}

// lacks reports whether a version has facts, and names no documents or one that the specs
// lack. Then it is what its facts say.
func (e *existing) lacks(apiVersion string, docs []string) bool {
	return e.known[apiVersion] != nil && (len(docs) == 0 || slices.ContainsFunc(docs, func(doc string) bool {
		_, err := os.Stat(e.file(doc))
		return os.IsNotExist(err)
	}))
}

// readSources reads the specs of one version, each format by itself.
func (g *group) readSources(c *chosen, apiVersion string, names []string, read func(string) ([]byte, error)) ([]*ir.Version, error) {
	var docs []readers.Document
	for _, name := range names {
		docs = append(docs, readers.Document{Name: name, Format: c.formats[name]})
	}
	return readers.All.Read(documents.Input{
		Provider: g.provider, APIVersion: apiVersion, Exports: c.kinds, Read: read,
	}, docs)
}

// readEvidence returns the shaped form of the Swagger of the checkout, without what group.yaml says of it, the newest
// version first, and the files that it comes from. One that cannot be read says nothing: nobody asked for it.
func (g *group) readEvidence(c *chosen) (all []*ir.Version, consulted map[string][]byte) {
	consulted = map[string][]byte{}
	for _, v := range slices.Backward(slices.SortedFunc(maps.Keys(c.evidence), naming.CompareVersions)) {
		sources, err := g.readSources(c, v, c.evidence[v], func(name string) ([]byte, error) {
			text, err := g.specs.Read(name)
			if err == nil { // so that it is pinned, and speaks in every checkout
				consulted[path.Clean(name)] = text
			}
			return text, err
		})
		if err != nil {
			continue
		}
		if shaped, err := transform.Shape(transform.Merge(sources, nil), &config.Load{Exports: c.kinds}); err == nil {
			all = append(all, shaped)
		}
	}
	return all, consulted
}

// refsOf returns those of the files that were read for a version that are none of its documents.
func refsOf(documents []string, used map[string]bool) (refs []string) {
	for name := range used {
		if !slices.Contains(documents, name) {
			refs = append(refs, name)
		}
	}
	slices.SortFunc(refs, func(a, b string) int { return cmp.Or(cmp.Compare(path.Dir(a), path.Dir(b)), cmp.Compare(a, b)) })
	return refs
}

// shape returns the shaped form of all versions.
func (s *sources) shape(l *config.Load) ([]*ir.Version, error) {
	var errs diag.List
	var shaped []*ir.Version
	for _, raw := range s.raw {
		v, err := transform.Shape(raw, l)
		errs.Merge(err)
		shaped = append(shaped, v)
	}
	return shaped, errs.Err()
}

// load returns how the specs are read with what is decided, with more marks, and with names that the lock keeps.
func (s *sources) load(decided *config.Load, more map[string][]config.Mark, names map[string]map[string]string) *config.Load {
	l := *decided
	l.Exports, l.Pins, l.Properties = s.kinds, names, config.Properties{}
	for property, marks := range decided.Properties {
		l.Properties[property] = slices.Clip(marks)
	}
	for property, marks := range more {
		l.Properties[property] = append(l.Properties[property], marks...)
	}
	return &l
}
