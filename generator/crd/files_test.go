package crd

import (
	"testing"

	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/lock"
	"github.com/armature-dev/armature/generator/shape"
)

func TestRoleInCRD(t *testing.T) {
	t.Run("a retired version is not listed", func(t *testing.T) {
		p := &plan.Package{Name: "v20200101", Role: plan.API}
		r := shape.Resource{Resource: &plan.Resource{Kind: "Widget"}}
		for _, isRetired := range []bool{false, true} {
			p.Retired = isRetired
			if _, listed := roleInCRD(p, r, &lock.Lock{}); listed == isRetired {
				t.Errorf("retired %v, listed %v", isRetired, listed)
			}
		}
	})
	t.Run("an alias is listed while the lock has it", testAliasInCRD)
	t.Run("of the former hubs the last one is served", testFormerHubs)
}

func testFormerHubs(t *testing.T) {
	locked := &lock.Lock{Resources: map[string]lock.Resource{
		"Widget": {Former: []string{"v20180101storage", "v20190101storage"}},
	}}
	for _, test := range []struct {
		name   string
		isHub  bool
		role   role
		served bool
	}{
		{"v20180101storage", false, formerHub, false},
		{"v20190101storage", false, lastHub, true},
		{"v20200101storage", true, hub, true},
	} {
		r := shape.Resource{Resource: &plan.Resource{Kind: "Widget", Hub: test.isHub}}
		role, listed := roleInCRD(&plan.Package{Name: test.name, Role: plan.Storage}, r, locked)
		if v := (listing{role: role}); !listed || role != test.role || v.isServed() != test.served || !v.isStored() {
			t.Errorf("%s is listed: %v, as %v, served: %v, stored: %v", test.name, listed, role, v.isServed(), v.isStored())
		}
	}
}

func testAliasInCRD(t *testing.T) {
	const name = "v1alpha1api20200101"
	packages := []*plan.Package{{Name: name, Role: plan.API, Alias: true}, {Name: name + "storage", Role: plan.Storage, Alias: true}}
	r := shape.Resource{Resource: &plan.Resource{Kind: "Widget"}}
	for _, test := range []struct {
		reason string
		locked lock.Resource
		want   bool
	}{
		{"clients and objects may have it", lock.Resource{Aliases: []string{name + "storage"}}, true},
		{"it was the hub", lock.Resource{Former: []string{name + "storage", "v20200101storage"}}, true},
		{"released", lock.Resource{Released: []string{name + "storage"}}, false},
		{"never accepted", lock.Resource{}, false},
	} {
		for i, role := range []role{alias, formerHub} {
			if r.Next = ""; packages[i].Role == plan.API {
				r.Next = name + "storage"
			}
			got, listed := roleInCRD(packages[i], r, &lock.Lock{Resources: map[string]lock.Resource{"Widget": test.locked}})
			if listed != test.want || got != role {
				t.Errorf("%s: %s is listed: %v, as %v", test.reason, packages[i].Name, listed, got)
			}
		}
	}
}
