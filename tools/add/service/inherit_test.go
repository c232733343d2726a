package service

import (
	"fmt"
	"slices"
	"strings"
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
	proposals := func(t *told, known map[string]*ir.Version, tell, shaped []*ir.Version) (got []string) {
		if t.base == nil {
			t.base = &config.Load{}
		}
		all, _ := t.inherit(known, tell, shaped)
		for _, p := range all {
			got = append(got, fmt.Sprint(p.property, " ", p.Mark, " ", p.safe, ": ", p.Why))
		}
		return got
	}
	fixed := func(name string) *ir.Property {
		p := property(name, ir.String)
		p.CreateOnly = true
		return p
	}
	type versions = []*ir.Version
	older := version("2020-01-01", swagger, property("key", ir.String), property("pin", ir.Secret), fixed("place"), fixed("mode"))
	newest := version("2022-01-01", swagger, property("mode", ir.String), fixed("shape"), property("no", ir.Number))
	newer := version("2021-01-01", bicep, property("key", ir.Secret), property("pin", ir.String), property("place", ir.String),
		property("mode", ir.String), property("shape", ir.String), property("no", ir.Integer))
	t.Run("the newest Swagger that has a property speaks, and a secret is one at all versions", func(t *testing.T) {
		want := []string{
			"Order.key secret true: biceptypes of 2021-01-01 says so",
			"Order.mode not createOnly true: swagger of 2022-01-01 says so has no such mark",
			"Order.no number true: swagger of 2022-01-01 says so",
			"Order.pin secret true: swagger of 2020-01-01 says so",
			"Order.place createOnly true: swagger of 2020-01-01 says so",
			"Order.shape createOnly true: swagger of 2022-01-01 says so",
		}
		if diff := cmp.Diff(want, proposals(&told{}, nil, versions{newest, older}, versions{older, newer})); diff != "" {
			t.Error(diff)
		}
	})
	published := map[string]*ir.Version{"2020-01-01": older, "2021-01-01": newer}
	t.Run("a person decides about a version that is published", func(t *testing.T) {
		want := []string{
			"Order.key secret false: biceptypes of 2021-01-01 says so",
			"Order.no number false: swagger of 2022-01-01 says so",
			"Order.pin secret true: swagger of 2020-01-01 says so",
		}
		got := proposals(&told{}, published, versions{newest, older}, versions{older, newer})
		if diff := cmp.Diff(want, slices.DeleteFunc(got, func(p string) bool { return strings.Contains(p, "createOnly") })); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("a question is asked once", func(t *testing.T) {
		asked := map[string]bool{"Order.key": true, "Order.no": true}
		got := proposals(&told{asked: asked}, published, versions{newest, older}, versions{older, newer})
		if len(got) != 4 {
			t.Errorf("got %q", got)
		}
	})
	t.Run("of several sources nobody knows which says so", func(t *testing.T) {
		both := version("2020-01-01", swagger, fixed("place"))
		both.Sources = append(both.Sources, bicep)
		want := []string{"Order.place createOnly true: 2020-01-01 says so"}
		if diff := cmp.Diff(want, proposals(&told{}, nil, versions{both}, versions{newer})); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("what is decided is no question", func(t *testing.T) {
		decided := &config.Load{Properties: config.Properties{
			"Order.key": {{Name: config.Secret, Not: true}}, "Order.pin": {{Name: config.Secret}},
			"Order.place": {{Name: config.CreateOnly}}, "Order.mode": {{Name: config.CreateOnly}},
		}}
		if got := proposals(&told{base: decided}, nil, versions{older}, versions{older, newer}); len(got) > 0 {
			t.Errorf("got %q", got)
		}
	})
	t.Run("what no Swagger of the checkout tells stays, and what it tells otherwise goes", func(t *testing.T) {
		mark := config.Mark{Name: config.CreateOnly, Why: "orders.json:7 of 2020-01-01"}
		told := &told{own: map[string][]config.Mark{"Order.shape": {mark}, "Order.mode": {mark}}}
		want := []string{"Order.shape createOnly true: orders.json:7 of 2020-01-01"}
		only := version("2022-01-01", swagger, property("mode", ir.String))
		if diff := cmp.Diff(want, proposals(told, nil, versions{only}, versions{version("2021-01-01", bicep, property("mode", ir.String),
			property("shape", ir.String))})); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("where one type stands at two places, of which one can change, nothing is said", func(t *testing.T) {
		at := func(types string, canChange ...bool) *ir.Version {
			v := version("2021-01-01", swagger)
			for i, name := range strings.Fields(types) {
				named := &ir.Property{Name: fmt.Sprint("at", i), ARM: fmt.Sprint("at", i), Type: ir.TypeRef{Named: name}}
				v.Types[len(v.Types)-1].Properties = append(v.Types[len(v.Types)-1].Properties, named)
				if v.Type(name) == nil {
					c := property("c", ir.String)
					c.CreateOnly = !canChange[i]
					v.Types = slices.Insert(v.Types, len(v.Types)-1, &ir.Type{Name: name, Kind: ir.Object, Properties: []*ir.Property{c}})
				}
			}
			return v
		}
		one := versions{at("A_Spec A_Spec", true)}
		if got := proposals(&told{}, nil, versions{at("A_Spec B_Spec", false, true)}, one); len(got) > 0 {
			t.Errorf("got %q", got)
		}
		if got := proposals(&told{}, nil, versions{at("A_Spec B_Spec", false, false)}, one); len(got) != 1 {
			t.Errorf("got %q, want one proposal", got)
		}
	})
}
