package service

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/armature-dev/armature/cli/check"
	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/facts"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/internal/bazel"
)

// factsFile returns the name of the file with the facts of a version.
func (g *group) factsFile(apiVersion string) string {
	return g.dir() + "/specs/" + apiVersion + facts.Suffix
}

// readFacts reads the facts of the versions that have some. A file that cannot be read is
// going to be written again.
func (g *group) readFacts() error {
	g.known, g.written = map[string]*ir.Version{}, map[string]string{}
	for _, v := range g.apiVersions() {
		text, err := os.ReadFile(g.in.path(g.factsFile(v)))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return err
		}
		g.written[v] = string(text)
		if known, err := facts.Decode(g.factsFile(v), string(text), bazel.UpdateFacts(g.dir())); err == nil {
			facts.Select(known, g.kinds)
			g.known[v] = known
		}
	}
	return nil
}

// useFacts takes the versions from their facts. If one has no facts, it reads the specs.
func (g *group) useFacts() error {
	g.raw = nil
	for _, v := range g.apiVersions() {
		if g.known[v] == nil {
			return g.read()
		}
		g.raw = append(g.raw, g.known[v])
	}
	return nil
}

// lacks reports whether a version has facts, and names no documents or one that the specs
// lack. Then it is what its facts say.
func (g *group) lacks(apiVersion string) bool {
	docs := g.documents[apiVersion]
	return g.known[apiVersion] != nil && (len(docs) == 0 || slices.ContainsFunc(docs, func(doc string) bool {
		_, err := os.Stat(g.file(doc))
		return os.IsNotExist(err)
	}))
}

// file returns the place of a document: of the specs in the tree, or of the published ones.
func (g *group) file(name string) string {
	if g.inTree {
		return g.in.path(name)
	}
	return g.specs.path(name)
}

// factsFiles returns the files with facts that are to be written.
func (g *group) factsFiles() (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, v := range g.raw {
		text, err := facts.Encode(v)
		if err != nil {
			return nil, err
		}
		if string(text) != g.written[v.APIVersion] {
			files[g.factsFile(v.APIVersion)] = text
		}
	}
	return files, nil
}

// crds returns the CRDs of the group at some versions.
func (g *group) crds(decisions *config.Group, shaped []*ir.Version) (map[string][]byte, error) {
	packages, err := g.build(decisions, shaped)
	if err != nil {
		return nil, err
	}
	files, _, err := crd.Files(shaped, packages, g.locked, crd.Meta{TypeMeta: metav1.TypeMeta{}, Condition: metav1.Condition{}})
	return files, err
}

// meaning returns what a change of facts means for stored objects and for clients. Each shaped form goes with what was
// decided about it: a mark that the new facts ask for may change nothing in what the old ones said.
func (g *group) meaning(was, is *config.Group, before, after []*ir.Version) ([]check.Finding, error) {
	old, err := g.crds(was, before)
	if err != nil {
		return nil, fmt.Errorf("no CRDs can be made of what the facts said: %w", err)
	}
	now, err := g.crds(is, after)
	if err != nil {
		return nil, fmt.Errorf("no CRDs can be made of what the specs say: %w", err)
	}
	return check.CompareCRDs(g.apiGroup, old, now)
}

// setRefs sets the files that the documents of a version refer to.
func (g *group) setRefs(apiVersion string, used map[string]bool) {
	g.refs[apiVersion] = nil
	for name := range used {
		if !slices.Contains(g.documents[apiVersion], name) {
			g.refs[apiVersion] = append(g.refs[apiVersion], name)
		}
	}
	slices.SortFunc(g.refs[apiVersion], func(a, b string) int { return cmp.Or(cmp.Compare(path.Dir(a), path.Dir(b)), cmp.Compare(a, b)) })
}
