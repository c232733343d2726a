package service

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/armature-dev/armature/cli/check"
	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/sample"
	"github.com/armature-dev/armature/internal/bazel"
)

// Change has the files that a request writes, and what they mean.
type Change struct {
	// Files has the content of each file, by its name relative to the repository.
	Files map[string][]byte
	// Group is the folder of the group, such as "apis/web".
	Group string
	// Versions are the API versions that the group has then, in order.
	Versions []string
	// Kinds has the kind of each resource type.
	Kinds map[string]string
	// Undecided counts what the change asks. Of an update it counts what that brings.
	Undecided Undecided

	provider  string
	isUpdate  bool // whether the group is not new
	names     int  // that the lock keeps
	proposals []proposal
	untypings []crd.Untyping
	removals  int // proposed for properties that disappear
	// retold is the number of properties whose marks an update changes, and kept has marks that stay
	// although the newest Swagger does not speak for them any more.
	retold int
	kept   []proposal
	// added has the versions that an update adds.
	added []string
	// superfluous has the corrections that an added version does not need any more.
	superfluous []string
	// facts has the versions of which an update accepts other facts than the group had, and
	// findings what these mean, unless unknown says why nobody knows.
	facts    []string
	findings []check.Finding
	unknown  error
	// written has the versions that the group has, and that had no facts before.
	written []string
	// samples reports whether an update changes what is given of samples.
	samples bool
}

// Undecided counts what a change leaves for a person to decide, beside the properties that
// disappear, which the report of the group lists.
type Undecided struct {
	// Properties may be references, secrets and the like.
	Properties int
	// Outputs are values in the answers of actions.
	Outputs int
	// Untyped are properties that need not be in the schema of a large CRD.
	Untyped int
	// Kinds are shorter than the rule for names would have them.
	Kinds int
}

// change returns what the files mean that a plan writes. before has the shaped form of the versions that the group had.
func (p *planned) change(files map[string][]byte, before []*ir.Version) *Change {
	c := &Change{
		Files: files, Group: p.dir(), Versions: p.apiVersions(), Kinds: p.kinds,
		Undecided: Undecided{Properties: countOpen(p.proposals), Outputs: p.outputs},
		provider:  p.provider, isUpdate: !p.isNew(), proposals: p.proposals, untypings: p.untypings, removals: len(p.changes),
		kept: p.kept, added: p.added, samples: files[p.samplesFile()] != nil,
	}
	for _, names := range p.lock.Names {
		c.names += len(names)
	}
	if p.isNew() {
		c.Undecided.Untyped = countOpen(untypedBy(p.untypings))
		for armType := range p.kinds {
			if tooLong(armType) != "" {
				c.Undecided.Kinds++
			}
		}
		return c
	}
	c.superfluous = superfluous(p.decisions, p.versions, c.added)
	c.retold = differing(p.decisions.Properties, p.config.Properties)
	for _, v := range c.Versions {
		switch {
		case files[p.factsFile(v)] == nil || slices.Contains(c.added, v):
		case p.known[v] == nil:
			c.written = append(c.written, v)
		default:
			c.facts = append(c.facts, v)
		}
	}
	if len(c.facts) > 0 {
		isNew := func(v *ir.Version) bool {
			return !slices.ContainsFunc(before, func(old *ir.Version) bool { return old.APIVersion == v.APIVersion })
		}
		c.findings, c.unknown = p.meaning(before, slices.DeleteFunc(slices.Clone(p.versions), isNew))
	}
	return c
}

// differing returns the number of properties that have other marks.
func differing(a, b config.Properties) (n int) {
	all := maps.Clone(a)
	maps.Copy(all, b)
	for property := range all {
		texts := func(marks []config.Mark) (all []string) {
			for _, m := range marks {
				m.Why, m.Source = "", ""
				all = append(all, config.Line(property, []config.Mark{m}))
			}
			slices.Sort(all)
			return all
		}
		if !slices.Equal(texts(a[property]), texts(b[property])) {
			n++
		}
	}
	return n
}

