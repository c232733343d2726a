// Package paths names the properties that a Spec sets, such as spec.sku.name, spec.tags["a,b"] and
// spec.rules[name=web].port, and remembers them in few bytes.
package paths

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Of returns the paths of the properties that a Spec sets, and of the objects that hold them, the shallow ones first.
// An element of a list has a path if all elements have names of their own.
func Of(spec any) ([]string, error) {
	text, err := json.Marshal(spec)
	if err != nil {
		return nil, err
	}
	var root map[string]any
	if err := json.Unmarshal(text, &root); err != nil {
		return nil, err
	}
	all := &collector{depths: map[string]int{}}
	all.object("spec", root, 1)
	return slices.SortedFunc(maps.Keys(all.depths), func(a, b string) int {
		return cmp.Or(cmp.Compare(all.depths[a], all.depths[b]), strings.Compare(a, b))
	}), nil
}

// collector collects paths with their depths.
type collector struct{ depths map[string]int }

func (c *collector) object(path string, of map[string]any, depth int) {
	for name, value := range of {
		c.value(path+step(name), value, depth)
	}
}

func (c *collector) value(path string, value any, depth int) {
	c.depths[path] = depth
	switch value := value.(type) {
	case map[string]any:
		c.object(path, value, depth+1)
	case []any:
		for name, element := range named(value) {
			at := path + "[name=" + quoted(name) + "]"
			c.depths[at] = depth + 1
			c.object(at, element, depth+2)
		}
	}
}

// named returns the elements of a list by their names, or nil if one has none or two have the same.
func named(list []any) map[string]map[string]any {
	all := map[string]map[string]any{}
	for _, e := range list {
		element, _ := e.(map[string]any)
		name, _ := element["name"].(string)
		if name == "" || all[name] != nil {
			return nil
		}
		all[name] = element
	}
	return all
}

var plain = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// step returns a step to a member of an object.
func step(name string) string {
	if plain.MatchString(name) {
		return "." + name
	}
	return "[" + strconv.Quote(name) + "]"
}

// quoted returns the name of an element, between quotation marks if it has other characters than most names have.
func quoted(name string) string {
	if strings.ContainsAny(name, `]["\`) || strconv.Quote(name) != `"`+name+`"` {
		return strconv.Quote(name)
	}
	return name
}

// Hashes remembers paths: the first four bytes of the SHA-256 of each, sorted. In JSON they have at most 2 KiB.
type Hashes []byte

const (
	hashSize = 4
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
		all = Hash([]string{path}, all)
		isBelow := slices.ContainsFunc(kept, func(k string) bool {
			return strings.HasPrefix(path, k+".") || strings.HasPrefix(path, k+"[")
		})
		if !isBelow {
			kept = append(kept, path)
		}
	}
	return kept, all
}
