package references

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/reference"
)

// cat is a resource that takes its toy from another one, and refers to others.
type cat struct {
	conversion.KubernetesResource // the methods that nobody calls
	kind                          metav1.TypeMeta
	meta                          metav1.ObjectMeta
	spec                          catSpec
	status                        catStatus
}

type (
	catSpec struct {
		conversion.ConvertibleSpec
		Owner           *reference.Owner     `json:"owner,omitempty"`
		FriendReference *reference.Resource  `json:"friendReference,omitempty" arm:"friendId"`
		Toy             *string              `json:"toy,omitempty"`
		ToyFrom         *reference.Value     `json:"toyFrom,omitempty" arm:"toy"`
		Kin             map[string]catKin    `json:"kin,omitempty"`
		KinFrom         []reference.Resource `json:"kinFrom,omitempty" arm:"kin,keys"`
	}
	catKin    struct{}
	catStatus struct {
		conversion.ConvertibleStatus `json:"-"`
		ID                           string `json:"id,omitempty"`
		Toy                          string `json:"toy,omitempty"`
		Bed                          string `json:"bed,omitempty"`
		TenantID                     string `json:"tenantId,omitempty"`
		Age                          int64  `json:"age,omitempty"`
	}
)

// ARMResource makes each cat the owner of cats that are called as it is.
func (s *catSpec) ARMResource() arm.Resource {
	var outputs []arm.Output
	for _, name := range []string{"toy", "bed", "tenantId", "age"} {
		outputs = append(outputs, arm.Output{Name: name, Path: name})
	}
	t := "Contoso.Cats/cats"
	if s.Owner != nil {
		t += "/cats"
	}
	return arm.Resource{Type: t, Outputs: append(outputs, arm.Output{Name: "secret", Action: "listKeys", Path: "toy"})}
}

func (c *cat) GetSpec() conversion.ConvertibleSpec     { return &c.spec }
func (c *cat) GetStatus() conversion.ConvertibleStatus { return &c.status }
func (c *cat) GetObjectKind() schema.ObjectKind        { return &c.kind }
func (c *cat) GetName() string                         { return c.meta.Name }
func (c *cat) GetNamespace() string                    { return c.meta.Namespace }

func newCat(name string, spec catSpec, status catStatus) *cat {
	status.ID = "/cats/" + name
	return &cat{kind: metav1.TypeMeta{APIVersion: "cats.example/v1", Kind: "Cat"}, meta: metav1.ObjectMeta{Name: name},
		spec: spec, status: status}
}

func TestRefer(t *testing.T) {
	const text = "5c1a3c4e-0000-4000-8000-00000000000a"
	toy := func(text string) catSpec { return catSpec{Toy: &text} }
	from := func(name, output string) catSpec {
		return catSpec{ToyFrom: &reference.Value{Group: "cats.example", Kind: "Cat", Name: name, Output: output}}
	}
	friend := func(name string) *reference.Resource {
		return &reference.Resource{Group: "cats.example", Kind: "Cat", Name: name}
	}
	elsewhere := newCat("b", catSpec{}, catStatus{Toy: text})
	elsewhere.meta.Namespace = "other"
	withFriend := func(s catSpec, name string) catSpec {
		s.FriendReference = friend(name)
		return s
	}
	for _, test := range []struct {
		behavior string
		others   []*cat
		spec     catSpec // of the cat a
		want     catSpec
	}{
		{"an output that has the text", []*cat{newCat("b", catSpec{}, catStatus{Bed: text})}, toy(text), from("b", "bed")},
		{"in another case", []*cat{newCat("b", catSpec{}, catStatus{Bed: strings.ToUpper(text)})}, toy(text), from("b", "bed")},
		{"the output with the name of the property comes first",
			[]*cat{newCat("b", catSpec{}, catStatus{Bed: text, Toy: text}), newCat("c", catSpec{}, catStatus{Bed: text})},
			toy(text), from("b", "toy")},
		{"what two have is from none", []*cat{newCat("b", catSpec{}, catStatus{Toy: text}), newCat("c", catSpec{}, catStatus{Toy: text})},
			toy(text), toy(text)},
		{"what all of a tenant have is from none", []*cat{newCat("b", catSpec{}, catStatus{TenantID: text})}, toy(text), toy(text)},
		{"a short text may be equal by chance", []*cat{newCat("b", catSpec{}, catStatus{Toy: "red"})}, toy("red"), toy("red")},
		{"a number is no text", []*cat{newCat("b", catSpec{}, catStatus{Age: 12345678})}, toy("12345678"), toy("12345678")},
		{"an object of another namespace", []*cat{elsewhere}, toy(text), toy(text)},
		{"nothing waits for what waits for it: by a reference",
			[]*cat{newCat("b", catSpec{FriendReference: friend("c")}, catStatus{Toy: text}),
				newCat("c", catSpec{FriendReference: friend("a")}, catStatus{})},
			toy(text), toy(text)},
		{"nothing waits for what waits for it: by an owner",
			[]*cat{newCat("b", catSpec{Owner: &reference.Owner{Name: "a"}}, catStatus{Toy: text})}, toy(text), toy(text)},
		{"nothing waits for what waits for it: by a value",
			[]*cat{newCat("b", from("a", "bed"), catStatus{Toy: text})}, toy(text), toy(text)},
		{"two that refer to each other without this one", []*cat{newCat("b", catSpec{FriendReference: friend("c")}, catStatus{Toy: text}),
			newCat("c", catSpec{FriendReference: friend("b")}, catStatus{})},
			withFriend(toy(text), "b"), withFriend(from("b", "toy"), "b")},
		{"an id that is a key", []*cat{newCat("b", catSpec{}, catStatus{})}, catSpec{Kin: map[string]catKin{"/CATS/b": {}, "/cats/x": {}}},
			catSpec{Kin: map[string]catKin{"/cats/x": {}}, KinFrom: []reference.Resource{*friend("b")}}},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			a := newCat("a", test.spec, catStatus{Toy: "a toy of its own", Bed: text})
			var all Set
			for _, c := range append(test.others, a) {
				all.Add(c)
			}
			if err := all.Refer(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, a.spec); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	t.Run("of two that have each other's text one refers to the other", func(t *testing.T) {
		const other = "5c1a3c4e-0000-4000-8000-00000000000b"
		a, b := newCat("a", toy(other), catStatus{Bed: text}), newCat("b", toy(text), catStatus{Bed: other})
		var all Set
		all.Add(a)
		all.Add(b)
		if err := all.Refer(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]catSpec{from("b", "bed"), toy(text)}, []catSpec{a.spec, b.spec}); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}
