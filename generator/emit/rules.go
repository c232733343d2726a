package emit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
)

// rule is a CEL expression that an API server checks, with what it tells the user
// who breaks it.
type rule struct {
	rule, message string
	// field is the path of the property that the message is about, or "".
	field string
}

// node returns the rule as an element of x-kubernetes-validations.
func (r rule) node() node {
	n := node{"rule": r.rule, "message": r.message}
	if r.field != "" {
		n["fieldPath"] = r.field
	}
	return n
}

// marker returns the rule as a marker of a type.
func (r rule) marker() string {
	marker := "kubebuilder:validation:XValidation:rule=" + strconv.Quote(r.rule) + ",message=" + strconv.Quote(r.message)
	if r.field != "" {
		marker += ",fieldPath=" + strconv.Quote(r.field)
	}
	return marker
}

// addRules adds rules to a schema.
func addRules(n node, rules []rule) {
	if len(rules) == 0 {
		return
	}
	all := make(list, len(rules))
	for i, r := range rules {
		all[i] = r.node()
	}
	n["x-kubernetes-validations"] = all
}

// outputRules returns the rules of the operatorSpec of a resource: which outputs there
// are. They are in the types of the resource, since all kinds share the Go type.
func (g *goPackage) outputRules(t *ir.Type, p *ir.Property) []rule {
	if p.Type.Primitive != ir.OperatorSpec {
		return nil
	}
	var rules []rule
	for _, r := range g.shape.Resources {
		if r.Spec != t.Name {
			continue
		}
		var secrets, configMaps []string
		for _, o := range r.Outputs {
			secrets = append(secrets, o.Name)
			if o.Action == "" {
				configMaps = append(configMaps, o.Name)
			}
		}
		for _, into := range []struct {
			field string
			names []string
		}{{"secrets", secrets}, {"configMaps", configMaps}} {
			holds, expected := ".all(k, k in ['"+strings.Join(into.names, "', '")+"'])", "expected outputs among: "+strings.Join(into.names, ", ")
			if len(into.names) == 0 {
				holds, expected = ".size() == 0", "no output of the kind can be in a ConfigMap"
			}
			rules = append(rules, rule{"!has(self." + into.field + ") || self." + into.field + holds, expected, "." + into.field})
		}
	}
	return rules
}

// reservedInCEL are the names by which no expression can select a property.
var reservedInCEL = []string{
	"as", "break", "const", "continue", "else", "false", "for", "function", "if", "import", "in", "let", "loop", "namespace",
	"null", "package", "return", "true", "var", "void", "while",
}

// unionRule returns the rule that a union has one variant, or at most one. There is
// none for a union with a variant that CEL cannot name.
func unionRule(t *ir.Type) (rule, bool) {
	names := variants(t)
	var terms []string
	for _, name := range names {
		if slices.Contains(reservedInCEL, name) {
			return rule{}, false
		}
		terms = append(terms, "(has(self."+name+")?1:0)")
	}
	sum := strings.Join(terms, "+")
	if t.VariantOptional {
		return rule{sum + " <= 1", fmt.Sprintf("at most one of the fields in %v may be set", names), ""}, true
	}
	return rule{sum + " == 1", fmt.Sprintf("exactly one of the fields in %v must be set", names), ""}, true
}
