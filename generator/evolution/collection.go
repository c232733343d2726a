package evolution

import (
	"maps"
	"slices"
	"strings"
)

// collection collects what becomes of the properties of a kind between all pairs of
// versions. The paths are a tree, because types lead to many of them.
type collection struct {
	kind       *Resource
	conversion *Conversion
	index      map[string]uint16 // of the versions
	pair       [2]uint16         // the indexes of the pair that is added
	top        place
	known      *known
}

// place is a path at which there are properties, with what becomes of it.
type place struct {
	below map[string]*place
	all   []becoming
}

// becoming is what becomes of a property between pairs of versions.
type becoming struct {
	*Becomes
	pairs [][2]uint16
}

func newCollection(k *Resource, known *known) *collection {
	c := &collection{kind: k, index: map[string]uint16{}, known: known}
	for i, v := range k.Versions {
		c.index[v.Name] = uint16(i)
	}
	return c
}

// begin begins a pair of versions.
func (c *collection) begin(from, to string) {
	c.pair = [2]uint16{c.index[from], c.index[to]}
	c.conversion = &Conversion{From: from, To: to}
	c.kind.Conversions = append(c.kind.Conversions, c.conversion)
}

// inside returns the place of a property of the object at a place.
func (p *place) inside(name string) *place {
	below := p.below[name]
	if below == nil {
		below = &place{}
		if p.below == nil {
			p.below = map[string]*place{}
		}
		p.below[name] = below
	}
	return below
}

// add adds what becomes of the property with a name, or of the object itself, between the
// pair of versions. The name of a property that moved out of an object is a path.
func (c *collection) add(at *place, name string, becomes *Becomes) {
	for name != "" {
		var first string
		first, name, _ = strings.Cut(name, ".")
		at = at.inside(first)
	}
	switch counts := &c.conversion.Counts; becomes.Fate {
	case Converted:
		counts.Converted++
	case Stashed:
		counts.Stashed++
	case Carried:
		counts.Carried++
	}
	at.add(c.known.intern(becomes), c.pair)
}

func (p *place) add(becomes *Becomes, pair [2]uint16) {
	i := slices.IndexFunc(p.all, func(b becoming) bool { return b.Becomes == becomes })
	if i < 0 {
		i = len(p.all)
		p.all = append(p.all, becoming{Becomes: becomes})
	}
	if pairs := p.all[i].pairs; len(pairs) == 0 || pairs[len(pairs)-1] != pair {
		p.all[i].pairs = append(pairs, pair)
	}
}

// known finds equal ones among many [Becomes].
type known struct {
	same  map[*Becomes]*Becomes
	byKey map[becomesKey]*Becomes
}

// becomesKey is a [Becomes] that can be compared. No name has a line break.
type becomesKey struct {
	fate                         Fate
	how, name, what, bags, hooks string
}

func newKnown() *known { return &known{map[*Becomes]*Becomes{}, map[becomesKey]*Becomes{}} }

// intern returns the same for two that are equal.
func (k *known) intern(b *Becomes) *Becomes {
	if same := k.same[b]; same != nil {
		return same
	}
	key := becomesKey{fate: b.Fate, name: b.Name, what: b.What, hooks: strings.Join(b.Hooks, "\n")}
	for _, how := range b.How {
		key.how += string(how) + "\n"
	}
	for _, stay := range b.Bags {
		key.bags += stay.From + "\n" + stay.To + "\n"
	}
	if k.byKey[key] == nil {
		k.byKey[key] = b
	}
	k.same[b] = k.byKey[key]
	return k.same[b]
}

// finish sets the changes of the kind.
func (c *collection) finish() {
	b := blocks{c.kind.Versions, map[string][]string{}, map[changeKey]*Change{}}
	c.kind.byPath = map[string][]*Change{}
	c.changes(&c.top, "", b)
	for _, change := range c.kind.Changes {
		slices.Sort(change.Paths)
	}
	slices.SortStableFunc(c.kind.Changes, func(a, b *Change) int { return slices.Compare(a.Paths, b.Paths) })
}

// changeKey identifies what becomes of properties between some pairs.
type changeKey struct {
	*Becomes
	pairs string
}

// changes adds the changes at a place and below it.
func (c *collection) changes(at *place, path string, b blocks) {
	for _, becoming := range at.all {
		var pairs strings.Builder
		for _, pair := range becoming.pairs {
			pairs.WriteRune(rune(pair[0]))
			pairs.WriteRune(rune(pair[1]))
		}
		key := changeKey{becoming.Becomes, pairs.String()}
		change := b.changes[key]
		if change == nil {
			change = &Change{Becomes: *becoming.Becomes, Pairs: b.of(becoming.pairs)}
			b.changes[key] = change
			c.kind.Changes = append(c.kind.Changes, change)
		}
		change.Paths = append(change.Paths, path)
		c.kind.byPath[path] = append(c.kind.byPath[path], change)
	}
	for _, name := range slices.Sorted(maps.Keys(at.below)) {
		c.changes(at.below[name], strings.TrimPrefix(path+"."+name, "."), b)
	}
}

// blocks makes lists of [Pairs], and shares the lists of names among them.
type blocks struct {
	versions []Version
	known    map[string][]string
	changes  map[changeKey]*Change
}

// of returns pairs in as few blocks as have the same versions on the one side.
func (b blocks) of(pairs [][2]uint16) []Pairs {
	var keys []string // of the versions to, as names of known
	froms := map[string][]uint16{}
	for len(pairs) > 0 {
		from := pairs[0][0]
		n := 0
		var to []uint16
		for ; n < len(pairs) && pairs[n][0] == from; n++ {
			to = append(to, pairs[n][1])
		}
		pairs = pairs[n:]
		key := b.names(to)
		if froms[key] == nil {
			keys = append(keys, key)
		}
		froms[key] = append(froms[key], from)
	}
	all := make([]Pairs, len(keys))
	for i, key := range keys {
		all[i] = Pairs{From: b.known[b.names(froms[key])], To: b.known[key]}
	}
	return all
}

// names returns the key in known of the names of some versions.
func (b blocks) names(indexes []uint16) string {
	var key strings.Builder
	for _, i := range indexes {
		key.WriteRune(rune(i))
	}
	if b.known[key.String()] == nil {
		names := make([]string, len(indexes))
		for i, index := range indexes {
			names[i] = b.versions[index].Name
		}
		b.known[key.String()] = names
	}
	return key.String()
}
