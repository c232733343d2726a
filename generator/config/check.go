package config

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/naming"
)

// checker collects the errors of a group.
type checker struct {
	*Group
	errs diag.List
}

// errorf adds an error at the entry with a path.
func (c *checker) errorf(path []any, format string, args ...any) {
	line, column := c.Position(path...)
	c.errs.Addf(c.File, line, column, format, args...)
}

func at(path ...any) []any { return path }

// check returns the errors that a group shows by itself.
func check(g *Group) error {
	c := &checker{Group: g}
	c.exports()
	c.served()
	c.names()
	c.properties()
	c.outputs()
	c.notOutputs()
	c.changes()
	c.waivers()
	return c.errs.Err()
}

// The forms of the names in a group.yaml.
var (
	isSource    = form(`^(https://\S+|\S+:\d+ of \S+)$`)
	armType     = form(`^[A-Za-z][A-Za-z0-9]*(\.[A-Za-z0-9]+)+(/[A-Za-z0-9][A-Za-z0-9._-]*)+$`)
	kindForm    = form(`^[A-Z][A-Za-z0-9]*$`)
	pluralForm  = form(`^[a-z][a-z0-9]*$`)
	nameForm    = form(`^[a-z][A-Za-z0-9]*$`)
	releaseForm = form(`^\d+\.\d+(\.\d+)?$`)
	memberForm  = form(`^[A-Z][A-Za-z0-9]*\.[^.\s/]+([^\s/]*)$`)
)

// LongestKind is the number of characters that a kind may have. Kubernetes allows 63
// to a plural and to the kind of a list, and a list of Persons is a PersonList.
const (
	LongestKind   = longestPlural - len("List")
	longestPlural = 63
)

// ShorterKind returns a kind that is short enough, for one that is too long: the
// longest of its ends that begins with a word and is free, else as many characters
// from its beginning as are free.
func ShorterKind(kind string, free func(string) bool) string {
	isCapital := func(i int) bool { return 'A' <= kind[i] && kind[i] <= 'Z' }
	for i := max(1, len(kind)-LongestKind); i < len(kind); i++ {
		if isCapital(i) && !isCapital(i-1) && free(kind[i:]) {
			return kind[i:]
		}
	}
	n := min(LongestKind, len(kind))
	for n > 1 && !free(kind[:n]) {
		n--
	}
	return kind[:n]
}

