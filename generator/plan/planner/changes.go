package planner

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/match"
)

// changes applies the renames of group.yaml to neighbours, finds the changes that a
// person should assess, and records which entries of group.yaml are in use.
type changes struct {
	*builder
	types, properties []rename
	moves             []move
	// renamesOf has the renames of the properties of each type, by its folded original name.
	renamesOf map[string][]rename
	// removals has the indexes of the entries that remove a property, by what they name,
	// folded.
	removals map[string][]int
	used     []bool // reports by index which entries are in use
	found    []plan.Change
	taken    map[plan.Change]bool // what moves take out of objects, by the object's type
}

// move is a change of group.yaml, of the place of a property in a type.
type move struct {
	index    int
	typ      string
	from, to []string // paths
	since    string
}

func (m move) version() string { return m.since }

// rename is a change of group.yaml, of the name of a type or of a property.
type rename struct {
	index           int
	typ             string // of a property only
	from, to, since string
}

func (r rename) version() string { return r.since }

func newChanges(b *builder) *changes {
	c := &changes{
		builder: b, used: make([]bool, len(b.Config.Changes)), renamesOf: map[string][]rename{}, removals: map[string][]int{},
		taken: map[plan.Change]bool{},
	}
	for i, change := range b.Config.Changes {
		typ, name := change.Names()
		switch {
		case change.Moved != "":
			path := strings.Split(change.Moved, ".")[1:]
			c.moves = append(c.moves, move{i, typ, strings.Split(name, "."), path, change.Since},
				move{i, typ, strings.Split(from(name), "."), strings.Split(from(strings.Join(path, ".")), "."), change.Since})
		case change.Renamed == "":
			c.removals[naming.Fold(change.Property)] = append(c.removals[naming.Fold(change.Property)], i)
		case change.Type != "":
			c.types = append(c.types, rename{i, "", name, change.Renamed, change.Since})
		default:
			c.properties = append(c.properties, rename{i, typ, name, change.Renamed, change.Since},
				rename{i, typ, from(name), from(change.Renamed), change.Since})
		}
	}
	for _, renames := range [][]rename{c.types, c.properties} {
		slices.SortStableFunc(renames, func(x, y rename) int { return naming.CompareVersions(x.since, y.since) })
	}
	slices.SortStableFunc(c.moves, func(x, y move) int { return naming.CompareVersions(x.since, y.since) })
	for _, r := range c.properties {
		names := []string{naming.Fold(r.typ), naming.Fold(original(c.types, r.typ, r.since))}
		for _, typ := range slices.Compact(names) {
			c.renamesOf[typ] = append(c.renamesOf[typ], r)
		}
	}
	return c
}

// from returns the name of the reference to the value of a property: what an entry says of the property, it says of
// the reference beside it.
func from(property string) string { return property + "From" }

// span is the interval between the versions of two neighbours.
type span struct {
	older, newer string
	// forward is set if the package is older than its neighbour.
	forward bool
}

func spanOf(here, there string) span {
	if naming.CompareVersions(here, there) <= 0 {
		return span{here, there, true}
	}
	return span{there, here, false}
}

// within returns those of some changes, which are sorted by version, that lie in a span.
func within[C interface{ version() string }](s span, changes []C) []C {
	upTo := func(version string) int {
		return sort.Search(len(changes), func(i int) bool { return naming.CompareVersions(changes[i].version(), version) > 0 })
	}
	return changes[upTo(s.older):upTo(s.newer)]
}

// orient returns its arguments, of here and there, in the order older, newer; or in
// the order here, there if they are of older and newer.
func orient[T any](s span, x, y T) (T, T) {
	if s.forward {
		return x, y
	}
	return y, x
}

// follow applies renames to a name. It returns the new name and the renames that it
// applied.
func follow(name string, renames []rename) (string, []rename) {
	var applied []rename
	for _, r := range renames {
		again := len(applied) > 0 && applied[len(applied)-1].since == r.since
		if !again && strings.EqualFold(r.from, name) {
			name, applied = r.to, append(applied, r)
		}
	}
	return name, applied
}

// renamed is a name that renames led to.
type renamed struct {
	name    string
	applied []rename
}

