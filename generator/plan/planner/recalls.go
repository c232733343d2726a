package planner

import (
	"cmp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/match"
	"github.com/armature-dev/armature/runtime/apiversion"
)

// addRecalls sets the shapes in which bags may have the properties whose shape has
// changed between versions. Only shapes that some conversion puts into a bag count,
// so that a distant version changes a plan only if its shape matters there.
func (b *builder) addRecalls() {
	r := &recaller{
		builder: b, shapes: map[string]*ir.Version{}, types: map[string]map[string]*ir.Type{},
		stashed: stashed{origins: map[*ir.Property]string{}, versions: map[typeProperty][]string{}},
		bridges: map[string]*bridges{}, bridging: newChanges(b),
	}
	for _, v := range b.Versions {
		r.shapes[v.APIVersion] = b.shape(b.packages[apiversion.Storage(b.names[v.APIVersion])])
		r.types[v.APIVersion] = match.ByName(r.shapes[v.APIVersion].Types)
	}
	var packages []*match.Package
	for _, p := range b.sorted() {
		if p.Role == plan.Storage {
			packages = append(packages, p)
			r.collect(p, b.plain[p])
		}
	}
	// The conversions of former shapes stash properties too, which adds shapes.
	for known := -1; known < len(r.stashed.origins); {
		known = len(r.stashed.origins)
		for _, p := range packages {
			r.limitAll(p)
		}
	}
}

// recaller compares the shapes of one property at all versions.
type recaller struct {
	*builder
	// shapes and types have the storage types of each API version.
	shapes  map[string]*ir.Version
	types   map[string]map[string]*ir.Type
	stashed stashed
	bridges map[string]*bridges // by API version
	// bridging makes the renames of bridges, which do not count as uses.
	bridging *changes
}

// collect records the properties that the conversions of a package put into bags.
func (r *recaller) collect(p *match.Package, all []plan.NeighbourPairs) {
	collect := func(apiVersion, prefix string, t *ir.Type, steps []plan.Step) {
		for _, step := range steps {
			if step.Stashes() {
				own := r.types[apiVersion][strings.TrimPrefix(naming.Fold(t.Name), prefix)]
				r.stash(apiVersion, own, own.Property(step.Src.Name))
			}
		}
	}
	for _, n := range all {
		for _, pair := range n.Pairs {
			collect(p.APIVersion, "", pair.Here, pair.To)
			collect(n.Neighbour.APIVersion, "", pair.There, pair.From)
		}
		for _, f := range n.Formers {
			for _, pair := range f.Pairs {
				collect(f.APIVersion, match.Prefix(f.APIVersion), pair.Here, pair.To)
			}
		}
	}
}

// limitAll sets the Recalls and Formers of a package. Converting a former shape
// stashes and recalls properties too, so it repeats until nothing is added.
func (r *recaller) limitAll(p *match.Package) {
	p.Recalls, p.Formers = nil, nil
	l := &limiter{
		recaller: r, pkg: p, limits: map[recallKey]*match.RecallLimit{}, asked: map[recallKey]bool{},
		roots: map[[2]string][]string{},
	}
	for all, again := r.plain[p], true; again; {
		again = false
		for _, n := range all {
			for _, pair := range n.Pairs {
				again = l.steps(p.Name, p.APIVersion, pair.Here, n.Neighbour.Name, n.Neighbour.APIVersion, pair.There, pair.To) || again
				again = l.steps(n.Neighbour.Name, n.Neighbour.APIVersion, pair.There, p.Name, p.APIVersion, pair.Here, pair.From) || again
			}
			for _, f := range n.Formers {
				target := p.APIVersion
				if f.Package == n.Neighbour.Name {
					target = n.Neighbour.APIVersion
				}
				for _, pair := range f.Pairs {
					// The version's own type; the names in the pair's have a prefix.
					here := r.types[f.APIVersion][strings.TrimPrefix(naming.Fold(pair.Here.Name), match.Prefix(f.APIVersion))]
					again = l.steps(r.storage(f.APIVersion), f.APIVersion, here, f.Package, target, pair.There, pair.To) || again
				}
			}
		}
		l.addFormers()
		if again {
			all = match.Pairs(p, r.shape(p))
		} else {
			r.collect(p, all)
		}
	}
	slices.SortFunc(p.Recalls, func(x, y match.RecallLimit) int {
		return cmp.Or(cmp.Compare(x.Package, y.Package), cmp.Compare(x.Type, y.Type), cmp.Compare(x.Property, y.Property))
	})
}

