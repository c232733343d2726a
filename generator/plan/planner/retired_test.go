package planner

import (
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/internal/plantest"
	"github.com/armature-dev/armature/generator/plan/lock"
)

func TestRetired(t *testing.T) {
	versions := func() Options {
		return options(plantest.Group(t, "exports:\n  Contoso.Crm/alphas: {kind: Alpha}\n  Contoso.Crm/betas: {kind: Beta}\n"),
			plantest.Version(t, "2020-01-01", twoKinds), plantest.Version(t, "2021-01-01", twoKinds),
			plantest.Version(t, "2022-01-01-preview", twoKinds))
	}
	retire := func(names ...string) Options {
		o := versions()
		o.Config.Retired = names
		return o
	}
	before, err := Build(versions())
	if err != nil {
		t.Fatal(err)
	}
	t.Run("the hub and the links stay", func(t *testing.T) {
		after, err := Build(retire("2021-01-01"))
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range after {
			if p.Retired != (p.Name == "v20210101") {
				t.Errorf("%s: got retired = %v", p.Name, p.Retired)
			}
			p.Retired = false
			if text, want := encode(t, p), encode(t, before[i]); text != want {
				t.Errorf("%s changes from %s to %s", p.Name, want, text)
			}
		}
	})
	t.Run("the default is the newest version that remains", func(t *testing.T) {
		after, err := Build(retire("2021-01-01"))
		if err != nil {
			t.Fatal(err)
		}
		if got := WantedDefault(after, "Alpha"); got != "v20200101" {
			t.Errorf("got %s, want v20200101", got)
		}
	})
	t.Run("the lock must accept a retired version", func(t *testing.T) {
		first := lock.New(before, nil, &lock.Lock{})
		after, err := Build(retire("2020-01-01"))
		if err != nil {
			t.Fatal(err)
		}
		err = lock.Check(after, nil, first, "apis/crm", "lock.bzl", nil)
		const want = "the lock says that Alpha is served at v20200101, and group.yaml retires 2020-01-01: manifests and clients that have it will be refused; accept it with: ./bazelw run //apis/crm:lock.update"
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v", err)
		}
		accepted := lock.New(after, nil, first)
		if err := lock.Check(after, nil, accepted, "apis/crm", "lock.bzl", nil); err != nil {
			t.Error(err)
		}
		if slices.Contains(accepted.Resources["Alpha"].Versions, "v20200101") {
			t.Error("the lock still lists the version")
		}
	})
	for _, test := range []struct {
		behaviour, want string
		options         Options
	}{
		{"an unknown version is refused",
			`group.yaml:1:1: the group has no version 2020-02-01; did you mean "2020-01-01"?`, retire("2020-02-01")},
		{"a kind without a served version is refused",
			"group.yaml:1:1: all versions of Alpha are retired, so it could not be served; keep one, or remove it from exports",
			retire("2020-01-01", "2021-01-01", "2022-01-01-preview")},
	} {
		t.Run(test.behaviour, func(t *testing.T) {
			if _, err := Build(test.options); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

func TestHubNotAfterErrors(t *testing.T) {
	o := options(plantest.Group(t, "exports:\n  Contoso.Crm/alphas: {kind: Alpha}\nhubNotAfter: 2020-02-01\n"),
		plantest.Version(t, "2020-01-01", twoKinds))
	_, err := Build(o)
	const want = `group.yaml:3:14: the group has no version 2020-02-01; did you mean "2020-01-01"?`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// encode returns the file of a plan.
func encode(t *testing.T, p *plan.Package) string {
	t.Helper()
	text, err := ir.Canonical(p)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