// followAll applies renames to a name, which may become several at one version. It
// returns no name if no rename applies.
func followAll(name string, renames []rename) []renamed {
	ends := []renamed{{name: name}}
	became := map[int]bool{} // the indexes of the names that became others
	for _, r := range renames {
		for i, end := range ends {
			again := len(end.applied) > 0 && end.applied[len(end.applied)-1].since == r.since
			if !again && strings.EqualFold(r.from, end.name) {
				ends, became[i] = append(ends, renamed{r.to, append(slices.Clip(end.applied), r)}), true
			}
		}
	}
	var last []renamed
	for i, end := range ends {
		if !became[i] && len(end.applied) > 0 {
			last = append(last, end)
		}
	}
	return last
}

func (c *changes) markUsed(renames []rename) {
	for _, r := range renames {
		c.used[r.index] = true
	}
}

// compare sets the renames and the changes of a storage package.
func (c *changes) compare(p *match.Package) {
	for _, n := range p.Neighbours {
		s := spanOf(p.APIVersion, n.APIVersion)
		older, newer := orient(s, match.ByName(c.shape(p).Types), match.ByName(n.Types))
		c.apply(p, n.Name, s, older, newer)
		c.refuseMoves(p, n.Name, s, older, newer)
	}
	c.plain[p] = match.Pairs(p, c.shape(p))
	for _, n := range c.plain[p] {
		s := spanOf(p.APIVersion, n.Neighbour.APIVersion)
		older, newer := orient(s, match.ByName(c.shape(p).Types), match.ByName(n.Neighbour.Types))
		for _, pair := range n.Pairs {
			c.useMoves(s, pair)
		}
		for _, pair := range n.Pairs {
			for _, gone := range changesOf(s, pair) {
				change := gone.Change
				change.By = c.assessor(change)
				isRename := gone.is != nil && alike(older, newer, gone.was.Type, gone.is.Type, map[[2]string]bool{})
				if change.By == plan.Nobody && !isRename && readOnly(change, older, newer) {
					change.By = plan.ReadOnly
				}
				p.Changes = append(p.Changes, change)
			}
		}
	}
	slices.SortFunc(p.Changes, plan.Change.Compare)
	c.found = append(c.found, p.Changes...)
}

// apply adds to a package the renames and moves that apply to a neighbour.
func (c *changes) apply(p *match.Package, neighbour string, s span, older, newer map[string]*ir.Type) {
	c.renameTypes(p, neighbour, s, older, newer)
	c.renameProperties(p, neighbour, s, older, newer)
	c.moveProperties(p, neighbour, s, older, newer)
}

// renameTypes adds the renames of types. A rename of a union renames the types of its
// variants too, because their names derive from the union's.
func (c *changes) renameTypes(p *match.Package, neighbour string, s span, older, newer map[string]*ir.Type) {
	add := func(from, to string) {
		here, there := orient(s, from, to)
		p.TypeRenames = append(p.TypeRenames, match.TypeRename{Neighbour: neighbour, Here: here, There: there})
	}
	renames := within(s, c.types)
	var names []string
	for _, r := range renames {
		names = append(names, r.from)
	}
	for _, from := range sortedTypes(halves(older, names)) {
		base, half := naming.CutHalf(from.Name)
		for _, end := range followAll(base, renames) {
			to := newer[naming.Fold(end.name+half)]
			if to == nil {
				continue
			}
			c.markUsed(end.applied)
			add(from.Name, to.Name)
			for _, v := range from.Properties {
				for _, w := range to.Properties {
					if v.Variant != "" && strings.EqualFold(v.Variant, w.Variant) && v.Type.Named != w.Type.Named {
						add(v.Type.Named, w.Type.Named)
					}
				}
			}
		}
	}
}

// renameProperties adds the renames of properties of types that match.
func (c *changes) renameProperties(p *match.Package, neighbour string, s span, older, newer map[string]*ir.Type) {
	var types []string
	for _, r := range within(s, c.properties) {
		types = append(types, r.typ)
	}
	for from, to := range matching(p, neighbour, s, older, newer, types) {
		c.renamePropertiesOf(p, neighbour, s, from, to)
	}
}

