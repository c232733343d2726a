package deepcopy_test

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/armature-dev/armature/runtime/deepcopy"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

type color string

// leaf and node have all kinds of fields that generated types have.
type leaf struct {
	Text  *string
	Color *color
	Count *int64
}

type node struct {
	Leaf   *leaf
	Leaves []leaf
	ByName map[string]leaf
	Names  []string
	Tags   map[string]string
	Matrix [][]float64
	Table  map[string][]leaf
	Next   *node
}

func (in *leaf) DeepCopyInto(out *leaf) {
	*out = *in
	out.Text = deepcopy.Pointer(in.Text)
	out.Color = deepcopy.Pointer(in.Color)
	out.Count = deepcopy.Pointer(in.Count)
}

func (in *leaf) DeepCopy() *leaf { return deepcopy.Of(in) }

func (in *node) DeepCopyInto(out *node) {
	*out = *in
	out.Leaf = in.Leaf.DeepCopy()
	out.Leaves = deepcopy.Slice(in.Leaves, (*leaf).DeepCopyInto)
	out.ByName = deepcopy.Map(in.ByName, (*leaf).DeepCopyInto)
	out.Names = slices.Clone(in.Names)
	out.Tags = maps.Clone(in.Tags)
	out.Matrix = deepcopy.SliceOf(in.Matrix, slices.Clone)
	out.Table = deepcopy.MapOf(in.Table, func(v []leaf) []leaf { return deepcopy.Slice(v, (*leaf).DeepCopyInto) })
	out.Next = in.Next.DeepCopy()
}

func (in *node) DeepCopy() *node { return deepcopy.Whole(in) }

func (in *node) DeepCopyObject() runtime.Object { return deepcopy.Object(in) }

func (in *node) GetObjectKind() schema.ObjectKind { return nil }

// example has a value in every field, at all levels.
func example() *node {
	text, count, red := "text", int64(1), color("red")
	l := leaf{&text, &red, &count}
	n := node{
		Leaf:   &l,
		Leaves: []leaf{*l.DeepCopy(), *l.DeepCopy()},
		ByName: map[string]leaf{"a": *l.DeepCopy(), "b": {}},
		Names:  []string{"a", "b", "c"},
		Tags:   map[string]string{"a": "b"},
		Matrix: [][]float64{{1}, {2, 3}, {}, nil},
		Table:  map[string][]leaf{"a": {*l.DeepCopy()}, "b": {}, "c": nil},
	}
	n.Next = n.DeepCopy()
	return &n
}

func TestCopy(t *testing.T) {
	t.Run("is equal and shares nothing", testEqualAndApart)
	t.Run("keeps nil and empty apart", testNilAndEmpty)
	t.Run("allocates no more than the long form", testAllocations)
}

func testEqualAndApart(t *testing.T) {
	original := example()
	copied := original.DeepCopy()
	if !reflect.DeepEqual(original, copied) {
		t.Fatalf("the copy differs:\n%+v\n%+v", original, copied)
	}
	*original.Leaf.Text = "other"
	*original.Leaves[1].Color = "blue"
	*original.ByName["a"].Count = 2
	original.Names[0] = "other"
	original.Tags["a"] = "other"
	original.Matrix[1][1] = 4
	*original.Table["a"][0].Text = "other"
	*original.Next.Leaf.Text = "other"
	if !reflect.DeepEqual(copied, example()) {
		t.Errorf("a write to the original changed its copy:\n%+v", copied)
	}
}

func testNilAndEmpty(t *testing.T) {
	for _, original := range []*node{
		nil,
		{},
		{Leaves: []leaf{}, ByName: map[string]leaf{}, Names: []string{}, Tags: map[string]string{}, Matrix: [][]float64{},
			Table: map[string][]leaf{}},
		{Matrix: [][]float64{{}, nil}, Table: map[string][]leaf{"a": {}, "b": nil}},
	} {
		if copied := original.DeepCopy(); !reflect.DeepEqual(original, copied) {
			t.Errorf("%#v became %#v", original, copied)
		}
	}
	if object := (*node)(nil).DeepCopyObject(); object != nil {
		t.Errorf("DeepCopyObject of nil is the interface %#v, want nil", object)
	}
	if object := example().DeepCopyObject(); !reflect.DeepEqual(object, runtime.Object(example())) {
		t.Errorf("DeepCopyObject returns %#v", object)
	}
}

// longLeaf and longNode have the DeepCopy methods that controller-tools prints.
type longLeaf leaf

type longNode struct {
	Leaf   *longLeaf
	Leaves []longLeaf
	ByName map[string]longLeaf
	Names  []string
	Tags   map[string]string
	Matrix [][]float64
	Table  map[string][]longLeaf
	Next   *longNode
}

