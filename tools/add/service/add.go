// Package service adds the services of the published specs to the repository: it
// writes the folder of a service group, with what can be decided by evidence, and
// adds the group where groups are listed. Its main functions are [Plan] and
// [PlanUpdate].
package service

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/cli/check"
	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan/lock"
	"github.com/armature-dev/armature/generator/sample"
	"github.com/armature-dev/armature/internal/bazel"
)

// Request says what to add, and where.
type Request struct {
	Repository
	// Specs is the folder of the published specs.
	Specs Specs
	// Provider is the ARM resource provider, in any case: "microsoft.web".
	Provider string
	// Group is the name of the group's folder. The default is the last part of
	// the provider, in lower case.
	Group string
	Choice

	offer *offer // read by Ask
}

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

	isNew     bool // whether the group is new, so that its kinds were chosen here
	isUpdate  bool
	names     int // that the lock keeps
	proposals []proposal
	untypings []crd.Untyping
	removals  int // proposed for properties that disappear
	// retold is the number of properties whose marks an update changes, and kept has marks that stay
	// although the newest Swagger does not speak for them any more.
	retold int
	kept   []proposal
	// added has the versions that an update adds.
	added []string
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

// Plan returns what a request changes. It writes nothing.
func Plan(r Request) (*Change, error) {
	if err := r.Specs.usable(r.Repository); err != nil {
		return nil, err
	}
	provider, docs, err := r.Specs.Provider(r.Provider)
	if err != nil {
		return nil, err
	}
	g := r.group(provider)
	if err := g.checkName(); err != nil {
		return nil, err
	}
	if g.importPath, err = r.importPath(g.name); err != nil {
		return nil, err
	}
	if err := g.nameAPIGroup(r.Domain); err != nil {
		return nil, err
	}
	o := r.offer
	if o == nil {
		if o, err = r.Specs.offer(provider, docs); err != nil {
			return nil, err
		}
	}
	selected, err := r.choose(provider, o.versions)
	if err != nil {
		return nil, err
	}
	g.documents, g.kinds = selected.documents, Kinds(selected.types)
	g.evidence = swaggerDocs(selected.types, o.versions)
	shaped, err := g.decide(nil)
	if err != nil {
		return nil, err
	}
	own, err := g.files(shaped)
	if err != nil {
		return nil, err
	}
	files, err := g.edits()
	if err != nil {
		return nil, err
	}
	maps.Copy(files, own)
	asked := Undecided{Properties: g.open()}
	_, asked.Outputs = outputEntries(nil, shaped, nil)
	for _, p := range g.untyped() {
		if !p.safe {
			asked.Untyped++
		}
	}
	for armType := range g.kinds {
		if tooLong(armType) != "" {
			asked.Kinds++
		}
	}
	return &Change{
		Files: files, Group: g.dir(), Versions: g.apiVersions(), Undecided: asked, isNew: true,
		Kinds: g.kinds, names: g.lockedNames(), proposals: g.proposals, untypings: g.untypings, removals: len(g.removals),
	}, nil
}

// group returns the group that a request makes for a provider.
func (r *Request) group(provider string) *group {
	name := r.Group
	if name == "" {
		name = strings.ToLower(provider[strings.LastIndexByte(provider, '.')+1:])
	}
	return &group{
		in: r.Repository, specs: r.Specs, provider: provider, name: name, locked: &lock.Lock{},
	}
}

// offer has what the specs have of a provider.
type offer struct {
	provider string
	versions []*Version // in order
}

// offer reads which resource types the documents of a provider describe.
func (s Specs) offer(provider string, docs map[string][]string) (*offer, error) {
	o := &offer{provider: provider}
	var errs diag.List
	for _, name := range slices.SortedFunc(maps.Keys(docs), naming.CompareVersions) {
		v, err := s.Version(provider, name, docs[name])
		errs.Merge(err)
		o.versions = append(o.versions, v)
	}
	return o, errs.Err()
}

// groupName matches what may be the first part of a Kubernetes API group.
var groupName = regexp.MustCompile(`^[a-z0-9]+(-+[a-z0-9]+)*$`)

// checkName reports a group that exists, and a name that cannot be a part of a
// Kubernetes API group.
func (g *group) checkName() error {
	if !groupName.MatchString(g.name) {
		return fmt.Errorf("%q cannot name a group: expected lower-case letters, digits, and hyphens between them, such as --group=web",
			g.name)
	}
	existing, err := g.in.groups()
	if err != nil {
		return err
	}
	if slices.Contains(existing, g.name) {
		return fmt.Errorf("%s exists; choose another name with --group, or remove that folder to add it anew", g.dir())
	}
	return nil
}

// decide reads the specs, decides what evidence can decide, and returns the
// shaped form of all versions. It proposes nothing for the properties in known.
func (g *group) decide(known map[string]bool) ([]*ir.Version, error) {
	experience, err := Learn(g.in, g.name)
	if err != nil {
		return nil, err
	}
	if err := g.read(); err != nil {
		return nil, err
	}
	if g.decided == nil {
		g.dropUnread()
	}
	shaped, err := g.shape()
	if err != nil {
		return nil, err
	}
	g.swagger = g.shapeEvidence()
	inherited := g.inherit(g.swagger, shaped)
	g.proposals = append(inherited, slices.DeleteFunc(propose(shaped, experience, g.idsInExamples(shaped)),
		func(p proposal) bool { return known[p.property] || slices.ContainsFunc(inherited, p.isAbout) })...)
	if shaped, err = g.shape(); err != nil {
		return nil, err
	}
	// An object that is a secret as a whole has no properties any more.
	has := map[string]bool{}
	for _, v := range shaped {
		for _, t := range v.Types {
			has[naming.Common(t.Name)] = true
		}
	}
	g.proposals = slices.DeleteFunc(g.proposals, func(p proposal) bool {
		of, _, _ := strings.Cut(p.property, ".")
		return !has[of]
	})
	return shaped, nil
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
	for _, p := range c.proposals {
		if !p.safe {
			fmt.Fprintf(w, "  decide in %s/group.yaml: is %s a %s? (%s)\n", c.Group, p.property, p.Name, p.Why)
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

// count returns a number with its noun, and the verb where that follows.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
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
		if long := tooLong(t); c.isNew && long != "" {
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
