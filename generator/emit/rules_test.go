package emit

import (
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
)

// TestOwnerRule checks that an owner can be added later only where it may be absent.
func TestOwnerRule(t *testing.T) {
	for _, required := range []bool{true, false} {
		g := &goPackage{types: map[string]*ir.Type{"Spec": {Name: "Spec", Properties: []*ir.Property{
			{Name: "owner", Type: ir.TypeRef{Primitive: ir.Owner}, Required: required},
		}}}}
		rules := g.rootRules(resource{Resource: &plan.Resource{Kind: "Widget"}, shape: &ir.Resource{Spec: "Spec"}})
		if len(rules) != 1 || rules[0].field != ".spec.owner" || strings.HasPrefix(rules[0].rule, "!has(oldSelf.spec.owner) ||") == required {
			t.Errorf("required %v: got %v", required, rules)
		}
	}
}
