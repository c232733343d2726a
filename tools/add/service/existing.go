package service

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/facts"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan/lock"
	"github.com/armature-dev/armature/internal/bazel"
)

// existing is what the repository has of a group. Of a new one it has nothing yet.
type existing struct {
	group
	build *buildFile
	// text is the group.yaml, and decisions what it says.
	text      []byte
	decisions *config.Group
	// lockText is the lock.bzl, and locked what it says.
	lockText []byte
	locked   *lock.Lock
	// known has the facts of the versions, for the exported types, and written the texts of their files.
	known   map[string]*ir.Version
	written map[string]string
}

// isNew reports whether the group is new.
func (e *existing) isNew() bool { return e.build == nil }

// find returns the group that an update names by its folder or by its provider, and its BUILD.bazel.
func (u Update) find() (group, *buildFile, error) {
	names, err := u.groups()
	if err != nil {
		return group{}, nil, err
	}
	if strings.Contains(u.Group, ".") {
		providers, err := u.providers()
		if err != nil {
			return group{}, nil, err
		}
		if of := providers[strings.ToLower(u.Group)]; of != nil {
			u.Group = of[0]
		}
	}
	if !slices.Contains(names, u.Group) {
		return group{}, nil, fmt.Errorf("there is no group %s%s; the groups are %s; to add a provider, leave --version and --update out",
			u.Group, diag.DidYouMean(u.Group, names), strings.Join(names, ", "))
	}
	b, err := u.readBuild(u.Group)
	g := group{in: u.Repository, specs: u.Specs, provider: b.provider, name: u.Group, apiGroup: b.apiGroup, importPath: b.importPath,
		inTree: b.inTree}
	return g, b, err
}

// readExisting reads what the repository has of a group.
func readExisting(g group, b *buildFile) (*existing, error) {
	yamlFile, lockFile := g.dir()+"/group.yaml", g.dir()+"/lock.bzl"
	text, err := os.ReadFile(g.in.path(yamlFile))
	if err != nil {
		return nil, err
	}
	decisions, err := config.Parse(yamlFile, text)
	if err != nil {
		return nil, err
	}
	locked, lockText, err := lock.Read(g.in.path(lockFile))
	if err != nil {
		return nil, err
	}
	known, written, err := g.readFacts(slices.Collect(maps.Keys(b.documents)), decisions.Load().Exports)
	if err != nil {
		return nil, err
	}
	return &existing{group: g, build: b, text: text, decisions: decisions, lockText: lockText, locked: locked, known: known,
		written: written}, nil
}

// readFacts reads the facts of the versions that have some, for some types, and the texts of their files. A file that
// cannot be read is going to be written again.
func (g *group) readFacts(versions []string, kinds map[string]string) (known map[string]*ir.Version, written map[string]string, err error) {
	known, written = map[string]*ir.Version{}, map[string]string{}
	for _, v := range versions {
		text, err := os.ReadFile(g.in.path(g.factsFile(v)))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		written[v] = string(text)
		if version, err := facts.Decode(g.factsFile(v), string(text), bazel.UpdateFacts(g.dir())); err == nil {
			facts.Select(version, kinds)
			known[v] = version
		}
	}
	return known, written, nil
}

// providers returns the groups of each provider, by the provider in lower case. Whoever updates a group reads its
// BUILD.bazel again, and reports its error.
func (r Repository) providers() (map[string][]string, error) {
	names, err := r.groups()
	if err != nil {
		return nil, err
	}
	groups := map[string][]string{}
	for _, name := range names {
		b, _ := r.readBuild(name)
		folded := strings.ToLower(b.provider)
		groups[folded] = append(groups[folded], name)
	}
	return groups, nil
}