func (in *longLeaf) DeepCopyInto(out *longLeaf) {
	*out = *in
	if in.Text != nil {
		in, out := &in.Text, &out.Text
		*out = new(string)
		**out = **in
	}
	if in.Color != nil {
		in, out := &in.Color, &out.Color
		*out = new(color)
		**out = **in
	}
	if in.Count != nil {
		in, out := &in.Count, &out.Count
		*out = new(int64)
		**out = **in
	}
}

func (in *longLeaf) DeepCopy() *longLeaf {
	if in == nil {
		return nil
	}
	out := new(longLeaf)
	in.DeepCopyInto(out)
	return out
}

func (in *longNode) DeepCopyInto(out *longNode) {
	*out = *in
	if in.Leaf != nil {
		in, out := &in.Leaf, &out.Leaf
		*out = new(longLeaf)
		(*in).DeepCopyInto(*out)
	}
	if in.Leaves != nil {
		in, out := &in.Leaves, &out.Leaves
		*out = make([]longLeaf, len(*in))
		for i := range *in {
			(*in)[i].DeepCopyInto(&(*out)[i])
		}
	}
	if in.ByName != nil {
		in, out := &in.ByName, &out.ByName
		*out = make(map[string]longLeaf, len(*in))
		for key, val := range *in {
			(*out)[key] = *val.DeepCopy()
		}
	}
	if in.Names != nil {
		in, out := &in.Names, &out.Names
		*out = make([]string, len(*in))
		copy(*out, *in)
	}
	if in.Tags != nil {
		in, out := &in.Tags, &out.Tags
		*out = make(map[string]string, len(*in))
		for key, val := range *in {
			(*out)[key] = val
		}
	}
	if in.Matrix != nil {
		in, out := &in.Matrix, &out.Matrix
		*out = make([][]float64, len(*in))
		for i := range *in {
			if (*in)[i] != nil {
				in, out := &(*in)[i], &(*out)[i]
				*out = make([]float64, len(*in))
				copy(*out, *in)
			}
		}
	}
	if in.Table != nil {
		in, out := &in.Table, &out.Table
		*out = make(map[string][]longLeaf, len(*in))
		for key, val := range *in {
			var outVal []longLeaf
			if val == nil {
				(*out)[key] = nil
			} else {
				inVal := (*in)[key]
				in, out := &inVal, &outVal
				*out = make([]longLeaf, len(*in))
				for i := range *in {
					(*in)[i].DeepCopyInto(&(*out)[i])
				}
			}
			(*out)[key] = outVal
		}
	}
	if in.Next != nil {
		in, out := &in.Next, &out.Next
		*out = new(longNode)
		(*in).DeepCopyInto(*out)
	}
}

func (in *longNode) DeepCopy() *longNode {
	if in == nil {
		return nil
	}
	out := new(longNode)
	in.DeepCopyInto(out)
	return out
}

// longExample is example in the type with the long methods.
func longExample() *longNode { return longOf(example()) }

func longOf(n *node) *longNode {
	if n == nil {
		return nil
	}
	leaves := func(l []leaf) []longLeaf {
		if l == nil {
			return nil
		}
		long := make([]longLeaf, len(l))
		for i := range l {
			long[i] = longLeaf(l[i])
		}
		return long
	}
	long := &longNode{
		Leaf: (*longLeaf)(n.Leaf), Leaves: leaves(n.Leaves), Names: n.Names, Tags: n.Tags, Matrix: n.Matrix,
		ByName: map[string]longLeaf{}, Table: map[string][]longLeaf{}, Next: longOf(n.Next),
	}
	for name, l := range n.ByName {
		long.ByName[name] = longLeaf(l)
	}
	for name, l := range n.Table {
		long.Table[name] = leaves(l)
	}
	return long
}

// sink keeps copies, so that the compiler cannot drop them.
var (
	short *node
	long  *longNode
)

func testAllocations(t *testing.T) {
	n, l := example(), longExample()
	got := testing.AllocsPerRun(100, func() { short = n.DeepCopy() })
	want := testing.AllocsPerRun(100, func() { long = l.DeepCopy() })
	if got > want {
		t.Errorf("a copy takes %v allocations, that of the long form %v", got, want)
	}
}

func BenchmarkDeepCopy(b *testing.B) {
	b.Run("short", func(b *testing.B) {
		n := example()
		b.ReportAllocs()
		for b.Loop() {
			short = n.DeepCopy()
		}
	})
	b.Run("long", func(b *testing.B) {
		n := longExample()
		b.ReportAllocs()
		for b.Loop() {
			long = n.DeepCopy()
		}
	})
}