// superfluous returns the corrections that the newest version with the property does not need, which is added, and that
// the newest of the others does. The versions are shaped forms, in order.
func superfluous(decisions *config.Group, versions []*ir.Version, added []string) (all []string) {
	for _, property := range slices.Sorted(maps.Keys(decisions.Properties)) {
		for _, m := range decisions.Properties[property] {
			var newest, before *ir.Version
			for _, v := range versions {
				if !m.IsCorrection() || !has(v, property) {
					continue
				}
				if newest = v; !slices.Contains(added, v.APIVersion) {
					before = v
				}
			}
			needs := func(v *ir.Version) bool { return slices.Contains(v.Used, m.Entry(property)) }
			if newest != before && before != nil && needs(before) && !needs(newest) {
				all = append(all, fmt.Sprintf("%s says of %s what the correction %s says, which is for older versions then",
					newest.APIVersion, property, m))
			}
		}
	}
	return all
}

// has reports whether a version has a property, given as in group.yaml.
func has(v *ir.Version, property string) bool {
	base, name, _ := strings.Cut(property, ".")
	return slices.ContainsFunc(v.Types, func(t *ir.Type) bool {
		return naming.Common(t.Name) == base && slices.ContainsFunc(t.Properties, func(p *ir.Property) bool {
			return p.ARMName() == name || naming.JSON(p.ARMName()) == name
		})
	})
}

// crds returns the CRDs of the group at some versions.
func (p *planned) crds(decisions *config.Group, shaped []*ir.Version) (map[string][]byte, error) {
	packages, err := p.plan(decisions, shaped)
	if err != nil {
		return nil, err
	}
	files, _, err := crd.Files(shaped, packages, p.lock, noMeta)
	return files, err
}

// meaning returns what a change of facts means for stored objects and for clients. before and after are shaped forms,
// each of which goes with what was decided about it: a mark that the new facts ask for may change nothing in what the
// old ones said.
func (p *planned) meaning(before, after []*ir.Version) ([]check.Finding, error) {
	old, err := p.crds(p.decisions, before)
	if err != nil {
		return nil, fmt.Errorf("no CRDs can be made of what the facts said: %w", err)
	}
	now, err := p.crds(p.config, after)
	if err != nil {
		return nil, fmt.Errorf("no CRDs can be made of what the specs say: %w", err)
	}
	return check.CompareCRDs(p.apiGroup, old, now)
}

// Write writes the files below a folder. It writes each beside its place first,
// and moves all of them when each is written.
func (c *Change) Write(root string) error {
	temporary := map[string]string{} // by place
	defer func() {
		for _, file := range temporary {
			os.Remove(file)
		}
	}()
	for name, text := range c.Files {
		place := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
			return err
		}
		temporary[place] = place + ".new"
		if err := os.WriteFile(place+".new", text, 0o644); err != nil {
			return err
		}
	}
	for place, file := range temporary {
		if err := os.Rename(file, place); err != nil {
			return err
		}
		delete(temporary, place)
	}
	return nil
}

// printUpdate writes what an update adds to w, and what a person has to decide.
func (c *Change) printUpdate(w io.Writer) {
	if len(c.added) > 0 {
		fmt.Fprintf(w, "%s: adds %s\n", c.Group, strings.Join(c.added, ", "))
	}
	if c.retold > 0 && len(c.added) == 0 {
		fmt.Fprintf(w, "%s: group.yaml marks %s as the newest Swagger does\n", c.Group, count(c.retold, "property", "properties"))
	}
	if c.samples {
		fmt.Fprintf(w, "%s: %s has what the examples of the specs give of samples\n", c.Group, sample.GivenFile)
	}
	if len(c.added)+len(c.facts)+len(c.written)+c.retold == 0 && !c.samples {
		fmt.Fprintf(w, "%s: names files and evidence as the specs have them\n", c.Group)
	}
	if len(c.written) > 0 {
		fmt.Fprintf(w, "%s: writes the facts of %s\n", c.Group, strings.Join(c.written, ", "))
	}
	if len(c.facts) > 0 {
		fmt.Fprintf(w, "%s: the facts of %s are now what the specs say\n", c.Group, strings.Join(c.facts, ", "))
		if c.unknown != nil {
			fmt.Fprintf(w, "What it means is not known: %v\n", c.unknown)
		} else {
			check.Print(w, c.findings)
		}
	}
	for _, sentence := range c.superfluous {
		fmt.Fprintf(w, "  %s/group.yaml: %s\n", c.Group, sentence)
	}
	for _, p := range c.proposals {
		asked := "a " + p.Name
		if p.Name == config.ReadOnly {
			asked = p.Name
		}
		if !p.safe {
			fmt.Fprintf(w, "  decide in %s/group.yaml: is %s %s? (%s)\n", c.Group, p.property, asked, p.Why)
		}
	}
	if c.Undecided.Outputs > 0 {
		fmt.Fprintf(w, "  decide in %s/group.yaml: %s proposed there\n", c.Group, count(c.Undecided.Outputs, "output is", "outputs are"))
	}
	if c.removals > 0 {
		fmt.Fprintf(w, "  decide in %s/group.yaml, below proposedChanges, on %s; %s says what is likely\n", c.Group,
			count(c.removals, "property that disappears", "properties that disappear"), bazel.Run("//"+c.Group+":renames"))
	}
}