// renamePropertiesOf adds the renames of properties of two types that match.
func (c *changes) renamePropertiesOf(p *match.Package, neighbour string, s span, from, to *ir.Type) {
	fromBase := naming.Common(from.Name)
	toBase := naming.Common(to.Name)
	renames := slices.DeleteFunc(slices.Clone(within(s, c.properties)), func(r rename) bool {
		return !strings.EqualFold(r.typ, fromBase) && !strings.EqualFold(r.typ, toBase)
	})
	met := meeting{span: s, owner: toBase, from: ir.Names(from.Properties), to: ir.Names(to.Properties)}
	for _, property := range from.Properties {
		renamed, applied := follow(property.Name, renames)
		target := propertyFold(to, renamed)
		if len(applied) == 0 || target == nil {
			continue
		}
		c.markUsed(applied)
		met.join(property.Name, target.Name, applied)
		hereType, _ := orient(s, from.Name, to.Name)
		here, there := orient(s, property.Name, target.Name)
		p.PropertyRenames = append(p.PropertyRenames,
			match.PropertyRename{Neighbour: neighbour, Type: hereType, Here: here, There: there})
	}
	met.report(c)
}

// meeting has the names of the properties of two matching types, and the renames that
// join some of them.
type meeting struct {
	span
	owner    string // the type, as group.yaml names it
	from, to []string
	joined   []joined
}

// joined is a pair of names that renames join.
type joined struct {
	from, to string
	applied  []rename
}

func (m *meeting) join(from, to string, applied []rename) {
	m.joined = append(m.joined, joined{from, to, applied})
}

// report adds an error for each rename whose new name the older version has already,
// or whose old name the newer version still has.
func (m *meeting) report(c *changes) {
	for _, j := range m.joined {
		renamedAway := slices.ContainsFunc(m.joined, func(o joined) bool { return strings.EqualFold(o.from, j.to) })
		if has(m.from, j.to) && !renamedAway && !strings.EqualFold(j.from, j.to) {
			last := j.applied[len(j.applied)-1]
			c.ignoref([]any{"changes", last.index},
				"%s cannot become %s at %s: %s has %s.%[2]s already; a rename joins a name that goes with one that comes",
				last.from, j.to, last.since, m.older, m.owner)
		}
		renamedTo := slices.ContainsFunc(m.joined, func(o joined) bool { return strings.EqualFold(o.to, j.from) })
		if has(m.to, j.from) && !renamedTo && !strings.EqualFold(j.from, j.to) {
			first := j.applied[0]
			c.ignoref([]any{"changes", first.index},
				"%s cannot become %s at %s: %s still has %s.%[1]s; a rename joins a name that goes with one that comes",
				j.from, first.to, first.since, m.newer, m.owner)
		}
	}
}

// halves returns the types that have one of some names of group.yaml, by their folded
// names.
func halves(types map[string]*ir.Type, names []string) map[string]*ir.Type {
	found := map[string]*ir.Type{}
	for _, name := range names {
		for _, half := range []string{name, naming.Spec(name), naming.Status(name)} {
			if t := types[naming.Fold(half)]; t != nil {
				found[naming.Fold(half)] = t
			}
		}
	}
	return found
}

// sortedTypes returns types in the order of their folded names, which they are given by.
func sortedTypes(byName map[string]*ir.Type) []*ir.Type {
	types := make([]*ir.Type, 0, len(byName))
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		types = append(types, byName[name])
	}
	return types
}

// matching yields the older and newer types that match and of which one has one of some
// names of group.yaml, and may yield others that renames of types join.
func matching(p *match.Package, neighbour string, s span, older, newer map[string]*ir.Type, names []string) iter.Seq2[*ir.Type, *ir.Type] {
	return func(yield func(from, to *ir.Type) bool) {
		if len(names) == 0 {
			return
		}
		types := halves(older, names)
		for _, r := range p.TypeRenames {
			from, _ := orient(s, r.Here, r.There)
			if t := older[naming.Fold(from)]; r.Neighbour == neighbour && t != nil {
				types[naming.Fold(from)] = t
			}
		}
		for _, from := range sortedTypes(types) {
			for _, to := range typesThere(p, neighbour, s, from.Name, newer) {
				if !yield(from, to) {
					return
				}
			}
		}
	}
}

// typesThere returns the newer types that match an older one.
func typesThere(p *match.Package, neighbour string, s span, older string, newer map[string]*ir.Type) []*ir.Type {
	var types []*ir.Type
	for _, r := range p.TypeRenames {
		if from, to := orient(s, r.Here, r.There); r.Neighbour == neighbour && from == older {
			types = append(types, newer[naming.Fold(to)])
		}
	}
	if t := newer[naming.Fold(older)]; len(types) == 0 && t != nil {
		types = append(types, t)
	}
	return types
}

// gone is a property that a newer type lacks, or has with a type that does not match.
type gone struct {
	plan.Change
	was, is *ir.Property // is is nil if the newer type lacks it
}