// storage returns the name of a version's storage package.
func (r *recaller) storage(apiVersion string) string { return apiversion.Storage(r.names[apiVersion]) }

// limiter collects the limits of one package.
type limiter struct {
	*recaller
	pkg *match.Package
	// limits has nil for the properties that need no limit.
	limits map[recallKey]*match.RecallLimit
	asked  map[recallKey]bool
	// roots are the types of former shapes, by package and API version.
	roots map[[2]string][]string
}

// recallKey is a property of a package. It has the API version of the source too, if
// the source has the property.
type recallKey struct{ pkg, typ, property, from string }

// steps adds the limits of the properties that steps stash and recall. It reports
// whether that added a former shape.
func (l *limiter) steps(srcPackage, srcVersion string, src *ir.Type, dstPackage, dstVersion string, dst *ir.Type, steps []plan.Step) bool {
	more := false
	for _, step := range steps {
		if step.Stashes() {
			l.limit(srcPackage, srcVersion, src, src.Property(step.Src.Name))
		}
		from := ""
		if step.Kind == plan.Fit {
			from = srcVersion
		}
		if step.Recalls() {
			more = l.recall(dstPackage, dstVersion, dst, step.Dst, from) || more
		}
	}
	return more
}

// limit adds the limit of a property, if it needs one.
func (l *limiter) limit(pkg, apiVersion string, t *ir.Type, p *ir.Property) *match.RecallLimit {
	key := recallKey{pkg, t.Name, p.Name, ""}
	if limit, known := l.limits[key]; known {
		return limit
	}
	limit := l.recallLimit(apiVersion, t, p)
	l.limits[key] = limit
	if limit != nil {
		limit.Package = pkg
		l.pkg.Recalls = append(l.pkg.Recalls, *limit)
	}
	return limit
}

// recall adds the former shapes of a property, except those of the version that it
// comes from, whose values are never in a bag. It reports whether it added any.
func (l *limiter) recall(pkg, apiVersion string, t *ir.Type, p *ir.Property, from string) bool {
	key := recallKey{pkg, t.Name, p.Name, from}
	limit := l.limit(pkg, apiVersion, t, p)
	if l.asked[key] || limit == nil {
		return false
	}
	l.asked[key] = true
	more := false
	for _, s := range limit.Shapes {
		if s.APIVersion != from {
			at := [2]string{pkg, s.APIVersion}
			l.roots[at], more = append(l.roots[at], s.Type.Leaf().Named), true
		}
	}
	return more
}

// addFormers sets the package's Formers to those that its limits refer to.
func (l *limiter) addFormers() {
	l.pkg.Formers = nil
	for at, roots := range l.roots {
		f := match.Former{Package: at[0], Name: l.storage(at[1]), APIVersion: at[1], Types: l.shapes[at[1]].Reachable(roots...)}
		way := l.onTheWay(f.APIVersion, l.packages[f.Package].APIVersion, f.Package, roots...)
		f.TypeRenames, f.PropertyRenames, f.Moves = way.TypeRenames, way.PropertyRenames, way.Moves
		l.pkg.Formers = append(l.pkg.Formers, f)
	}
	slices.SortFunc(l.pkg.Formers, func(x, y match.Former) int {
		return cmp.Or(cmp.Compare(x.Package, y.Package), naming.CompareVersions(x.APIVersion, y.APIVersion))
	})
}

// onTheWay returns a package with the renames and moves, between a version and that of
// a package, of the types that roots reach. It marks the renames as used.
func (r *recaller) onTheWay(from, to, pkg string, roots ...string) *match.Package {
	p, s := &match.Package{}, spanOf(from, to)
	older, newer := orient(s, match.ByName(r.shapes[from].Reachable(roots...)), r.types[to])
	r.changes.apply(p, pkg, s, older, newer)
	return p
}

