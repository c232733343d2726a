package crd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/shape"
)

// OperatorRules returns the rules of the operatorSpec of a resource: which outputs there
// are, and whether there are lists of children. They are in the types of the resource, since
// all kinds share the Go type.
func OperatorRules(pkg *shape.Package, t *ir.Type, p *ir.Property) []Rule {
	if p.Type.Primitive != ir.OperatorSpec {
		return nil
	}
	var rules []Rule
	for _, r := range pkg.Version.Resources {
		if r.Spec != t.Name {
			continue
		}
		secrets, configMaps := outputsOf(r)
		for _, into := range []struct {
			field, in string
			names     []string
		}{{"secrets", "Secret", secrets}, {"configMaps", "ConfigMap", configMaps}} {
			holds := ".all(k, k in ['" + strings.Join(into.names, "', '") + "'])"
			expected := "expected outputs among: " + strings.Join(into.names, ", ")
			if len(into.names) == 0 {
				holds, expected = ".size() == 0", "no output of the kind can be in a "+into.in
			}
			rules = append(rules, Rule{
				FieldPath: "." + into.field,
				Message:   expected,
				Rule:      "!has(self." + into.field + ") || self." + into.field + holds,
			})
		}
		if len(r.Outputs) == 0 { // the operator has no right to write Secrets for a group without outputs
			for _, field := range []string{"expressions", "secretMetadata"} {
				rules = append(rules, Rule{
					FieldPath: "." + field,
					Message:   "the kind has no outputs",
					Rule:      "!has(self." + field + ")",
				})
			}
		}
		if len(r.Collections) == 0 {
			rules = append(rules, Rule{
				FieldPath: ".inlineChildren",
				Message:   "the body of the kind has no list of children",
				Rule:      "!has(self.inlineChildren)",
			})
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
func unionRule(t *ir.Type) (Rule, bool) {
	names := shape.Variants(t)
	if slices.ContainsFunc(names, func(name string) bool { return slices.Contains(reservedInCEL, name) }) {
		return Rule{}, false
	}
	return oneRule(names, !t.VariantOptional), true
}

// oneRule returns the rule that exactly one of some properties is set, or at most one.
func oneRule(names []string, isRequired bool) Rule {
	var terms []string
	for _, name := range names {
		terms = append(terms, "(has(self."+name+")?1:0)")
	}
	sum := strings.Join(terms, "+")
	if isRequired {
		return Rule{Rule: sum + " == 1", Message: fmt.Sprintf("exactly one of the fields in %v must be set", names)}
	}
	return Rule{Rule: sum + " <= 1", Message: fmt.Sprintf("at most one of the fields in %v may be set", names)}
}
