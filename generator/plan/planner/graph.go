package planner

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/naming"
)

// History is the input of [NewGraph]. The order of its lists does not matter.
type History struct {
	// Versions are the ARM API versions at which the resource exists.
	Versions []string
	// Aliases are those of Versions that have alias packages too, with their prefixes.
	Aliases []Node
	// Hub is the version that group.yaml chooses for the resource, or "".
	Hub string
	// HubNotAfter is the version after which group.yaml allows no hub in the
	// whole group, or "".
	HubNotAfter string
}

// Node is a storage version of a resource.
type Node struct {
	APIVersion string
	// Alias is the prefix of an alias, or "".
	Alias string
}

// compare orders nodes by version, an alias after the version that it is of.
func (n Node) compare(o Node) int {
	return cmp.Or(naming.CompareVersions(n.APIVersion, o.APIVersion), cmp.Compare(n.Alias, o.Alias))
}

// Graph is the conversion graph of a resource: a tree whose root is the hub.
type Graph struct {
	Hub Node
	// Next has the link of each other storage version: the version that it converts
	// with, which is nearer to the hub.
	Next map[Node]Node
}

// NewGraph returns the conversion graph of a resource.
//
// The hub is the newest GA version, or the newest preview if there is no GA
// version. A GA version converts with the next later GA version. A preview
// converts with the next later version, preview or GA; the newest preview,
// where no GA version is later, converts with the newest GA version.
//
// So each link leads from an earlier to a later place in an order that all
// resources of a group share: all previews by date, then all GA versions by
// date. Therefore the packages of a group never import each other in a cycle,
// whatever versions its resources have.
//
// With HubNotAfter, the versions up to it and those after it follow the rule
// separately. The last of the later ones converts with the hub, which is the last of
// the earlier ones. In the order, the later versions then come before the earlier
// ones.
//
// With Hub, the versions up to it in the order follow the rule, and each of the
// others converts with the one before it. These links lead backward in the
// order, so they may contradict those of another resource.
//
// An alias converts with the version that it is an alias of.
func NewGraph(h History) (*Graph, error) {
	versions, err := parseAll(h.Versions)
	if err != nil {
		return nil, err
	}
	if len(versions) == 0 {
		return nil, fmt.Errorf("no version has it")
	}
	order := groupOrder{}
	if h.HubNotAfter != "" {
		if order.limit, err = naming.ParseVersion(h.HubNotAfter); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(versions, order.compare)
	links := map[naming.Version]naming.Version{}
	var hub naming.Version
	if h.Hub == "" {
		hub = order.climb(versions, links)
	} else {
		chosen, err := find(versions, h.Hub)
		if err != nil {
			return nil, err
		}
		hub = order.climb(versions[:chosen+1], links)
		for i := chosen + 1; i < len(versions); i++ {
			links[versions[i]] = versions[i-1]
		}
	}
	graph := &Graph{Hub: Node{APIVersion: hub.String()}, Next: map[Node]Node{}}
	for from, to := range links {
		graph.Next[Node{APIVersion: from.String()}] = Node{APIVersion: to.String()}
	}
	for _, alias := range h.Aliases {
		i, err := find(versions, alias.APIVersion)
		if err != nil {
			return nil, err
		}
		twin := Node{APIVersion: versions[i].String()}
		graph.Next[Node{twin.APIVersion, alias.Alias}] = twin
	}
	return graph, nil
}

// parseAll parses versions and drops duplicates.
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

// find returns the index of a version that group.yaml names.
func find(versions []naming.Version, name string) (int, error) {
	var names []string
	for i, v := range versions {
		if v.String() == name {
			return i, nil
		}
		names = append(names, v.String())
	}
	return 0, fmt.Errorf("it does not exist at version %q%s", name, diag.DidYouMean(name, names))
}

// groupOrder is the order of versions that the links of all resources of a group
// follow.
type groupOrder struct {
	// limit is the last version that may be a hub; the zero Version is no limit.
	limit naming.Version
}

// isLate reports whether a version is after the limit.
func (o groupOrder) isLate(v naming.Version) bool {
	return o.limit != naming.Version{} && v.Compare(o.limit) > 0
}

// compare returns a negative number if v comes before w in the order.
func (o groupOrder) compare(v, w naming.Version) int {
	return cmp.Or(
		-compareBool(o.isLate(v), o.isLate(w)),
		-compareBool(v.Preview(), w.Preview()),
		v.Compare(w),
	)
}

// compareBool orders false before true.
func compareBool(x, y bool) int {
	switch {
	case x == y:
		return 0
	case y:
		return -1
	}
	return 1
}

// climb adds the links of versions that are sorted by the order. It returns the hub,
// which is the last of them.
func (o groupOrder) climb(versions []naming.Version, links map[naming.Version]naming.Version) naming.Version {
	hub := versions[len(versions)-1]
	early := slices.IndexFunc(versions, func(v naming.Version) bool { return !o.isLate(v) })
	if early > 0 {
		links[climbHalf(versions[:early], links)] = hub
		versions = versions[early:]
	}
	return climbHalf(versions, links)
}

// climbHalf is climb for versions that are all after the limit, or all up to it.
func climbHalf(versions []naming.Version, links map[naming.Version]naming.Version) naming.Version {
	hub := versions[len(versions)-1] // the newest GA version if there is one, since previews come first
	byDate := slices.SortedFunc(slices.Values(versions), naming.Version.Compare)
	for i, v := range byDate {
		later := byDate[i+1:]
		switch {
		case v == hub:
		case v.Preview() && len(later) > 0:
			links[v] = later[0]
		case v.Preview():
			links[v] = hub
		default:
			links[v] = later[slices.IndexFunc(later, func(w naming.Version) bool { return !w.Preview() })]
		}
	}
	return hub
}
