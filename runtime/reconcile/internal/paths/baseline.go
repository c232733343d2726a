package paths

import (
	"bytes"
	"slices"
	"strings"

	"github.com/armature-dev/armature/runtime/internal/specpath"
)

// Baseline remembers what ARM showed otherwise than it was sent, when it had just done that: defaults, normal forms,
// what is not shown at all. A later answer that shows the same there shows no change.
type Baseline struct {
	// Marks has three bytes of a keyed hash for the path of each difference and five for the path with what the Spec
	// has there and what ARM shows, sorted.
	Marks Marks `json:"marks"`
	// Depth is the number of steps after which paths are cut, so that there is room for all, 0 for whole paths, or -1
	// if nothing is left of them.
	Depth int `json:"depth,omitempty"`
}

// Marks are marks one after the other.
type Marks []byte

// Sum returns a keyed hash of a text, of at least five bytes.
type Sum func(text string) []byte

const (
	pathSize = 3
	markSize = pathSize + 5
)

// BaselineOf returns the baseline of differences.
func BaselineOf(all []Difference, sum Sum) *Baseline {
	deepest := 0
	for _, d := range all {
		deepest = max(deepest, len(stepsOf(d.Path)))
	}
	b := baselineAt(0, all, sum)
	for depth := deepest - 1; b == nil && depth > 0; depth-- {
		b = baselineAt(depth, all, sum)
	}
	if b == nil {
		b = baselineAt(-1, all, sum)
	}
	return b
}

// baselineAt returns the baseline of differences whose paths are cut, or nil if there is not enough room for it.
func baselineAt(depth int, all []Difference, sum Sum) *Baseline {
	b := &Baseline{Marks: Marks{}, Depth: depth}
	groups := b.groups(all)
	if len(groups)*markSize > maxSize {
		return nil
	}
	var marks [][]byte
	for path, group := range groups {
		marks = append(marks, markOf(path, group, sum))
	}
	slices.SortFunc(marks, bytes.Compare)
	b.Marks = append(b.Marks, slices.Concat(marks...)...)
	return b
}

// Since returns the differences that are not as they were, and those of them that are at a place where ARM has not
// shown what it was sent: what it has shown there is not kept. Of those in a part that is remembered as a whole, it
// returns all.
func (b *Baseline) Since(all []Difference, sum Sum) (changed []Difference, unknown map[string]bool) {
	unknown = map[string]bool{}
	for path, group := range b.groups(all) {
		mark := markOf(path, group, sum)
		if b.has(mark) {
			continue
		}
		changed = append(changed, group...)
		for _, d := range group {
			unknown[d.Path] = b.has(mark[:pathSize])
		}
	}
	slices.SortFunc(changed, func(a, b Difference) int { return strings.Compare(a.Path, b.Path) })
	return changed, unknown
}

// groups returns the differences by the paths under which they are remembered.
func (b *Baseline) groups(all []Difference) map[string][]Difference {
	groups := map[string][]Difference{}
	for _, d := range all {
		path := d.Path
		if b.Depth != 0 {
			path = specpath.Root
			for i, step := range stepsOf(d.Path) {
				if i < b.Depth {
					path = step.On(path)
				}
			}
		}
		groups[path] = append(groups[path], d)
	}
	return groups
}

// has reports whether a mark begins with some bytes.
func (b *Baseline) has(prefix []byte) bool {
	for mark := range slices.Chunk(b.Marks[:len(b.Marks)/markSize*markSize], markSize) {
		if bytes.HasPrefix(mark, prefix) {
			return true
		}
	}
	return false
}

func markOf(path string, group []Difference, sum Sum) []byte {
	var text strings.Builder
	text.WriteString(path)
	for _, d := range group { // which are sorted
		text.WriteString("\n" + d.Path + "\n" + d.Wanted + "\n" + d.text)
	}
	return slices.Concat(sum(path)[:pathSize], sum(text.String())[:markSize-pathSize])
}

// stepsOf returns the steps of a path that this package has made.
func stepsOf(path string) []specpath.Step {
	steps, err := specpath.Parse(path)
	if err != nil {
		panic(err)
	}
	return steps
}
