package plan

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"
)

// Links says which conversions of a group may have hooks. The command line has a
// file of it for each group.
type Links struct {
	// Dir is the group's folder, such as "apis/cache".
	Dir   string `json:"dir"`
	Links []Link `json:"links"`
}

// Link is the conversions of the types of a package with those of a neighbour.
type Link struct {
	// Package is the one that has the code, and so the hooks: the farther from the hub.
	Package    string `json:"package"`
	APIVersion string `json:"apiVersion"`
	// Neighbour is the package that has the other types: for an alias, the storage
	// package of its twin.
	Neighbour  string `json:"neighbour"`
	ImportPath string `json:"importPath"` // of the neighbour
	// Kinds are the resources that convert over the link.
	Kinds []string `json:"kinds"`
	// Pairs are the types that convert, sorted: the name of each type here, and " " and
	// its name there if that is another one.
	Pairs []string `json:"pairs"`
	// Written are the hooks that there are.
	Written []Hook `json:"written,omitempty"`
}

// NewLinks returns the links of the packages of a group.
func NewLinks(dir string, packages []*Package) *Links {
	l := &Links{Dir: dir, Links: []Link{}}
	for _, p := range packages {
		l.Links = append(l.Links, p.Links()...)
	}
	return l
}

// DecodeLinks reads a file of [Links].
func DecodeLinks(text []byte) (*Links, error) {
	l := new(Links)
	if err := json.Unmarshal(text, l); err != nil {
		return nil, fmt.Errorf("no links of this generator: %w", err)
	}
	return l, nil
}

// Links returns the conversions of a package that may have hooks, one for each
// neighbour.
func (p *Package) Links() []Link {
	var all []Link
	for _, n := range p.Neighbours {
		if len(n.Pairs) == 0 {
			continue // the storage package of an alias, which uses its twin's types
		}
		l := Link{Package: p.Name, APIVersion: p.APIVersion, Neighbour: n.Name, ImportPath: n.ImportPath}
		if p.Alias {
			l.Neighbour, l.ImportPath = path.Base(p.Twin), p.Twin
		}
		for _, r := range p.Resources {
			if r.Next == n.Name {
				l.Kinds = append(l.Kinds, r.Kind)
			}
		}
		for _, pair := range n.Pairs {
			l.Pairs = append(l.Pairs, pairName(pair.Here, pair.There))
		}
		for _, h := range p.Hooks {
			if h.Neighbour == l.Neighbour {
				l.Written = append(l.Written, h)
			}
		}
		all = append(all, l)
	}
	return all
}

// Hooks returns the hooks that the types of the package may have: for each type there
// that a type converts with, first the one on the way to the neighbour.
func (l *Link) Hooks() []Hook {
	var all []Hook
	for _, pair := range l.Pairs {
		here, there, renamed := strings.Cut(pair, " ")
		if !renamed {
			there = here
		}
		for _, to := range []bool{true, false} {
			all = append(all, Hook{Type: here, Neighbour: l.Neighbour, There: there, To: to})
		}
	}
	return all
}

// Signature returns the signature of a hook of the link as a [HookSource] has it.
func (l *Link) Signature(h Hook) string {
	return fmt.Sprintf("func (*%s) %s(*%s.%s) error", h.Type, h.Method(), l.ImportPath, h.There)
}