// Print writes what the change means to w.
func (c *Change) Print(w io.Writer) {
	for _, p := range c.kept {
		fmt.Fprintf(w, "%s: %s stays a %s, although %s does not say so: take the mark out of group.yaml if it is none\n",
			c.Group, p.property, p.Name, p.Why)
	}
	if len(c.Files) == 0 {
		fmt.Fprintf(w, "%s has versions %s: there is nothing to add\n", c.Group, strings.Join(c.Versions, ", "))
		return
	}
	if c.isUpdate {
		c.printUpdate(w)
		return
	}
	fmt.Fprintf(w, "%s: %s at %s\n", c.Group, count(len(c.Kinds), "kind", "kinds"), count(len(c.Versions), "version", "versions"))
	fmt.Fprintf(w, "  versions: %s\n", strings.Join(c.Versions, ", "))
	for _, t := range slices.SortedFunc(maps.Keys(c.Kinds), compareFolded) {
		fmt.Fprintf(w, "  %s: %s\n", c.Kinds[t], t)
		if long := tooLong(t); long != "" {
			fmt.Fprintf(w, "    shorter than %s, which has %d characters: Kubernetes allows a kind %d; "+
				"choose another one in group.yaml before somebody uses it\n",
				long, len(long), config.LongestKind)
		}
	}
	for _, mark := range proposed {
		yes, none, open := 0, 0, 0
		for _, p := range c.proposals {
			switch {
			case p.Name != mark:
			case !p.safe:
				open++
			case p.Not:
				none++
			default:
				yes++
			}
		}
		if noted[mark] != "" {
			fmt.Fprintf(w, "%s: %d by evidence, %d that are none, %d for you to decide\n", mark, yes, none, open)
		} else if yes > 0 {
			fmt.Fprintf(w, "%s: %d by evidence\n", mark, yes)
		}
	}
	if n := c.Undecided.Outputs; n > 0 {
		fmt.Fprintf(w, "outputs: %d for you to decide\n", n)
	}
	for _, u := range c.untypings {
		if u.Bytes > crd.MaxBytes {
			fmt.Fprintf(w, "untyped: %s, without which the CRD of %s has %d bytes; an API server stores %d\n", u.Names(), u.Kind,
				u.Bytes, crd.MaxBytes)
		} else {
			fmt.Fprintf(w, "untyped: for you to decide on %s; the CRD of %s has %d of the %d bytes that an API server stores\n",
				u.Names(), u.Kind, u.Bytes, crd.MaxBytes)
		}
	}
	fmt.Fprintf(w, "names: %d in the lock, of properties that would have the name of another\n", c.names)
	if c.removals > 0 {
		fmt.Fprintf(w, "proposedChanges: %s in a later version, for you to decide; %s says what is likely\n",
			count(c.removals, "property disappears", "properties disappear"), bazel.Run("//"+c.Group+":renames"))
	}
}

// list writes the names of the files to w.
func (c *Change) list(w io.Writer, verb string) {
	for _, name := range slices.Sorted(maps.Keys(c.Files)) {
		fmt.Fprintf(w, "%s %s\n", verb, name)
	}
}

// Apply says what the change means, and writes its files below root, unless it is a dry run or the person whom i asks
// says no. i may be nil.
func (c *Change) Apply(root string, dryRun bool, i *Interview, out io.Writer) error {
	c.Print(out)
	switch {
	case dryRun && c.isUpdate:
		return nil
	case c.isUpdate || len(c.Files) == 0:
		return c.Write(root)
	case dryRun:
		c.list(out, "would write")
		return nil
	case i != nil:
		c.list(out, "will write")
		if yes, err := i.Confirm("Write these files"); err != nil {
			return err
		} else if !yes {
			fmt.Fprintln(out, "Nothing was written.")
			return nil
		}
	}
	if err := c.Write(root); err != nil {
		return err
	}
	c.list(out, "wrote")
	fmt.Fprintf(out, "Read %s/group.yaml, and then run: %s test //%s/...\n", c.Group, bazel.Command(), c.Group)
	return nil
}
