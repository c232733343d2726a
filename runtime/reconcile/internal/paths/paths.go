// Package paths names the properties that a Spec sets, such as spec.sku.name, spec.tags["a,b"] and
// spec.rules[name=web].port, compares what two Specs have there, and remembers paths in few bytes.
package paths

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/armature-dev/armature/runtime/internal/specpath"
)

// Of returns the paths of the properties that a Spec sets, and of the objects that hold them, the shallow ones first.
// An element of a list has a path if all elements have names of their own.
func Of(spec any) ([]string, error) {
	all, err := collect(spec)
	if err != nil {
		return nil, err
	}
	return all.paths(), nil
}

// OfWithoutEmpty returns these paths without those of lists and objects that are empty.
func OfWithoutEmpty(spec any) ([]string, error) {
	all, err := collect(spec)
	if err != nil {
		return nil, err
	}
	holds := map[string]bool{}
	for _, n := range all {
		holds[n.parent] = true
	}
	maps.DeleteFunc(all, func(path string, n *node) bool {
		return n.isEmpty() || n.text == "" && !n.secret && !holds[path]
	})
	return all.paths(), nil
}

// paths returns the paths of nodes, the shallow ones first.
func (n nodes) paths() []string {
	return slices.SortedFunc(maps.Keys(n), func(a, b string) int {
		return cmp.Or(cmp.Compare(n[a].depth, n[b].depth), strings.Compare(a, b))
	})
}

// Changed returns the paths of the properties that one of two Specs sets and the other does not, or otherwise, without
// those below others.
func Changed(before, after any) ([]string, error) {
	a, err := collect(before)
	if err != nil {
		return nil, err
	}
	b, err := collect(after)
	if err != nil {
		return nil, err
	}
	var changed []string
	for path, node := range a {
		if other := b[path]; other == nil || node.text != other.text {
			changed = append(changed, path)
		}
	}
	for path := range b {
		if a[path] == nil {
			changed = append(changed, path)
		}
	}
	slices.Sort(changed)
	return topmost(changed), nil
}

// topmost returns sorted paths without those below others.
func topmost(all []string) (top []string) {
	for _, path := range all {
		if !slices.ContainsFunc(top, func(t string) bool { return specpath.IsBelow(path, t) }) {
			top = append(top, path)
		}
	}
	return top
}

// Hashes remembers paths: the first six bytes of the SHA-256 of each, sorted. In JSON they have at most 2 KiB.
type Hashes []byte

const (
	hashSize = 6
	maxSize  = 1536 // which base64 makes 2 KiB of
)

// Hash returns the hashes of paths and after them others, as many as there is room for.
func Hash(paths []string, others Hashes) Hashes {
	all := map[string]bool{}
	add := func(hash []byte) {
		if len(all) < maxSize/hashSize {
			all[string(hash)] = true
		}
	}
	for _, path := range paths {
		add(hash(path))
	}
	for other := range slices.Chunk(others[:len(others)/hashSize*hashSize], hashSize) {
		add(other)
	}
	if len(all) == 0 {
		return nil
	}
	return Hashes(strings.Join(slices.Sorted(maps.Keys(all)), ""))
}

func hash(path string) []byte {
	sum := sha256.Sum256([]byte(path))
	return sum[:hashSize]
}

// Has reports whether a path is remembered.
func (h Hashes) Has(path string) bool {
	want, n := hash(path), len(h)/hashSize
	at := func(i int) []byte { return h[i*hashSize : (i+1)*hashSize] }
	i := sort.Search(n, func(i int) bool { return bytes.Compare(at(i), want) >= 0 })
	return i < n && bytes.Equal(at(i), want)
}

// HasOthers reports whether anything is remembered besides some paths.
func (h Hashes) HasOthers(paths []string) bool { return !bytes.Equal(Hash(paths, h), Hash(paths, nil)) }

// Kept returns the remembered paths that ARM shows and a Spec no longer sets, without those below others, and the
// hashes of all of these.
func (h Hashes) Kept(spec, shown []string) (kept []string, all Hashes) {
	sets := map[string]bool{}
	for _, path := range spec {
		sets[path] = true
	}
	for _, path := range shown {
		if !h.Has(path) || sets[path] {
			continue
		}
		kept, all = append(kept, path), Hash([]string{path}, all)
	}
	return topmost(kept), all
}
