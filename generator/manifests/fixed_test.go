package manifests

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
	"sigs.k8s.io/yaml"
)

// policyOf returns the first policy in a text whose name begins with a word.
func policyOf(t *testing.T, text []byte, word string) admissionregistrationv1.ValidatingAdmissionPolicy {
	t.Helper()
	for _, document := range bytes.Split(text, []byte("\n---\n")) {
		var policy admissionregistrationv1.ValidatingAdmissionPolicy
		if err := yaml.UnmarshalStrict(document, &policy); err == nil && strings.HasPrefix(policy.Name, word) {
			return policy
		}
	}
	t.Fatalf("there is no policy %s", word)
	panic("unreachable")
}

// evaluator evaluates the expressions of a policy with what an API server of Kubernetes 1.30
// knows, the oldest that has such policies. Its compiler is of today: .ci/kubernetes-servers
// asks real ones.
type evaluator struct {
	*testing.T
	env    *cel.Env
	values map[string]any
}

func newEvaluator(t *testing.T, object, old map[string]any, kind, apiVersion string) *evaluator {
	t.Helper()
	base := environment.MustBaseEnvSet(version.MajorMinor(1, 30))
	set, err := base.Extend(environment.VersionedOptions{IntroducedVersion: version.MajorMinor(1, 0), EnvOptions: []cel.EnvOption{
		cel.Variable("object", cel.DynType), cel.Variable("oldObject", cel.DynType), cel.Variable("request", cel.DynType),
		cel.Variable("variables", cel.DynType)}})
	if err != nil {
		t.Fatal(err)
	}
	env, err := set.Env(environment.NewExpressions)
	if err != nil {
		t.Fatal(err)
	}
	return &evaluator{t, env, map[string]any{
		"object": object, "oldObject": old, "variables": map[string]any{},
		"request": map[string]any{"kind": map[string]any{"kind": kind, "version": apiVersion}},
	}}
}

// value returns the value of an expression.
func (e *evaluator) value(expression string) any {
	e.Helper()
	ast, issues := e.env.Compile(expression)
	if issues.Err() != nil {
		e.Fatalf("%v", issues.Err())
	}
	program, err := e.env.Program(ast)
	if err != nil {
		e.Fatal(err)
	}
	value, _, err := program.Eval(e.values)
	if err != nil {
		e.Fatalf("%s: %v", expression, err)
	}
	return value
}

// verdict returns the message with which a policy denies a write, or "".
func (e *evaluator) verdict(policy admissionregistrationv1.ValidatingAdmissionPolicy) string {
	e.Helper()
	for _, c := range policy.Spec.MatchConditions {
		if v := e.value(c.Expression); v != cel.BoolType && v.(interface{ Value() any }).Value() == false {
			return ""
		}
	}
	for _, v := range policy.Spec.Variables {
		e.values["variables"].(map[string]any)[v.Name] = e.value(v.Expression)
	}
	for _, v := range policy.Spec.Validations {
		if e.value(v.Expression).(interface{ Value() any }).Value() == false {
			return e.value(v.MessageExpression).(interface{ Value() any }).Value().(string)
		}
	}
	return ""
}

