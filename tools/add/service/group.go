package service

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/facts"
	"github.com/armature-dev/armature/generator/sample"
)

// group says which service group is added or updated, and where its specs are.
type group struct {
	in       Repository
	specs    Specs
	provider string
	name     string // of its folder
	apiGroup string // its Kubernetes API group
	// sharesDomain reports whether apiGroup ends with the DOMAIN of all groups.
	sharesDomain bool
	// importPath is the Go import path of its folder.
	importPath string
	// unread reports whether it is new, and one of many that nobody reads at once.
	unread bool
	// inTree reports whether the specs are in the repository.
	inTree bool
}

// dir returns the folder of the group.
func (g *group) dir() string { return g.in.folder() + "/" + g.name }

// file returns the place of a document: of the specs in the tree, or of the published ones.
func (g *group) file(name string) string {
	if g.inTree {
		return g.in.path(name)
	}
	return g.specs.path(name)
}

// factsFile returns the name of the file with the facts of a version.
func (g *group) factsFile(apiVersion string) string {
	return g.dir() + "/specs/" + apiVersion + facts.Suffix
}

// samplesFile returns the name of the file with what is given of the group's samples.
func (g *group) samplesFile() string { return g.dir() + "/" + sample.GivenFile }

// newGroup returns the group that a request makes for a provider.
func newGroup(r Request, provider string) (group, error) {
	g := group{in: r.Repository, specs: r.Specs, provider: provider, name: r.name(provider), sharesDomain: r.Domain == "", unread: r.unread}
	if err := r.checkName(g.name); err != nil {
		return g, err
	}
	var err error
	if g.importPath, err = r.importPath(g.name); err != nil {
		return g, err
	}
	shared, err := r.domain()
	if err != nil {
		return g, err
	}
	domain := cmp.Or(r.Domain, shared)
	if domain == "" {
		return g, fmt.Errorf("give the domain that the API group shall end with, such as --domain=azure.example.com, or write it once "+
			"for all groups: DOMAIN = \"azure.example.com\" in %s/domain.bzl", r.folder())
	}
	g.apiGroup = g.name + "." + domain
	return g, nil
}

// name returns the name of the folder of the group that a request makes for a provider. It follows from the provider
// alone, because what is published cannot change, whichever providers come later: that of Microsoft.Storage is storage,
// and that of Dell.Storage is dellstorage.
func (r Request) name(provider string) string {
	own := strings.TrimPrefix(strings.ToLower(provider), "microsoft.")
	return cmp.Or(r.Group, strings.ReplaceAll(own, ".", ""))
}

// groupName matches what may be the first part of a Kubernetes API group.
var groupName = regexp.MustCompile(`^[a-z0-9]+(-+[a-z0-9]+)*$`)

// checkName reports a group that exists, and a name that cannot be a part of a
// Kubernetes API group.
func (r Repository) checkName(name string) error {
	if !groupName.MatchString(name) {
		return fmt.Errorf("%q cannot name a group: expected lower-case letters, digits, and hyphens between them, such as --group=web",
			name)
	}
	existing, err := r.groups()
	if err != nil {
		return err
	}
	if slices.Contains(existing, name) {
		return fmt.Errorf("%s exists; choose another name with --group, or remove that folder to add it anew", r.folder()+"/"+name)
	}
	return nil
}