// changesOf returns the properties that the newer type of a pair lacks, or has with a
// type that does not match. A reference to the value of another one goes with that.
func changesOf(s span, pair *plan.Pair) []gone {
	steps, _ := orient(s, pair.To, pair.From)
	older, _ := orient(s, pair.Here, pair.There)
	base := naming.Common(older.Name)
	var found []gone
	all := plan.Gone(steps)
	goesWith := func(p *ir.Property) bool {
		return p.ValueOf != "" && slices.ContainsFunc(all, func(s plan.Step) bool {
			return s.Src.ARMName() == p.ValueOf && s.Src.Flattened == p.Flattened
		})
	}
	for _, step := range all {
		if goesWith(step.Src) {
			continue
		}
		what := plan.Removed
		if step.Partner != nil {
			what = plan.RetypedText(step.Src.Type, step.Partner.Type)
		}
		change := plan.Change{Property: base + "." + step.Src.Name, Older: s.older, Since: s.newer, What: what, Type: older.Name}
		found = append(found, gone{change, step.Src, step.Partner})
	}
	return found
}

// alike reports whether two types of objects have the same properties in ARM: such a type got another name.
func alike(older, newer map[string]*ir.Type, was, is ir.TypeRef, assumed map[[2]string]bool) bool {
	noName := func(string) string { return "" }
	if !was.Renamed(noName).Equal(is.Renamed(noName)) {
		return false
	}
	a, b := older[naming.Fold(was.Leaf().Named)], newer[naming.Fold(is.Leaf().Named)]
	if a == nil || b == nil {
		return a == b
	}
	pair := [2]string{a.Name, b.Name}
	if assumed[pair] {
		return true
	}
	assumed[pair] = true
	if a.Kind != b.Kind || a.Base != b.Base || a.Discriminator != b.Discriminator || len(a.Properties) != len(b.Properties) {
		return false
	}
	for _, p := range a.Properties {
		q := b.AtPath(p.Path())
		if q == nil || !alike(older, newer, p.Type, q.Type, assumed) {
			return false
		}
	}
	return true
}

// assessor returns who has assessed a change in group.yaml, and marks the entry as used.
func (c *changes) assessor(change plan.Change) plan.Assessor {
	by := plan.Nobody
	if c.taken[plan.Change{Property: change.Property, Older: change.Older, Since: change.Since}] {
		by = plan.Person
	}
	typ, _, _ := strings.Cut(change.Property, ".")
	entries := slices.Concat(c.removals[naming.Fold(change.Property)], c.removals[naming.Fold(typ+".*")])
	slices.Sort(entries)
	for _, i := range entries {
		if r := c.Config.Changes[i]; r.Explains(change.Property, change.Older, change.Since) {
			c.used[i] = true
			if by = plan.Person; r.Proposed {
				by = plan.Tool
			}
		}
	}
	return by
}

// readOnly reports whether a change is of a property that only the Status has, in the
// older version and in the newer one.
func readOnly(change plan.Change, older, newer map[string]*ir.Type) bool {
	base, half := naming.CutHalf(change.Type)
	lost := older[naming.Fold(change.Type)]
	if half != naming.Status("") || lost == nil {
		return false
	}
	_, name, _ := strings.Cut(change.Property, ".")
	arm := propertyFold(lost, name).ARMName()
	isSame := func(p *ir.Property) bool { return strings.EqualFold(p.ARMName(), arm) }
	for _, types := range []map[string]*ir.Type{older, newer} {
		for _, spec := range []string{base, naming.Spec(base)} {
			if t := types[naming.Fold(spec)]; t != nil && t.Kind == ir.Object && slices.ContainsFunc(t.Properties, isSame) {
				return false
			}
		}
	}
	return true
}

// checkUsed adds an error for each entry of group.yaml that is not used.
func (b *builder) checkUsed() {
	c := b.changes
	for _, r := range c.types {
		if c.used[r.index] {
			continue
		}
		if wrong := c.uselessTypeRename(r); wrong != "" {
			c.errorf([]any{"changes", r.index}, "%s", wrong)
		}
	}
	for _, r := range c.properties {
		if !c.used[r.index] {
			c.errorf([]any{"changes", r.index}, "%s", c.unusedPropertyRename(r))
			c.used[r.index] = true // the entry stands for two renames
		}
	}
	for _, m := range c.moves {
		if !c.used[m.index] {
			c.errorf([]any{"changes", m.index}, "%s", c.unusedMove(m))
			c.used[m.index] = true // likewise
		}
	}
	for i, change := range c.Config.Changes {
		if change.Removed != "" && !c.used[i] {
			c.errorf([]any{"changes", i}, "%s", c.unusedRemoval(change))
		}
	}
}

