// Package versions measures how the cost of a group grows with the number of its API
// versions, on a history that is made up.
package versions

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/evolution"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/lock"
	"github.com/armature-dev/armature/generator/plan/planner"
	"github.com/armature-dev/armature/generator/report"
)

const (
	kinds = 24
	// stable properties of a kind are in all versions.
	stable = 16
	// pace is after how many versions a kind gets another property. Each is absent
	// between the ages goes and returns, and ends at the age ends.
	pace, goes, returns, ends = 4, 6, 8, 20
)

// history returns the input of a plan with n versions, one a month. Properties come, go,
// come back, some of them as objects, and end; enums gain values.
func history(n int) planner.Options {
	group := &config.Group{File: "group.yaml", Exports: map[string]*config.Export{}}
	for k := range kinds {
		group.Exports[armType(k)] = &config.Export{Kind: kind(k)}
	}
	all := make([]*ir.Version, n)
	for i := range all {
		date := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, i, 0)
		all[i] = version(date.Format(time.DateOnly), i, 3+8*i/n)
	}
	return planner.Options{
		Group: "crm.example.com", Provider: "Contoso.Crm", Dir: "apis/crm", ImportPrefix: "example.com/apis/crm",
		Patterns: naming.Default, Config: group, Versions: all,
	}
}

func kind(k int) string { return fmt.Sprintf("Kind%d", k) }

func armType(k int) string { return fmt.Sprintf("Contoso.Crm/kind%ds", k) }

// version returns the version at an index. Its enums have some members.
func version(apiVersion string, index, members int) *ir.Version {
	v := &ir.Version{Provider: "Contoso.Crm", APIVersion: apiVersion}
	for k := range kinds {
		v.Resources = append(v.Resources, &ir.Resource{
			Type: armType(k), Kind: kind(k), Scopes: []ir.Scope{ir.ResourceGroup},
			Spec: naming.Spec(kind(k)), Status: naming.Status(kind(k)),
		})
		tier := &ir.Type{Name: kind(k) + "Tier", Kind: ir.Enum, Base: ir.String}
		for i := range members {
			name := fmt.Sprintf("Tier%d", i)
			tier.Values = append(tier.Values, ir.EnumValue{Value: name, Name: name})
		}
		v.Types = append(v.Types, tier)
		for _, isStatus := range []bool{false, true} {
			v.Types = append(v.Types, half(k, index, tier.Name, isStatus)...)
		}
	}
	v.Sort()
	return v
}

// half returns the types of the Spec or Status of a kind.
func half(k, index int, tier string, isStatus bool) []*ir.Type {
	name, below := naming.Spec(kind(k)), func(name string) string { return kind(k) + name }
	if isStatus {
		name, below = naming.Status(kind(k)), func(name string) string { return naming.Status(kind(k) + name) }
	}
	object := func(name string, properties ...*ir.Property) *ir.Type {
		return &ir.Type{Name: name, Kind: ir.Object, Status: isStatus, Properties: properties}
	}
	top := object(name, property("tier", ir.TypeRef{Named: tier}), property("detail", ir.TypeRef{Named: below("Detail")}))
	if isStatus {
		top.Properties = append(top.Properties, property("conditions", ir.TypeRef{Primitive: ir.Conditions}))
	}
	for i := range stable {
		primitive := []ir.Primitive{ir.String, ir.Integer, ir.Boolean}[i%3]
		top.Properties = append(top.Properties, property(fmt.Sprintf("stable%d", i), ir.TypeRef{Primitive: primitive}))
	}
	for born := index - ends + 1; born <= index; born++ {
		age := index - born
		if (born+k+ends*pace)%pace != 0 || goes <= age && age < returns {
			continue
		}
		ref := ir.TypeRef{Primitive: ir.String}
		if age >= returns && k%2 == 0 {
			ref = ir.TypeRef{Named: below("Part")}
		}
		top.Properties = append(top.Properties, property(fmt.Sprintf("born%d", born+ends), ref))
	}
	text := ir.TypeRef{Primitive: ir.String}
	part := object(below("Part"), property("id", text), property("name", text))
	detail := object(below("Detail"), property("parts", ir.TypeRef{Items: &ir.TypeRef{Named: part.Name}}), property("id", text))
	return []*ir.Type{top, detail, part}
}

func property(name string, ref ir.TypeRef) *ir.Property {
	return &ir.Property{Name: name, GoName: naming.Go(name), Type: ref}
}

// growing are the parts of the generator that see all versions of a group. Each has a
// function that returns its work for n versions.
var growing = []struct {
	name string
	// ones returns how many things the part makes of n versions: something for each
	// version, or for each ordered pair of versions.
	ones func(n int) int
	most int // versions in a test
	work func(tb testing.TB, n int) func()
}{
	{"plan", versions, 40, func(tb testing.TB, n int) func() {
		o := history(n)
		return func() { planned(tb, o) }
	}},
	{"crds", versions, 40, func(tb testing.TB, n int) func() {
		o := history(n)
		packages := planned(tb, o)
		accepted := lock.New(packages, nil, &lock.Lock{})
		meta := crd.Meta{TypeMeta: metav1.TypeMeta{}, Condition: metav1.Condition{}}
		return func() {
			if _, _, err := crd.Files(o.Versions, packages, accepted, meta); err != nil {
				tb.Fatal(err)
			}
		}
	}},
	{"report", pairs, 20, func(tb testing.TB, n int) func() {
		o := history(n)
		packages := planned(tb, o)
		in := report.Input{Input: evolution.Input{Packages: packages, Shapes: o.Versions, Config: o.Config}}
		return func() { reported(tb, in) }
	}},
}

func versions(n int) int { return n }

func pairs(n int) int { return n * (n - 1) }

func planned(tb testing.TB, o planner.Options) []*plan.Package {
	tb.Helper()
	packages, err := planner.Build(o)
	if err != nil {
		tb.Fatal(err)
	}
	return packages
}

// BenchmarkLinear measures the time for each version or pair of versions, which does not
// depend on how many there are.
func BenchmarkLinear(b *testing.B) {
	for _, part := range growing {
		for _, n := range []int{5, 10, 20, 40} {
			b.Run(fmt.Sprintf("%s/%d", part.name, n), func(b *testing.B) {
				work := part.work(b, n)
				for b.Loop() {
					work()
				}
				b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(b.N*part.ones(n)), "ms/one")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

func TestGrowth(t *testing.T) {
	for _, part := range growing {
		t.Run(part.name+": twice the versions or pairs of versions take at most 2.3 times the memory", func(t *testing.T) {
			whole, half := allocated(part.work(t, part.most)), allocated(part.work(t, part.most/2))
			times := float64(part.ones(part.most)) / float64(part.ones(part.most/2))
			if limit := times * 1.15; whole > limit*half {
				t.Errorf("%d versions take %.2f times the memory of %d, want at most %.2f times", part.most, whole/half, part.most/2, limit)
			}
		})
	}
}

// allocated returns the bytes that a function allocates, which grow as its time does and
// hardly vary.
func allocated(work func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}
