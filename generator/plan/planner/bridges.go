package planner

import (
	"slices"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/match"
)

// stashed are the properties of types that some conversion puts into a bag.
type stashed struct {
	// origins are their names before all renames.
	origins map[*ir.Property]string
	// versions are those that have a property in a bag, by its type and by its name or
	// origin. So a property meets those of other versions that concern it, and not all.
	versions map[typeProperty][]string
}

// typeProperty is a property of a type, by folded names.
type typeProperty struct{ typ, property string }

// stash records a property of a version's type.
func (r *recaller) stash(apiVersion string, t *ir.Type, p *ir.Property) {
	if _, known := r.stashed.origins[p]; known {
		return
	}
	origin := r.propertyOrigin(t.Name, p.Name, apiVersion)
	r.stashed.origins[p] = origin
	for _, name := range names(p, origin) {
		key := typeProperty{naming.Fold(t.Name), name}
		r.stashed.versions[key] = append(r.stashed.versions[key], apiVersion)
	}
}

// at returns the versions, in their order, that have a property of one of some types in a
// bag whose name or origin is that of a property, and the property's own version.
func (s *stashed) at(types []string, p *ir.Property, origin, own string) []string {
	versions := []string{own}
	for _, typ := range types {
		for _, name := range names(p, origin) {
			versions = append(versions, s.versions[typeProperty{typ, name}]...)
		}
	}
	slices.SortFunc(versions, naming.CompareVersions)
	return slices.Compact(versions)
}

// names returns the folded names of a property and of its origin.
func names(p *ir.Property, origin string) []string {
	return slices.Compact([]string{naming.Fold(p.Name), naming.Fold(origin)})
}

// bridges let the types of all versions convert to those of one, as if they were its
// neighbours.
type bridges struct {
	from map[string]*match.Matcher // by API version
	// renamed are the folded names of the types that renames join with a type, by the
	// folded name of that.
	renamed map[string][]string
}

// typesOf returns the folded names that partners of a type may have.
func (b *bridges) typesOf(t *ir.Type) []string {
	own := naming.Fold(t.Name)
	return append(slices.Clip(b.renamed[own]), own)
}

// bridgesTo returns the bridges to a version, which it makes once.
func (r *recaller) bridgesTo(apiVersion string) *bridges {
	if b := r.bridges[apiVersion]; b != nil {
		return b
	}
	b := &bridges{from: map[string]*match.Matcher{}, renamed: map[string][]string{}}
	r.bridges[apiVersion] = b
	for _, v := range r.Versions {
		p := &match.Package{Package: &plan.Package{Name: v.APIVersion}}
		s := spanOf(v.APIVersion, apiVersion)
		older, newer := orient(s, r.types[v.APIVersion], r.types[apiVersion])
		r.bridging.apply(p, apiVersion, s, older, newer)
		b.from[v.APIVersion] = match.New(p, apiVersion, r.types[v.APIVersion], r.types[apiVersion])
		for _, rename := range p.TypeRenames {
			here, there := naming.Fold(rename.Here), naming.Fold(rename.There)
			if !slices.Contains(b.renamed[there], here) {
				b.renamed[there] = append(b.renamed[there], here)
			}
		}
	}
	return b
}
