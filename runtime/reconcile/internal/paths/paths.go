// Package paths names the properties that a Spec sets, such as spec.sku.name, spec.tags["a,b"] and
// spec.rules[name=web].port, and remembers them in few bytes.
package paths

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
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
	return slices.SortedFunc(maps.Keys(all.depths), func(a, b string) int {
		return cmp.Or(cmp.Compare(all.depths[a], all.depths[b]), strings.Compare(a, b))
	}), nil
}

// Changed returns the paths of the properties that one of two Specs sets and the other does not, or otherwise, without
// those below others.
func Changed(before, after any) ([]string, error) {
	a, err := valuesOf(before)
	if err != nil {
		return nil, err
	}
	b, err := valuesOf(after)
	if err != nil {
		return nil, err
	}
	var changed []string
	for path, value := range a {
		if other, found := b[path]; !found || value != other {
			changed = append(changed, path)
		}
	}
	for path := range b {
		if _, found := a[path]; !found {
			changed = append(changed, path)
		}
	}
	slices.Sort(changed)
	return topmost(changed), nil
}

// valuesOf returns the values of a Spec by their paths, those of objects and of lists with paths as "".
func valuesOf(spec any) (map[string]string, error) {
	all, err := collect(spec)
	if err != nil {
		return nil, err
	}
	return all.values, nil
}

// topmost returns sorted paths without those below others.
func topmost(all []string) (top []string) {
	for _, path := range all {
		isBelow := slices.ContainsFunc(top, func(t string) bool {
			return strings.HasPrefix(path, t+".") || strings.HasPrefix(path, t+"[")
		})
		if !isBelow {
			top = append(top, path)
		}
	}
	return top
}

// collector collects paths with their depths, and the values there.
type collector struct {
	depths map[string]int
	values map[string]string
}

// collect collects the paths of a Spec.
func collect(spec any) (*collector, error) {
	text, err := json.Marshal(spec)
	if err != nil {
		return nil, err
	}
	var root map[string]any
	if err := json.Unmarshal(text, &root); err != nil {
		return nil, err
	}
	all := &collector{depths: map[string]int{}, values: map[string]string{}}
	all.object(specpath.Root, root, 1)
	return all, nil
}

func (c *collector) object(path string, of map[string]any, depth int) {
	for name, value := range of {
		c.value(specpath.Member(path, name), value, depth)
	}
}

func (c *collector) value(path string, value any, depth int) {
	c.depths[path], c.values[path] = depth, ""
	list, _ := value.([]any)
	names := specpath.Names(list)
	inner, isObject := value.(map[string]any)
	switch {
	case isObject:
		c.object(path, inner, depth+1)
	case names == nil:
		text, _ := json.Marshal(value) // which was read from JSON
		c.values[path] = string(text)
	default:
		for i, name := range names {
			at := specpath.Element(path, name)
			c.depths[at], c.values[at] = depth+1, ""
			c.object(at, list[i].(map[string]any), depth+2)
		}
	}
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
