package lock

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/plan"
)

// sources returns the formats of each API version, by its package. A version whose
// shape another format would change keeps those of the old lock until a person has
// assessed each change.
func sources(packages []*plan.Package, old *Lock) map[string]string {
	formats := map[string]string{}
	for _, p := range packages {
		switch {
		case len(p.Sources) == 0: // an alias or a storage package
		case len(unassessed(p)) > 0:
			formats[p.Name] = old.Sources[p.Name]
		default:
			formats[p.Name] = strings.Join(p.Sources, "+")
		}
	}
	return formats
}

// unassessed returns the properties of a package that another format would reshape,
// and whose change nobody has assessed.
func unassessed(p *plan.Package) []plan.Reshaped {
	return slices.DeleteFunc(slices.Clone(p.Reshaped), func(r plan.Reshaped) bool { return r.Assessed })
}

// sources compares the formats of the API versions.
func (c *lockChecker) sources(want *Lock) {
	for _, p := range c.packages {
		got := c.lock.Sources[p.Name]
		open := unassessed(p)
		switch {
		case len(open) > 0:
			var text, entries strings.Builder
			for _, r := range open {
				fmt.Fprintf(&text, "  %s: %s\n", r.Property, r.What)
				fmt.Fprintf(&entries, "  - {property: %s, version: %q, reason: %q}\n", r.Property, p.APIVersion, "why it is right")
			}
			c.addf(p.Name, "", "%s was published from %s, and with %s its shape would change:\n%sWhere an entry of "+
				"references, secrets or numbers, or of their opposites, keeps what it was, add that. Where the change is right, "+
				"add\nreshaped:\n%sThen run: %s",
				p.APIVersion, cmp.Or(got, "none"), strings.Join(p.Sources, "+"), &text, &entries, UpdateCommand(c.dir))
		case got == "" && len(p.Sources) == 1:
			// A lock from before it had sources. It is wrong only once there are several, because
			// until then nothing but the format that the version was published from describes it.
		case got != want.Sources[p.Name] && c.lockedVersion(p.Name):
			c.accept(p.Name, "the lock says that %s is made from %s, and it is made from %s",
				p.APIVersion, cmp.Or(got, "none"), strings.Join(p.Sources, "+"))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.lock.Sources)) {
		if want.Sources[name] == "" && !slices.ContainsFunc(c.packages, func(p *plan.Package) bool { return p.Name == name }) {
			c.accept(name, "the lock has the sources of %s, and the group has no such version", name)
		}
	}
}

// lockedVersion reports whether the lock has a resource at an API version. If it has
// none, the version is new, which another error says.
func (c *lockChecker) lockedVersion(name string) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(c.lock.Resources)),
		func(r Resource) bool { return slices.Contains(r.Versions, name) })
}
