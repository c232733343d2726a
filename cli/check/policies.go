package check

import (
	"maps"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/armature-dev/armature/generator/manifests"
)

// comparePolicies compares the admission policies and their bindings.
func (c *comparison) comparePolicies() {
	for _, name := range slices.Sorted(maps.Keys(c.before.policies)) {
		was, is := c.before.policies[name], c.after.policies[name]
		if is == nil {
			c.add(policyChanged, "", "", "", "the new release does not have %s: kubectl apply leaves it in the cluster as it is", name)
			continue
		}
		c.compareRules(name, was, is)
		switch a, b := c.before.bindings[name], c.after.bindings[name]; {
		case b == nil:
			c.add(policyChanged, "", "", "", "%s has no binding any longer, so it refuses nothing", name)
		case a == nil || !equality.Semantic.DeepEqual(a.Spec, b.Spec):
			c.add(policyChanged, "", "", "", "the binding of %s has changed", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.after.policies)) {
		if c.before.policies[name] == nil {
			c.add(policyChanged, "", "", "", "%s is new", name)
		}
	}
}

// compareRules compares what two policies of a name refuse.
func (c *comparison) compareRules(name string, was, is *admissionv1.ValidatingAdmissionPolicy) {
	before, after := expressions(was), c.withoutNewKinds(expressions(is))
	for _, expression := range without(after, before) {
		c.add(policyChanged, "", "", "", "%s has a new condition: %s", name, shorten(expression))
	}
	for _, expression := range without(before, after) {
		c.add(policyChanged, "", "", "", "%s does not have this condition any longer: %s", name, shorten(expression))
	}
	if !equality.Semantic.DeepEqual(rest(was), rest(is)) {
		c.add(policyChanged, "", "", "", "%s looks at other requests, or at other variables", name)
	}
}

// expressions returns what has to hold.
func expressions(p *admissionv1.ValidatingAdmissionPolicy) []string {
	var all []string
	for _, v := range p.Spec.Validations {
		all = append(all, v.Expression)
	}
	return all
}

// withoutNewKinds returns expressions without the names of kinds that only the new
// release has: the policies list kinds, and so change with each new one.
func (c *comparison) withoutNewKinds(expressions []string) []string {
	var pairs []string
	for name, s := range c.after.listed {
		if c.before.listed[name] == nil {
			pairs = append(pairs, ", '"+s.Kind+"'", "", "'"+s.Kind+"', ", "", "'"+s.Kind+"'", "")
		}
	}
	replacer := strings.NewReplacer(pairs...)
	for i, e := range expressions {
		expressions[i] = replacer.Replace(e)
	}
	return expressions
}

// shorten returns the begin of an expression, enough to find it.
func shorten(expression string) string {
	if runes := []rune(expression); len(runes) > 100 {
		return string(runes[:100]) + "…"
	}
	return expression
}

// rest returns a policy without validations and what is listed of kinds and versions.
func rest(p *admissionv1.ValidatingAdmissionPolicy) admissionv1.ValidatingAdmissionPolicySpec {
	spec := *p.Spec.DeepCopy()
	spec.Validations = nil
	spec.Variables = slices.DeleteFunc(spec.Variables, func(v admissionv1.Variable) bool { return manifests.IsData(v.Name) })
	return spec
}
