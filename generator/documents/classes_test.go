package documents_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/documents"
)

// TestClasses compares the classes of random types with those of a rule that is slow and
// plain: two types are equal if no walk of both leads to different contents.
func TestClasses(t *testing.T) {
	for seed := range uint64(2_000) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 1 + r.IntN(7)
		contents, refs := make([]string, n), make([][]int, n)
		for i := range n {
			for range r.IntN(3) {
				refs[i] = append(refs[i], r.IntN(n))
			}
			contents[i] = fmt.Sprint(r.IntN(2), len(refs[i])) // which has the number of references
		}
		class := classes(contents, refs)
		for i := range n {
			for j := range n {
				if want := equal(contents, refs, i, j, map[[2]int]bool{}); (class[i] == class[j]) != want {
					t.Fatalf("seed %d: %v %v has the classes %v; %d and %d are equal: %v", seed, contents, refs, class, i, j, want)
				}
			}
		}
	}
}

// classes returns the classes of types that are given by their indexes.
func classes(contents []string, refs [][]int) map[int]int {
	var types []int
	for i := range contents {
		types = append(types, i)
	}
	return documents.Classes(types, func(i int) string { return contents[i][:1] },
		func(i int, _ string) (string, []int) { return contents[i], refs[i] })
}

func equal(contents []string, refs [][]int, i, j int, assumed map[[2]int]bool) bool {
	if assumed[[2]int{i, j}] {
		return true
	}
	assumed[[2]int{i, j}] = true
	if contents[i] != contents[j] || len(refs[i]) != len(refs[j]) {
		return false
	}
	for k := range refs[i] {
		if !equal(contents, refs, refs[i][k], refs[j][k], assumed) {
			return false
		}
	}
	return true
}

// TestClassesOfChain has types of one content, each of which refers to the next. All
// differ, and the last one shows it.
func TestClassesOfChain(t *testing.T) {
	const n = 100_000
	contents, refs := strings.Split(strings.Repeat("x,", n-1)+"last", ","), make([][]int, n)
	for i := range n - 1 {
		refs[i] = []int{i + 1}
	}
	seen := map[int]bool{}
	for _, c := range classes(contents, refs) {
		seen[c] = true
	}
	if len(seen) != n {
		t.Errorf("%d classes, want %d", len(seen), n)
	}
}
