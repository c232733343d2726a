package plan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// addRecalls limits the recalls of the properties that have not always had the
// same shape to the versions whose shape they have. All others are left out:
// so a plan changes with a far version only where that version's shape matters.
func (b *builder) addRecalls() {
	r := &recaller{builder: b, types: map[string]map[string]*ir.Type{}}
	for _, v := range b.Versions {
		storage := b.packages[naming.Storage(b.names[v.APIVersion])]
		r.types[v.APIVersion] = byName(b.shape(storage).Types)
	}
	for _, p := range b.packages {
		if p.Role != Storage {
			continue
		}
		for _, pairs := range Pairs(p, b.version(p.APIVersion)) {
			n := pairs.Neighbour
			for _, pair := range pairs.Pairs {
				r.limit(p, n.Name, n.APIVersion, pair.There, pair.To)
				r.limit(p, p.Name, p.APIVersion, pair.Here, pair.From)
			}
		}
		slices.SortFunc(p.Recalls, func(x, y RecallLimit) int {
			return cmp.Or(cmp.Compare(x.Package, y.Package), cmp.Compare(x.Type, y.Type), cmp.Compare(x.Property, y.Property))
		})
		p.Recalls = slices.CompactFunc(p.Recalls, func(x, y RecallLimit) bool {
			return x.Package == y.Package && x.Type == y.Type && x.Property == y.Property
		})
	}
}

// recaller compares the shapes of one property at all versions.
type recaller struct {
	*builder
	// types are the storage types of each API version, by folded name.
	types map[string]map[string]*ir.Type
}

// limit adds the limits of the recalls among steps that lead to the type t of
// a package.
func (r *recaller) limit(p *Package, pkg, apiVersion string, t *ir.Type, steps []Step) {
	for _, step := range steps {
		if step.Kind != Recall {
			continue
		}
		same, all := r.versions(apiVersion, t, step.Dst)
		if len(same) < all {
			p.Recalls = append(p.Recalls, RecallLimit{Package: pkg, Type: t.Name, Property: step.Dst.Name, Versions: same})
		}
	}
}

// versions are those at which a property has the shape that it has at
// apiVersion, and the number of those that have it at all.
func (r *recaller) versions(apiVersion string, t *ir.Type, p *ir.Property) (same []string, all int) {
	origin := r.origin(t.Name, apiVersion)
	for _, v := range r.Versions {
		for _, other := range r.types[v.APIVersion] {
			property := propertyFold(other, p.Name)
			if property == nil || !strings.EqualFold(r.origin(other.Name, v.APIVersion), origin) {
				continue
			}
			all++
			fit := &fitting{r.types[apiVersion], r.types[v.APIVersion], map[[2]string]bool{}}
			if fit.refs(p.Type, property.Type) {
				same = append(same, v.APIVersion)
			}
		}
	}
	return same, all
}

// origin is the name that a type had before all renames.
func (r *recaller) origin(name, apiVersion string) string {
	base, half := halves(name)
	renames := slices.Clone(r.Config.Renames.Types)
	slices.SortStableFunc(renames, func(x, y config.TypeRename) int { return naming.CompareVersions(y.Since, x.Since) })
	for _, rename := range renames {
		if naming.CompareVersions(rename.Since, apiVersion) <= 0 && strings.EqualFold(rename.To, base) {
			base, apiVersion = rename.From, rename.Since
		}
	}
	return base + half
}

// fitting tells whether two types at two versions fit: they agree wherever
// both say something. A value of one that also decodes strictly as the other
// then means the same; what the other lacks, strict decoding refuses.
type fitting struct {
	x, y map[string]*ir.Type
	seen map[[2]string]bool
}

func (f *fitting) refs(x, y ir.TypeRef) bool {
	switch {
	case x.Items != nil && y.Items != nil:
		return f.refs(*x.Items, *y.Items)
	case x.Map != nil && y.Map != nil:
		return f.refs(*x.Map, *y.Map)
	case x.Named != "" && y.Named != "":
		return f.objects(f.x[naming.Fold(x.Named)], f.y[naming.Fold(y.Named)])
	}
	return x.Primitive != "" && x.Primitive == y.Primitive
}

func (f *fitting) objects(x, y *ir.Type) bool {
	if x == nil || y == nil {
		return false
	}
	key := [2]string{x.Name, y.Name}
	if f.seen[key] {
		return true // being compared further up
	}
	f.seen[key] = true
	for _, p := range x.Properties {
		if q := propertyFold(y, p.Name); q != nil && !f.refs(p.Type, q.Type) {
			return false
		}
	}
	return true
}
