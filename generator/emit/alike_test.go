package emit

import (
	"testing"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
)

// A mistake here makes conversions read memory as what it is not.
func TestAlike(t *testing.T) {
	a, b := &ir.Property{Name: "a", GoName: "A"}, &ir.Property{Name: "b", GoName: "B"}
	typeOf := func(properties ...*ir.Property) *ir.Type { return &ir.Type{Properties: properties} }
	assign := func(src, dst *ir.Property) plan.Step {
		return plan.Step{Value: plan.Value{Kind: plan.Assign}, Src: src, Dst: dst}
	}
	both := func(here, there *ir.Type, steps ...plan.Step) *plan.Pair {
		return &plan.Pair{Here: here, There: there, To: steps, From: steps}
	}
	object := func(p *plan.Pair) plan.Step {
		return plan.Step{Value: plan.Value{Kind: plan.Object, Pair: p}, Src: a, Dst: a}
	}
	list := func(p *plan.Pair) plan.Step {
		return plan.Step{Value: plan.Value{Kind: plan.Slice, Elem: &plan.Value{Kind: plan.Object, Pair: p}}, Src: a, Dst: a}
	}
	same := both(typeOf(a, b), typeOf(a, b), assign(a, a), assign(b, b))
	more := both(typeOf(a), typeOf(a, b), assign(a, a), plan.Step{Value: plan.Value{Kind: plan.Recall}, Dst: b})
	tree := both(typeOf(a), typeOf(a))
	tree.To, tree.From = []plan.Step{list(tree)}, []plan.Step{list(tree)}
	cyclic, inside := both(typeOf(a, b), typeOf(a, b)), both(typeOf(a), typeOf(a))
	cyclic.To, cyclic.From = []plan.Step{object(inside), assign(b, a)}, []plan.Step{object(inside), assign(b, b)}
	inside.To, inside.From = []plan.Step{object(cyclic)}, []plan.Step{object(cyclic)}
	for _, test := range []struct {
		name string
		pair *plan.Pair
		want bool
	}{
		{"the same properties", same, true},
		{"one property more", more, false},
		{"another order", both(typeOf(a, b), typeOf(b, a), assign(a, a), assign(b, b)), false},
		{"two properties change their names", both(typeOf(a, b), typeOf(a, b), assign(a, b), assign(b, a)), false},
		{"a value that may not fit", both(typeOf(a), typeOf(a), plan.Step{Value: plan.Value{Kind: plan.Fit}, Src: a, Dst: a}), false},
		{"a property of the same name went into the bag", both(typeOf(a), typeOf(a),
			plan.Step{Value: plan.Value{Kind: plan.Recall}, Dst: a}, plan.Step{Value: plan.Value{Kind: plan.Stash}, Src: a}), false},
		{"a property moves", both(typeOf(a), typeOf(a),
			plan.Step{Value: plan.Value{Kind: plan.Assign}, Src: a, Dst: a, SrcIn: []*ir.Property{b}}), false},
		{"an object inside is alike", both(typeOf(a), typeOf(a), object(same)), true},
		{"an object inside differs", both(typeOf(a), typeOf(a), object(more)), false},
		{"objects of a list differ", both(typeOf(a), typeOf(a), list(more)), false},
		{"a type contains itself", tree, true},
		{"a type contains itself within another one, and differs", cyclic, false},
		{"what is within such a type", inside, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := alikeAmong([]*plan.Pair{test.pair, same, more, inside, cyclic})[test.pair]; got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}