// form returns a function that compiles an expression at its first call, because
// most verbs link this package and check no group.yaml.
func form(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// uses maps a name to its first user.
type uses map[string]string

// take returns the first user of a name, or "" if there was none; then user is
// the first.
func (u uses) take(name, user string) string {
	if first, taken := u[name]; taken {
		return first
	}
	u[name] = user
	return ""
}

// types returns the exported ARM types in the order of the file.
func (g *Group) types() []string {
	types := slices.Collect(maps.Keys(g.Exports))
	slices.SortFunc(types, func(a, b string) int {
		line, column := g.Position("exports", a)
		lineB, columnB := g.Position("exports", b)
		return cmp.Or(cmp.Compare(line, lineB), cmp.Compare(column, columnB))
	})
	return types
}

func (c *checker) exports() {
	if len(c.Exports) == 0 {
		c.errorf(at("exports"), "nothing is exported; list the resource types to publish, such as exports: "+
			"{Microsoft.Cache/redis: {kind: Redis}}")
		return
	}
	types, kinds, plurals, shorts := uses{}, uses{}, uses{}, uses{}
	for _, typ := range c.types() {
		export := c.Exports[typ]
		entry := at("exports", typ)
		if !armType().MatchString(typ) {
			c.errorf(entry, "%q is not an ARM resource type; expected a form such as Microsoft.Cache/redis/firewallRules", typ)
		}
		if first := types.take(strings.ToLower(typ), typ); first != "" {
			c.errorf(entry, "%s is already exported as %s; ARM compares types without case", typ, first)
		}
		if provider := providerOf(c.types()[0]); armType().MatchString(typ) && !strings.EqualFold(providerOf(typ), provider) {
			c.errorf(entry, "%s is of another provider than %s; a group exports one provider's types", typ, provider)
		}
		c.kind(typ, export, kinds)
		if export.NameForm != "" && export.NameForm != GUIDName && export.NameForm != FreeName {
			c.errorf(append(entry, "nameForm"), "%q is not a form of names; expected %s or %s", export.NameForm, GUIDName, FreeName)
		}
		c.azureNames(append(entry, "azureNames"), export.AzureNames)
		c.nameCorrection(append(entry, "name"), export.Name)
		plural := cmp.Or(export.Plural, naming.Plural(export.Kind))
		if !pluralForm().MatchString(plural) && kindForm().MatchString(export.Kind) {
			c.errorf(append(entry, "plural"), "%q is not a plural name; expected small letters and digits", plural)
		} else if len(plural) > longestPlural && len(export.Kind) <= LongestKind {
			c.errorf(append(entry, "plural"),
				"the plural %s has %d characters; expected at most %d, such as %s, which it is without this entry",
				plural, len(plural), longestPlural, naming.Plural(export.Kind))
		}
		if first := plurals.take(plural, typ); first != "" && export.Kind != c.Exports[first].Kind {
			c.errorf(append(entry, "plural"), "the plural %s is already that of %s; give one of them another", plural, first)
		}
		for i, short := range export.ShortNames {
			if !pluralForm().MatchString(short) {
				c.errorf(append(entry, "shortNames", i), "%q is not a short name; expected small letters and digits", short)
			}
			if first := shorts.take(short, typ); first != "" {
				c.errorf(append(entry, "shortNames", i), "the short name %s is already that of %s; remove one of them", short, first)
			}
		}
		c.version(append(entry, "hub"), export.Hub)
		c.aliases(append(entry, "aliases"), export.Aliases)
	}
}

// aliases checks the aliases of a resource type.
func (c *checker) aliases(entry []any, all []*Alias) {
	prefixes := uses{}
	for i, alias := range all {
		at := append(entry, i)
		if !pluralForm().MatchString(alias.Prefix) {
			c.errorf(append(at, "prefix"), "%q is not a prefix of aliases; expected small letters and digits, the first a letter, "+
				"such as v1alpha1api", alias.Prefix)
		}
		if prefixes.take(alias.Prefix, alias.Prefix) != "" {
			c.errorf(append(at, "prefix"), "%s is listed twice; put the versions of both into one entry", alias.Prefix)
		}
		if alias.Until != "" && !releaseForm().MatchString(alias.Until) {
			c.errorf(append(at, "until"), "%q is not a release; expected numbers such as \"1.2\"", alias.Until)
		}
		if len(alias.Versions) == 0 {
			c.errorf(at, "it lacks versions; list the ARM versions that have aliases with the prefix")
		}
		versions := uses{}
		for j, v := range alias.Versions {
			c.version(append(at, "versions", j), v)
			if versions.take(v, v) != "" {
				c.errorf(append(at, "versions", j), "%s is listed twice", v)
			}
		}
	}
}

// served checks the versions that the group retires, and hubNotAfter.
func (c *checker) served() {
	c.version(at("hubNotAfter"), c.HubNotAfter)
	retired := uses{}
	for i, v := range c.Retired {
		c.version(at("retired", i), v)
		if retired.take(v, v) != "" {
			c.errorf(at("retired", i), "%s is listed twice", v)
		}
	}
}

// azureNames checks names that a resource may have in Azure.
func (c *checker) azureNames(entry []any, names []string) {
	known := uses{}
	for i, name := range names {
		if name == "" || strings.Contains(name, "/") {
			c.errorf(append(entry, i), "%q is not the name of a resource in Azure; expected a text without \"/\"", name)
		} else if known.take(naming.Fold(name), name) != "" {
			c.errorf(append(entry, i), "%q is listed twice; ARM compares names without case", name)
		}
	}
}

// kind checks a kind, and the name of its list type.
func (c *checker) kind(typ string, export *Export, kinds uses) {
	entry := at("exports", typ, "kind")
	switch {
	case export.Kind == "":
		c.errorf(entry, "%s lacks its kind; add one, such as kind: %s", typ, naming.Type(typ[strings.LastIndex(typ, "/")+1:]))
		return
	case !kindForm().MatchString(export.Kind):
		c.errorf(entry, "%q is not a kind; expected letters and digits, the first a capital", export.Kind)
		return
	case len(export.Kind) > LongestKind:
		c.errorf(entry, "the kind %s has %d characters; expected at most %d, because Kubernetes allows its list 63, such as %s",
			export.Kind, len(export.Kind), LongestKind, ShorterKind(export.Kind, c.isFreeKind))
		return
	}
	if naming.IsDeclared(export.Kind) {
		c.errorf(entry, "the kind %s is the name of what each generated package declares; expected another, such as %sResource",
			export.Kind, export.Kind)
		return
	}
	if first := kinds.take(naming.Fold(export.Kind), typ); first != "" {
		c.errorf(entry, "the kind %s is already that of %s; give one of them another", export.Kind, first)
		return
	}
	if first := kinds.take(naming.Fold(export.Kind+"List"), typ); first != "" {
		c.errorf(entry, "the list of the kind %s would have the name of the kind of %s; give one of them another kind", export.Kind, first)
	}
}

// isFreeKind reports whether no resource type has a kind.
func (c *checker) isFreeKind(kind string) bool {
	for _, export := range c.Exports {
		if strings.EqualFold(export.Kind, kind) {
			return false
		}
	}
	return true
}

// CheckProvider reports the exports that are not of a provider.
func (g *Group) CheckProvider(provider string) error {
	c := &checker{Group: g}
	for _, typ := range g.types() {
		if !strings.EqualFold(providerOf(typ), provider) {
			c.errorf(at("exports", typ), "%s is not of the provider %s, which BUILD.bazel names; correct one of the two", typ, provider)
		}
	}
	return c.errs.Err()
}

func providerOf(armType string) string {
	provider, _, _ := strings.Cut(armType, "/")
	return provider
}

// version checks an ARM API version, which may be absent.
func (c *checker) version(path []any, version string) {
	if version == "" {
		return
	}
	if _, err := naming.ParseVersion(version); err != nil {
		c.errorf(path, "%v", err)
	}
}

// required reports a value that is absent.
func (c *checker) required(path []any, key, value string) {
	if value == "" {
		c.errorf(path, "the entry lacks %s", key)
	}
}

func (c *checker) names() {
	taken := uses{}
	for i, n := range c.Names {
		entry := at("names", i)
		c.required(entry, "type", n.Type)
		c.required(entry, "arm", n.ARM)
		c.required(entry, "name", n.Name)
		if n.Name != "" && !nameForm().MatchString(n.Name) {
			c.errorf(append(entry, "name"), "%q is not a property name; expected letters and digits, the first a small one", n.Name)
		}
		if taken.take(n.Type+"."+n.ARM, n.Name) != "" {
			c.errorf(entry, "%s.%s is named twice", n.Type, n.ARM)
		}
	}
}

func (c *checker) waivers() {
	taken := uses{}
	for i := range c.Waivers {
		w := &c.Waivers[i]
		entry := at("waivers", i)
		c.required(entry, "law", w.Law)
		c.required(entry, "property", w.Property)
		c.required(entry, "reason", w.Reason)
		if w.Law != "" && !slices.Contains(Laws, w.Law) {
			c.errorf(append(entry, "law"), "unknown law %q%s; the laws are %s", w.Law, diag.DidYouMean(w.Law, Laws),
				strings.Join(Laws, ", "))
		}
		if w.Property != "" && !memberForm().MatchString(w.Property) {
			c.errorf(append(entry, "property"), "%q is not a property; expected a form such as Redis.subnetId", w.Property)
		}
		if w.Role = cmp.Or(w.Role, "api"); w.Role != "api" && w.Role != "storage" {
			c.errorf(append(entry, "role"), "%q is not a role; expected api or storage", w.Role)
		}
		for j, version := range w.Versions {
			c.version(append(entry, "versions", j), version)
		}
		versions := w.Versions
		if len(versions) == 0 {
			versions = []string{""}
		}
		for _, version := range versions {
			if taken.take(strings.Join([]string{w.Law, w.Property, w.Role, version}, "\x00"), "x") != "" {
				c.errorf(entry, "the waiver of %s for %s is listed twice", w.Law, w.Property)
			}
		}
	}
}
