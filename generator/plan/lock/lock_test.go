package lock

import (
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/internal/plantest"
	"github.com/armature-dev/armature/generator/plan/planner"
	"github.com/google/go-cmp/cmp"
)

// TestCheck changes an accepted lock, and expects that Check refuses it and that
// lock.update mends it.
func TestCheck(t *testing.T) {
	packages, err := planner.Build(optionsOf(plantest.Group(t, plantest.CRMYAML), plantest.CRMVersions(t)...))
	if err != nil {
		t.Fatal(err)
	}
	accepted := func() *Lock { return New(packages, nil, &Lock{}) }
	for _, test := range []struct {
		behaviour string
		change    func(*Lock)
	}{
		{"another hub is refused", func(l *Lock) { l.Resources["Person"] = Resource{Hub: "v20201010storage"} }},
		{"a former hub that is still the hub is refused", func(l *Lock) {
			l.Resources["Party"] = Resource{Hub: "v20211111storage", Former: []string{"v20211111storage"}}
		}},
		{"a kind that is not exported is refused", func(l *Lock) { l.Resources["Ghost"] = Resource{} }},
		{"a kind that is missing is refused", func(l *Lock) { delete(l.Resources, "Party") }},
		{"a link that the plan lacks is refused", func(l *Lock) { l.Links["v20110101storage"] = []string{"v20130303storage"} }},
		{"a link that is missing is refused", func(l *Lock) { l.Links["v20110101storage"] = []string{} }},
		{"a version that is gone is refused",
			func(l *Lock) { setVersions(l, append([]string{"v20100101"}, l.Resources["Person"].Versions...)) }},
		{"a version that is missing is refused", func(l *Lock) { setVersions(l, l.Resources["Person"].Versions[1:]) }},
		{"a link of a package that is gone is refused",
			func(l *Lock) { l.Links["v20100101storage"] = []string{"v20120202storage"} }},
	} {
		t.Run(test.behaviour, func(t *testing.T) {
			lock := accepted()
			test.change(lock)
			if err := Check(packages, nil, lock, "apis/crm", "lock.bzl", nil); err == nil {
				t.Error("the lock was accepted")
			}
			if diff := cmp.Diff(accepted(), New(packages, nil, lock), cmp.FilterPath(isFormer, cmp.Ignore())); diff != "" {
				t.Errorf("lock.update does not mend it: %s", diff)
			}
		})
	}
}

