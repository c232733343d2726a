package plan

import (
	"fmt"
	"slices"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/naming"
)

// History is all that decides which storage version of a resource is the hub
// and what the others convert with. The order of its lists does not matter.
type History struct {
	// Versions are the ARM API versions at which the resource exists.
	Versions []string
	// Aliases are those of Versions that have alias packages too.
	Aliases []string
	// Hub is the version that a person chose, or "".
	Hub string
}

// Node is a storage version of a resource.
type Node struct {
	APIVersion string
	// Alias marks the storage version under an older prefix.
	Alias bool
}

// Routes is the conversion graph of a resource: a tree whose root is the hub.
type Routes struct {
	Hub Node
	// Next is what each other storage version converts with: one step nearer
	// to the hub, and never past it.
	Next map[Node]Node
}

// Route lays out the conversion graph of a resource.
//
// The hub is the newest GA version, else the newest preview, unless a person
// chose another. All other versions convert toward it: with the nearest on
// their way, but a GA version with the nearest that is GA or the hub, so that
// no preview ever stands between two GA versions. An alias converts with the
// version that it is an alias of.
func Route(h History) (*Routes, error) {
	versions, err := parseAll(h.Versions)
	if err != nil {
		return nil, err
	}
	if len(versions) == 0 {
		return nil, fmt.Errorf("no version has it")
	}
	hub := newest(versions)
	if h.Hub != "" {
		if hub, err = find(versions, h.Hub); err != nil {
			return nil, err
		}
	}
	routes := &Routes{Hub: Node{APIVersion: hub.String()}, Next: map[Node]Node{}}
	for _, v := range versions {
		if v != hub {
			routes.Next[Node{APIVersion: v.String()}] = Node{APIVersion: next(versions, v, hub).String()}
		}
	}
	for _, alias := range h.Aliases {
		twin, err := find(versions, alias)
		if err != nil {
			return nil, err
		}
		routes.Next[Node{twin.String(), true}] = Node{APIVersion: twin.String()}
	}
	return routes, nil
}

// parseAll returns the versions from the oldest to the newest.
func parseAll(versions []string) ([]naming.Version, error) {
	var errs diag.List
	parsed := make([]naming.Version, len(versions))
	for i, version := range versions {
		var err error
		parsed[i], err = naming.ParseVersion(version)
		errs.Merge(err)
	}
	slices.SortFunc(parsed, naming.Version.Compare)
	return slices.Compact(parsed), errs.Err()
}

// find returns a version that a person named.
func find(versions []naming.Version, name string) (naming.Version, error) {
	var names []string
	for _, v := range versions {
		if v.String() == name {
			return v, nil
		}
		names = append(names, v.String())
	}
	return naming.Version{}, fmt.Errorf("it does not exist at version %q%s", name, diag.DidYouMean(name, names))
}

// newest is the newest GA version, else the newest preview.
func newest(versions []naming.Version) naming.Version {
	for _, v := range slices.Backward(versions) {
		if !v.Preview() {
			return v
		}
	}
	return versions[len(versions)-1]
}

// next is what v converts with, on its way along the sorted versions to the hub.
func next(versions []naming.Version, v, hub naming.Version) naming.Version {
	step := -v.Compare(hub) // 1 where the hub is later
	i, _ := slices.BinarySearchFunc(versions, v, naming.Version.Compare)
	for i += step; versions[i] != hub && !v.Preview() && versions[i].Preview(); {
		i += step
	}
	return versions[i]
}