// uselessTypeRename returns the reason why a rename can have no use, or "". A rename
// between types that are not neighbours may have a use, because a bag may bring the
// older one.
func (c *changes) uselessTypeRename(r rename) string {
	before, after := c.typesAround(r.since)
	switch {
	case c.version(r.since) == nil:
		return c.noVersion(r.since)
	case !has(before, r.from):
		return fmt.Sprintf("no version before %s has a type %s%s", r.since, r.from, diag.DidYouMean(r.from, before))
	case !has(after, r.to):
		return fmt.Sprintf("no version from %s on has a type %s%s", r.since, r.to, diag.DidYouMean(r.to, after))
	}
	return ""
}

func (c *changes) unusedPropertyRename(r rename) string {
	typesBefore, typesAfter := c.typesAround(r.since)
	types := append(slices.Clone(typesBefore), typesAfter...)
	var before, after []string
	for _, v := range c.Versions {
		for _, t := range v.Types {
			base := naming.Common(t.Name)
			if !strings.EqualFold(base, r.typ) && !c.isRenamed(base, r.typ) {
				continue
			}
			for _, p := range t.Properties {
				if naming.CompareVersions(v.APIVersion, r.since) < 0 {
					before = append(before, p.Name)
				} else {
					after = append(after, p.Name)
				}
			}
		}
	}
	switch {
	case c.version(r.since) == nil:
		return c.noVersion(r.since)
	case !has(types, r.typ):
		return fmt.Sprintf("no version has a type %s%s", r.typ, diag.DidYouMean(r.typ, types))
	case !has(before, r.from):
		return fmt.Sprintf("before %s the type %s has no property %s%s", r.since, r.typ, r.from, diag.DidYouMean(r.from, before))
	case !has(after, r.to):
		return fmt.Sprintf("from %s on the type %s has no property %s%s", r.since, r.typ, r.to, diag.DidYouMean(r.to, after))
	}
	return fmt.Sprintf("the rename of %s.%s to %s since %s is unused; no two versions that convert with each other "+
		"have the one and the other", r.typ, r.from, r.to, r.since)
}

// isRenamed reports whether some rename of types has the two names.
func (c *changes) isRenamed(x, y string) bool {
	return slices.ContainsFunc(c.types, func(r rename) bool {
		return strings.EqualFold(r.from, x) && strings.EqualFold(r.to, y) || strings.EqualFold(r.from, y) && strings.EqualFold(r.to, x)
	})
}

func (c *changes) unusedRemoval(r config.Change) string {
	var properties []string
	for _, change := range c.found {
		properties = append(properties, change.Property)
		if strings.EqualFold(change.Property, r.Property) {
			return fmt.Sprintf("%s does not disappear at %s, but between %s and %s", r.Property, r.Since, change.Older, change.Since)
		}
	}
	if c.version(r.Since) == nil {
		return c.noVersion(r.Since)
	}
	return fmt.Sprintf("%s neither disappears nor changes its type at any version, so there is nothing to review%s",
		r.Property, diag.DidYouMean(r.Property, properties))
}

func (c *changes) noVersion(since string) string {
	var versions []string
	for _, v := range c.Versions {
		versions = append(versions, v.APIVersion)
	}
	return fmt.Sprintf("the group has no version %s%s", since, diag.DidYouMean(since, versions))
}

// typesAround returns the names, as in group.yaml, of the types before a version and
// of those from it on.
func (c *changes) typesAround(since string) (before, after []string) {
	for _, v := range c.Versions {
		for _, t := range v.Types {
			base := naming.Common(t.Name)
			if naming.CompareVersions(v.APIVersion, since) < 0 {
				before = append(before, base)
			} else {
				after = append(after, base)
			}
		}
	}
	return before, after
}

// has reports whether a name is among names, without regard to case.
func has(names []string, name string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
}

// propertyFold returns the property of a name without regard to case, or nil.
func propertyFold(t *ir.Type, name string) *ir.Property {
	for _, p := range t.Properties {
		if strings.EqualFold(p.Name, name) {
			return p
		}
	}
	return nil
}

func compareNames(a, b *ir.Type) int { return cmp.Compare(a.Name, b.Name) }