func TestCreateOnly(t *testing.T) {
	steps := func(path string) (steps []Step) {
		for p := range strings.SplitSeq(path, ".") {
			steps = append(steps, Step{Property: p})
		}
		return steps
	}
	versions := []string{"v1", "v2"}
	text := Policies{Group: "g", IDs: []string{"id", "armId"}, Fixed: []Fixed{
		{Kind: "Disk", Versions: versions, Steps: steps("location"), Shown: steps("location"), Form: Location},
		{Kind: "Disk", Versions: versions, Steps: steps("sku.name"), Shown: steps("sku.name"), Form: Scalar},
		{Kind: "Disk", Versions: versions, Steps: steps("size"), Form: Scalar},
		{Kind: "Disk", Versions: versions, Steps: steps("zones"), Shown: steps("zones"), Form: Whole},
		{Kind: "Disk", Versions: versions, Steps: steps("mode"), Form: Scalar, WriteOnly: true},
		{Kind: "Disk", Versions: versions, Steps: steps("in.a.b.subnetReference"), Shown: steps("in.a.b.subnetId"), Form: Reference},
		{Kind: "Disk", Versions: []string{"v2"}, Steps: steps("only"), Form: Scalar},
		{Kind: "Other", Versions: versions, Steps: steps("free"), Form: Scalar},
	}}.Text()
	policy := policyOf(t, text, "create-only.")
	const end = " does not let this change once the resource exists; leave it, or delete this object and create another one"
	const made = "{status: {id: /x}, spec: "
	const a, b = "/subscriptions/s/a", "/subscriptions/s/b"
	const shows = "{status: {id: /x, in: {a: {b: {subnetId: " + a + "}}}}, "
	subnet := func(text string) string { return "{in: {a: {b: {subnetReference: " + text + "}}}}" }
	for _, row := range []struct{ behavior, old, spec, want string }{
		{"nothing changes", made + "{location: a}}", "{location: a, tags: {a: b}}", ""},
		{"a change", made + "{location: a}}", "{location: b}", "spec.location, which is a: v1" + end},
		{"another spelling of a place", made + "{location: westeurope}}", "{location: West Europe}", ""},
		{"a property that goes", made + "{location: a}}", "{tags: {}}", "spec.location, which is a: v1" + end},
		{"before ARM has the resource", "{spec: {location: a}}", "{location: b}", ""},
		{"the id has another name", "{status: {armId: /x}, spec: {size: 3}}", "{size: 4}", "spec.size, which is 3: v1" + end},
		{"a property of another kind, and of another version", made + "{free: 1, only: 1}}", "{free: 2, only: 2}", ""},
		{"what was not set", made + "{}}", "{size: 4}", "spec.size, which is not set: v1" + end},
		{"what ARM shows", "{status: {id: /x, sku: {name: P}}, spec: {}}", "{sku: {name: P}}", ""},
		{"other than ARM shows", "{status: {id: /x, sku: {name: P}}, spec: {}}", "{sku: {name: Q}}",
			"spec.sku.name, which is not set: v1" + end},
		{"a place that ARM shows in other words", "{status: {id: /x, location: westeurope}, spec: {}}", "{location: West Europe}", ""},
		{"several", made + "{size: 3, sku: {name: P}}}", "{size: 4, sku: {name: Q}}",
			"spec.sku.name, which is P; spec.size, which is 3: v1" + end},
		{"a list as a whole", made + "{zones: [a]}}", "{zones: [b]}", "spec.zones: v1" + end},
		{"what only a creation reads goes", made + "{mode: Restore}}", "{}", ""},
		{"but does not change", made + "{mode: Restore}}", "{mode: Copy}", "spec.mode, which is Restore: v1" + end},
		{"another id", made + subnet("{armId: "+a+"}") + "}", subnet("{armId: " + b + "}"), "spec.in.a.b.subnetReference: v1" + end},
		{"an id in another case, with a slash", made + subnet("{armId: "+a+"}") + "}", subnet("{armId: /Subscriptions/S/A/}"), ""},
		{"an id in place of a name", made + subnet("{kind: Subnet, name: a}") + "}", subnet("{armId: " + a + "}"), ""},
		{"a name in place of an id", made + subnet("{armId: "+a+"}") + "}", subnet("{kind: Subnet, name: a}"), ""},
		{"another name", made + subnet("{kind: Subnet, name: a}") + "}", subnet("{kind: Subnet, name: b}"),
			"spec.in.a.b.subnetReference: v1" + end},
		{"no reference any more", made + subnet("{armId: "+a+"}") + "}", "{}", "spec.in.a.b.subnetReference: v1" + end},
		{"the id that ARM shows", shows + "spec: {}}", subnet("{armId: " + strings.ToUpper(a) + "}"), ""},
		{"a name where ARM shows an id", shows + "spec: {}}", subnet("{kind: S, name: a}"), ""},
		{"a reference where ARM has none", made + "{}}", subnet("{kind: S, name: a}"), "spec.in.a.b.subnetReference: v1" + end},
	} {
		t.Run(row.behavior, func(t *testing.T) {
			var old, spec map[string]any
			for text, into := range map[string]*map[string]any{row.old: &old, row.spec: &spec} {
				if err := yaml.Unmarshal([]byte(text), into); err != nil {
					t.Fatal(err)
				}
			}
			object := map[string]any{"spec": spec, "status": old["status"]}
			if got := newEvaluator(t, object, old, "Disk", "v1").verdict(policy); got != row.want {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}
