package service

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
)

func TestInherit(t *testing.T) {
	version := func(apiVersion, source string, properties ...*ir.Property) *ir.Version {
		return &ir.Version{
			APIVersion: apiVersion, Sources: []string{source},
			Resources: []*ir.Resource{{Type: "Contoso.Shop/orders", Kind: "Order", Spec: "Order_Spec"}},
			Types:     []*ir.Type{{Name: "Order_Spec", Kind: ir.Object, Properties: properties}},
		}
	}
	property := func(name string, p ir.Primitive) *ir.Property {
		return &ir.Property{Name: name, ARM: name, Type: ir.TypeRef{Primitive: p}}
	}
	const swagger, bicep = "swagger", "biceptypes"
	proposals := func(decided *config.Load, versions ...*ir.Version) (got []string) {
		for _, p := range (&group{decided: decided}).inherit(versions) {
			got = append(got, fmt.Sprint(p.property, " ", p.Mark.Name, " ", p.safe, ": ", p.Why))
		}
		return got
	}
	fixed := property("place", ir.String)
	fixed.CreateOnly = true
	older := version("2020-01-01", swagger, property("key", ir.String), property("pin", ir.Secret), fixed)
	newer := version("2021-01-01", bicep, property("key", ir.Secret), property("pin", ir.String), property("place", ir.String))
	t.Run("older Swagger speaks for newer versions, and a secret is one at all versions", func(t *testing.T) {
		want := []string{
			"Order.key secret true: biceptypes of 2021-01-01 says so",
			"Order.pin secret true: swagger of 2020-01-01 says so",
			"Order.place createOnly true: swagger of 2020-01-01 says so",
		}
		if diff := cmp.Diff(want, proposals(nil, older, newer)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("a person decides about a version that is published", func(t *testing.T) {
		want := []string{
			"Order.key secret false: biceptypes of 2021-01-01 says so",
			"Order.pin secret true: swagger of 2020-01-01 says so",
			"Order.place createOnly true: swagger of 2020-01-01 says so",
		}
		if diff := cmp.Diff(want, proposals(&config.Load{}, older, newer)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("of several sources nobody knows which says so", func(t *testing.T) {
		both := version("2020-01-01", swagger, fixed)
		both.Sources = append(both.Sources, bicep)
		want := []string{"Order.place createOnly true: 2020-01-01 says so"}
		if diff := cmp.Diff(want, proposals(nil, both, newer)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("what is decided is no question", func(t *testing.T) {
		decided := &config.Load{Properties: config.Properties{
			"Order.key": {{Name: config.Secret, Not: true}}, "Order.pin": {{Name: config.Secret}},
			"Order.place": {{Name: config.CreateOnly}},
		}}
		if got := proposals(decided, older, newer); len(got) > 0 {
			t.Errorf("got %q", got)
		}
	})
	t.Run("what newer Swagger lets change is another matter", func(t *testing.T) {
		got := proposals(nil, version("2020-01-01", bicep, property("place", ir.String)), version("2021-01-01", swagger, fixed))
		if len(got) > 0 {
			t.Errorf("got %q", got)
		}
	})
}
