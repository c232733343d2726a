package planner

import (
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/internal/plantest"
	"github.com/google/go-cmp/cmp"
)

// hooked plans three versions of a resource, the first with an alias, and hooks.
func hooked(t *testing.T, hooks ...plan.HookSource) map[string]*plan.Package {
	t.Helper()
	const shape = "resource Person\nPerson_Spec: id string, site Site\nPerson_Status: conditions conditions\nSite: url string"
	o := options(plantest.Group(t, "exports:\n  Contoso.Crm/persons: {kind: Person, aliases: [{prefix: v1alpha1api, versions: [2016-01-01]}]}\n"),
		plantest.Version(t, "2016-01-01", shape), plantest.Version(t, "2017-01-01", shape), plantest.Version(t, "2018-01-01", shape))
	o.Hooks = hooks
	return buildAll(t, o)
}

// source returns a hook as armhooks finds it. The parameter there names a package
// and a type.
func source(pkg, receiver, method, there string) plan.HookSource {
	return plan.HookSource{Package: pkg, Receiver: receiver, Method: method, Signature: "func (*" + receiver + ") " +
		method + "(*example.com/apis/crm/" + there + ") error"}
}

func TestHooks(t *testing.T) {
	for _, test := range []struct {
		behaviour string
		hook      plan.HookSource
		want      plan.Hook
	}{
		{"a storage package may have a hook",
			source("v20160101storage", "Person_Spec", "AssignToPerson_Spec", "v20170101storage.Person_Spec"),
			plan.Hook{Type: "Person_Spec", Neighbour: "v20170101storage", There: "Person_Spec", To: true}},
		{"a hook may convert from the neighbour",
			source("v20160101storage", "Person_Status", "AssignFromPerson_Status", "v20170101storage.Person_Status"),
			plan.Hook{Type: "Person_Status", Neighbour: "v20170101storage", There: "Person_Status", To: false}},
		{"a hook may convert a type below Spec and Status",
			source("v20170101storage", "Site", "AssignToSite", "v20180101storage.Site"),
			plan.Hook{Type: "Site", Neighbour: "v20180101storage", There: "Site", To: true}},
		{"an API package may have a hook", source("v20180101", "Site", "AssignFromSite", "v20180101storage.Site"),
			plan.Hook{Type: "Site", Neighbour: "v20180101storage", There: "Site", To: false}},
		{"an alias may have a hook for the types of its twin's storage package",
			source("v1alpha1api20160101", "Person_Spec", "AssignToPerson_Spec", "v20160101storage.Person_Spec"),
			plan.Hook{Type: "Person_Spec", Neighbour: "v20160101storage", There: "Person_Spec", To: true}},
	} {
		t.Run(test.behaviour, func(t *testing.T) {
			p := hooked(t, test.hook)[test.hook.Package]
			if diff := cmp.Diff([]plan.Hook{test.want}, p.Hooks); diff != "" || len(p.Misfits) > 0 {
				t.Errorf("%s%v", diff, p.Misfits)
			}
		})
	}
	for _, method := range []string{"BeforeSend", "AfterRead", "ClassifyError"} {
		t.Run("an API package may have "+method+" for the operator", func(t *testing.T) {
			hook := plan.OperatorHook("v20180101", "Person", method)
			if p := hooked(t, hook)[hook.Package]; len(p.Hooks) > 0 || len(p.Misfits) > 0 {
				t.Errorf("got %v and %v, want neither", p.Hooks, p.Misfits)
			}
		})
	}
	t.Run("a hook changes the plan of its own package only", func(t *testing.T) {
		hook := source("v20160101storage", "Person_Spec", "AssignToPerson_Spec", "v20170101storage.Person_Spec")
		without, with := hooked(t), hooked(t, hook)
		for name := range without {
			if changed := !cmp.Equal(without[name], with[name]); changed != (name == hook.Package) {
				t.Errorf("%s: got changed = %v, want %v", name, changed, !changed)
			}
		}
	})
}

// TestMisfits has hooks that no conversion calls.
func TestMisfits(t *testing.T) {
	for _, test := range []struct {
		behaviour string
		hook      plan.HookSource
		want      string
	}{
		{"a hook that passes over the neighbour is told the expected signature",
			source("v20160101storage", "Person_Spec", "AssignToPerson_Spec", "v20180101storage.Person_Spec"),
			"expected func (p *Person_Spec) AssignToPerson_Spec(dst *v20170101storage.Person_Spec) error"},
		{"a hook in the storage package of an alias fits nothing",
			source("v1alpha1api20160101storage", "Person_Spec", "AssignToPerson_Spec", "v20160101storage.Person_Spec"),
			"converts with no other package"},
		{"a hook for the operator in a storage package", plan.OperatorHook("v20180101storage", "Person", "BeforeSend"),
			"v20180101storage is a storage package; write it in the package of the API version"},
		{"one of a type that is no half of a resource", plan.OperatorHook("v20180101", "Persn", "BeforeSend"),
			`does not call BeforeSend of Persn_Spec: it calls that of a resource's Spec; did you mean "Person_Spec"?`},
		{"one of the other half", plan.HookSource{Package: "v20180101", Receiver: "Person_Spec",
			Method: "AfterRead", Signature: "func (*Person_Spec) AfterRead(context.Context, []byte) error"},
			"it calls that of a resource's Status"},
		{"one with another signature", plan.HookSource{Package: "v20180101", Receiver: "Person_Spec",
			Method: "BeforeSend", Signature: "func (*Person_Spec) BeforeSend(context.Context) error"},
			"expected func (*Person_Spec) BeforeSend(context.Context, *arm.Request) error, and it is func (*Person_Spec) BeforeSend(context.Context) error"},
	} {
		t.Run(test.behaviour, func(t *testing.T) {
			p := hooked(t, test.hook)[test.hook.Package]
			if len(p.Hooks) != 0 || len(p.Misfits) != 1 || !strings.Contains(p.Misfits[0].Message, test.want) {
				t.Errorf("got %v and %v, want %s", p.Hooks, p.Misfits, test.want)
			}
		})
	}
}