// recallLimit returns the shapes that bags may have of a property or under its name,
// or nil if all of them have the property's own shape.
func (r *recaller) recallLimit(apiVersion string, t *ir.Type, p *ir.Property) *match.RecallLimit {
	limit := &match.RecallLimit{Type: t.Name, Property: p.Name}
	typ, property := r.origin(t.Name, apiVersion), r.propertyOrigin(t.Name, p.Name, apiVersion)
	bridges := r.bridgesTo(apiVersion)
	renamed := false
	for _, v := range r.stashed.at(bridges.typesOf(t), p, property, apiVersion) {
		bridge := bridges.from[v]
		for _, name := range bridge.Partners(t.Name) {
			other := r.types[v][naming.Fold(name)]
			for _, q := range other.Properties {
				origin, stashed := r.stashed.origins[q]
				own := v == apiVersion && strings.EqualFold(other.Name, t.Name) && strings.EqualFold(q.Name, p.Name)
				if !own && !stashed {
					continue
				}
				sameName := strings.EqualFold(q.Name, p.Name)
				if !own && !strings.EqualFold(origin, property) {
					limit.Shared = limit.Shared || sameName
					continue
				}
				shape := v
				if !sameName {
					shape, renamed = q.Name+"@"+shape, true
				}
				switch {
				case own || bridge.Equal(q.Type, p.Type):
					limit.Versions = append(limit.Versions, shape)
					if x, y := q.Type.Leaf().Named, p.Type.Leaf().Named; !strings.EqualFold(x, y) {
						r.onTheWay(v, apiVersion, "", x)
					}
				case bridge.Property(q, p) != nil:
					limit.Shapes = append(limit.Shapes, match.FormerShape{Shape: shape, APIVersion: v, Type: q.Type})
				default:
					limit.Shared = limit.Shared || sameName
				}
			}
		}
	}
	if renamed {
		r.changes.useAcrossGaps(typ, property)
	}
	if !renamed && !limit.Shared && len(limit.Shapes) == 0 {
		return nil
	}
	return limit
}

// origin returns the name that a type had before all renames.
func (r *recaller) origin(name, apiVersion string) string {
	base, half := naming.CutHalf(name)
	return original(r.changes.types, base, apiVersion) + half
}

// propertyOrigin returns the name that a property had before all renames. If a move has
// ended or begun the property of that name, the version of the move follows: what
// comes later is another property.
func (r *recaller) propertyOrigin(typ, name, apiVersion string) string {
	base := original(r.changes.types, naming.Common(typ), apiVersion)
	renames := r.changes.renamesOf[naming.Fold(base)]
	origin := original(renames, name, apiVersion)
	for _, m := range slices.Backward(r.changes.moves) {
		if naming.CompareVersions(m.since, apiVersion) > 0 || !strings.EqualFold(original(r.changes.types, m.typ, m.since), base) {
			continue
		}
		for _, path := range [][]string{m.from, m.to} {
			if len(path) == 1 && strings.EqualFold(original(renames, path[0], m.since), origin) {
				return origin + "@" + m.since
			}
		}
	}
	return origin
}

// original undoes renames, which are sorted by version, and returns the first name.
func original(renames []rename, name, apiVersion string) string {
	followed := ""
	for _, r := range slices.Backward(renames) {
		if strings.EqualFold(r.to, name) && r.since != followed && naming.CompareVersions(r.since, apiVersion) <= 0 {
			name, followed = r.from, r.since
		}
	}
	return name
}

// useAcrossGaps marks as used the renames of a property that is recalled under the
// names of several versions.
func (c *changes) useAcrossGaps(typ, property string) {
	renames := c.renamesOf[naming.Fold(naming.Common(typ))]
	for _, rename := range renames {
		if strings.EqualFold(original(renames, rename.to, rename.since), property) {
			c.used[rename.index] = true
		}
	}
}
