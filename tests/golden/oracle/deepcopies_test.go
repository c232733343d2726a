package oracle

import (
	"strings"
	"testing"
)

// TestShorten checks that code that no pattern matches stays as it is, and so
// differs from armature's.
func TestShorten(t *testing.T) {
	for _, test := range []struct{ reason, theirs, want string }{
		{"a pointer",
			"if in.A != nil {\nin, out := &in.A, &out.A\n*out = new(string)\n**out = **in\n}\n",
			"out.A = deepcopy.Pointer(in.A)\n"},
		{"a pointer of another field",
			"if in.A != nil {\nin, out := &in.B, &out.A\n*out = new(string)\n**out = **in\n}\n",
			"if in.A != nil {\nin, out := &in.B, &out.A\n*out = deepcopy.Pointer(*in)\n}\n"},
		{"a pointer to a pointer",
			"if in.A != nil {\nin, out := &in.A, &out.A\n*out = new(*string)\nif **in != nil {\nin, out := *in, *out\n*out = new(string)\n**out = **in\n}\n}\n",
			"if in.A != nil {\nin, out := &in.A, &out.A\n*out = new(*string)\nif **in != nil {\nin, out := *in, *out\n*out = deepcopy.Pointer(*in)\n}\n}\n"},
		{"a slice of pointers",
			"if in.A != nil {\nin, out := &in.A, &out.A\n*out = make([]*B, len(*in))\nfor i := range *in {\nif (*in)[i] != nil {\nin, out := &(*in)[i], &(*out)[i]\n*out = new(B)\n(*in).DeepCopyInto(*out)\n}\n}\n}\n",
			"out.A = deepcopy.SliceOf(in.A, func(v *B) *B { return v.DeepCopy() })\n"},
		{"a map with other keys",
			"if in.A != nil {\nin, out := &in.A, &out.A\n*out = make(map[Key]string, len(*in))\nfor key, val := range *in {\n(*out)[key] = val\n}\n}\n",
			"if in.A != nil {\nin, out := &in.A, &out.A\n*out = make(map[Key]string, len(*in))\nfor key, val := range *in {\n(*out)[key] = val\n}\n}\n"},
		{"an assignment of another field", "out.A = in.B\n", "out.A = in.B\n"},
		{"a field that is assigned", "out.A = in.A\n", ""},
	} {
		ours := []byte("package p\n")
		theirs := "package p\n\nfunc (in *T) DeepCopyInto(out *T) {\n*out = *in\n" + test.theirs + "}\n"
		got, err := Shorten([]byte(theirs), ours, map[string]int{})
		if err != nil {
			t.Fatal(err)
		}
		want := "func (in *T) DeepCopyInto(out *T) {\n*out = *in\n" + test.want + "}\n"
		if got := strings.ReplaceAll(got, "\t", ""); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.reason, got, want)
		}
	}
}
