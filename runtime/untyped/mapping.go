package untyped

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/version"
)

// ConversionMapping converts the objects of one version to an adjacent version.
type ConversionMapping struct {
	// OriginalVersion and DesiredVersion are names of versions without the group,
	// such as v1beta1.
	OriginalVersion string
	DesiredVersion  string

	// Convert returns the object at the desired version. It need not set the
	// apiVersion, and may leave out metadata, which is restored.
	Convert func(Convertible) (Convertible, error)
}

// Edit returns a function for a [ConversionMapping] that changes the decoded object
// in place.
func Edit(edit func(*unstructured.Unstructured) error) func(Convertible) (Convertible, error) {
	return func(original Convertible) (Convertible, error) {
		object, err := original.Unstructured()
		if err != nil {
			return Convertible{}, err
		}
		if err := edit(object); err != nil {
			return Convertible{}, err
		}
		return FromUnstructured(object), nil
	}
}

// edge is a pair of versions with a direction.
type edge struct{ from, to string }

func (e edge) String() string    { return e.from + " → " + e.to }
func (e edge) reverse() edge     { return edge{e.to, e.from} }
func arrows(way []string) string { return strings.Join(way, " → ") }

// graph has checked mappings. Without regard to direction it has no cycles, so there
// is at most one way between two versions.
type graph struct {
	mappings  map[edge]func(Convertible) (Convertible, error)
	neighbors map[string][]string
}

// newGraph checks the mappings. Its error lists everything that is wrong with them.
func newGraph(mappings []ConversionMapping) (*graph, error) {
	g := &graph{mappings: map[edge]func(Convertible) (Convertible, error){}, neighbors: map[string][]string{}}
	var errs []error
	for i, m := range mappings {
		if err := g.add(m); err != nil {
			errs = append(errs, fmt.Errorf("mapping %d, %s: %w", i, edge{m.OriginalVersion, m.DesiredVersion}, err))
		}
	}
	return g, errors.Join(errs...)
}

func (g *graph) add(m ConversionMapping) error {
	e := edge{m.OriginalVersion, m.DesiredVersion}
	_, twice := g.mappings[e]
	_, known := g.mappings[e.reverse()]
	switch {
	case !isVersion(e.from):
		return notAVersion("OriginalVersion", e.from)
	case !isVersion(e.to):
		return notAVersion("DesiredVersion", e.to)
	case e.from == e.to:
		return errors.New("a version needs no mapping to itself")
	case m.Convert == nil:
		return errors.New("its Convert is nil")
	case twice:
		return errors.New("an earlier mapping has the same versions; remove one of them")
	}
	if !known {
		if way := g.way(e.from, e.to); way != nil {
			return fmt.Errorf("it makes a cycle with the mappings before it (%s), so there would be two ways "+
				"from %s to %s; map adjacent versions only",
				arrows(append(way, e.from)), e.from, e.to)
		}
		g.neighbors[e.from] = append(g.neighbors[e.from], e.to)
		g.neighbors[e.to] = append(g.neighbors[e.to], e.from)
	}
	g.mappings[e] = m.Convert
	return nil
}

func isVersion(name string) bool { return len(validation.IsDNS1035Label(name)) == 0 }

func notAVersion(field, value string) error {
	if _, last, found := strings.Cut(value, "/"); found && isVersion(last) {
		return fmt.Errorf("%s has a group; write %q only", field, last)
	}
	return fmt.Errorf("%s is %q, which is not the name of a version such as v1beta1", field, value)
}

// way returns the versions from one to the other, both included, or nil if no
// mappings join them. A step may lack the mapping in its direction.
func (g *graph) way(from, to string) []string {
	var search func(way []string, before string) []string
	search = func(way []string, before string) []string {
		at := way[len(way)-1]
		if at == to {
			return way
		}
		for _, next := range g.neighbors[at] {
			if next == before {
				continue
			}
			if found := search(append(way, next), at); found != nil {
				return found
			}
		}
		return nil
	}
	return search([]string{from}, "")
}

// route returns the way from one version to another, or an error if a step has no
// mapping.
func (g *graph) route(from, to string) ([]string, error) {
	for _, v := range []string{from, to} {
		switch known := g.versions(); {
		case len(known) == 0:
			return nil, errors.New("there are no mappings")
		case !slices.Contains(known, v):
			return nil, fmt.Errorf("no mapping knows version %s, only %s", v, strings.Join(known, ", "))
		}
	}
	way := g.way(from, to)
	if way == nil {
		return nil, fmt.Errorf("no mappings join %s and %s", from, to)
	}
	var missing []string
	for i := range way[1:] {
		if e := (edge{way[i], way[i+1]}); g.mappings[e] == nil {
			missing = append(missing, e.String())
		}
	}
	if missing != nil {
		return nil, fmt.Errorf("there is no mapping %s", strings.Join(missing, ", nor "))
	}
	return way, nil
}

// versions returns the versions of all mappings, the lowest first.
func (g *graph) versions() []string {
	return slices.SortedFunc(maps.Keys(g.neighbors), version.CompareKubeAwareVersionStrings)
}