// TestAliases follows an alias from its first plan to its release. It can be removed
// if, and only if, the lock has released it.
func TestAliases(t *testing.T) {
	planned := func(yaml string) []*plan.Package {
		o := optionsOf(plantest.Group(t, "exports:\n  Contoso.Crm/persons: "+yaml+"\n"),
			plantest.Version(t, "2016-01-01", "resource Person\nPerson_Spec: id string\nPerson_Status: conditions conditions"),
			plantest.Version(t, "2017-01-01", "resource Person\nPerson_Spec: id string\nPerson_Status: conditions conditions"))
		packages, err := planner.Build(o)
		if err != nil {
			t.Fatal(err)
		}
		return packages
	}
	with, without := planned("{kind: Person, aliases: [{prefix: v1alpha1api, versions: [2016-01-01]}]}"), planned("{kind: Person}")
	const alias = "v1alpha1api20160101storage"

	before := New(without, nil, &Lock{})
	lock := New(with, nil, before)
	t.Run("the lock must list a new alias", func(t *testing.T) {
		if Check(with, nil, before, "apis/crm", "lock.bzl", nil) == nil {
			t.Error("the lock does not list the alias, and was accepted")
		}
		if person := lock.Resources["Person"]; !person.Lists(alias) {
			t.Errorf("lock.update does not list the alias: %+v", person)
		}
		if err := Check(with, nil, lock, "apis/crm", "lock.bzl", nil); err != nil {
			t.Error(err)
		}
	})
	t.Run("an alias that is not released must stay", func(t *testing.T) {
		if err := Check(without, nil, lock, "apis/crm", "lock.bzl", nil); err == nil ||
			!strings.Contains(err.Error(), "release it with: ./bazelw run //apis/crm:lock.update -- --release=v1alpha1api20160101") {
			t.Errorf("the lock lists an alias that is gone: got %v", err)
		}
		if diff := cmp.Diff(lock.Resources, New(without, nil, lock).Resources); diff != "" {
			t.Errorf("lock.update drops an alias that nobody released: %s", diff)
		}
	})
	t.Run("a released alias may stay or go", func(t *testing.T) {
		if err := lock.Release("lock.bzl", "v1alpha1api20160101"); err != nil {
			t.Fatal(err)
		}
		if lock.Resources["Person"].Lists(alias) {
			t.Error("a released alias is listed")
		}
		for name, packages := range map[string][]*plan.Package{"before it goes": with, "after": without} {
			if err := Check(packages, nil, lock, "apis/crm", "lock.bzl", nil); err != nil {
				t.Errorf("a released alias, %s: %v", name, err)
			}
		}
		if diff := cmp.Diff(lock, New(with, nil, lock)); diff != "" {
			t.Errorf("lock.update takes a release back: %s", diff)
		}
		if diff := cmp.Diff(before, New(without, nil, lock)); diff != "" {
			t.Errorf("lock.update keeps what is gone: %s", diff)
		}
	})
	t.Run("one prefix goes and another stays", func(t *testing.T) {
		both := planned("{kind: Person, aliases: [{prefix: v1alpha1api, versions: [2016-01-01]}, {prefix: v1old, versions: [2016-01-01]}]}")
		lock := New(both, nil, before)
		if err := lock.Release("lock.bzl", "v1alpha1api20160101"); err != nil {
			t.Fatal(err)
		}
		old := planned("{kind: Person, aliases: [{prefix: v1old, versions: [2016-01-01]}]}")
		if err := Check(old, nil, lock, "apis/crm", "lock.bzl", nil); err != nil {
			t.Error(err)
		}
		if got := New(old, nil, lock).Resources["Person"].Aliases; !slices.Equal(got, []string{"v1old20160101storage"}) {
			t.Errorf("the lock lists %v, want the other prefix alone", got)
		}
		if err := Check(without, nil, lock, "apis/crm", "lock.bzl", nil); err == nil ||
			!strings.Contains(err.Error(), "--release=v1old20160101") || strings.Contains(err.Error(), "v1alpha1api") {
			t.Errorf("without both prefixes, of which one is released: got %v", err)
		}
	})
}

func TestRelease(t *testing.T) {
	lock := func() *Lock {
		return &Lock{Resources: map[string]Resource{
			"Party": {Aliases: []string{"v1alpha1api20170101storage"}},
			"Person": {Aliases: []string{"v1alpha1api20160101storage", "v1alpha1api20170101storage"},
				Released: []string{"v1alpha1api20150101storage"}},
		}}
	}
	t.Run("a name that is no alias is an error, and changes nothing", func(t *testing.T) {
		l := lock()
		err := l.Release("lock.bzl", "v1alpha1api20160110", "v20160101")
		const want = `lock.bzl: no resource has the alias version v1alpha1api20160110; did you mean "v1alpha1api20160101"?; the lock lists v1alpha1api20160101 and v1alpha1api20170101
lock.bzl: no resource has the alias version v20160101; the lock lists v1alpha1api20160101 and v1alpha1api20170101`
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		if diff := cmp.Diff(lock(), l); diff != "" {
			t.Errorf("a release that was refused changed the lock: %s", diff)
		}
	})
	t.Run("each resource releases the alias, by either package's name, and a second time", func(t *testing.T) {
		l := lock()
		for range 2 {
			if err := l.Release("lock.bzl", "v1alpha1api20170101", "v1alpha1api20160101storage"); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(map[string]Resource{
				"Party":  {Released: []string{"v1alpha1api20170101storage"}},
				"Person": {Released: []string{"v1alpha1api20150101storage", "v1alpha1api20160101storage", "v1alpha1api20170101storage"}},
			}, l.Resources); diff != "" {
				t.Error(diff)
			}
		}
	})
}

// setVersions sets the versions that a lock lists for Person.
func setVersions(l *Lock, versions []string) {
	person := l.Resources["Person"]
	person.Versions = versions
	l.Resources["Person"] = person
}

// isFormer reports whether a path leads to former hubs, which lock.update keeps on
// purpose.
func isFormer(p cmp.Path) bool { return p.Last().String() == ".Former" }

// optionsOf returns the input of the plan of crm.azure.armature.dev.
func optionsOf(config *config.Group, versions ...*ir.Version) planner.Options {
	return planner.Options{
		Group: "crm.azure.armature.dev", Provider: "Contoso.Crm", ImportPrefix: "example.com/apis/crm/",
		Patterns: naming.Default, Config: config, Versions: versions,
	}
}
