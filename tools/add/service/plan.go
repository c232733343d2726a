package service

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/lock"
	"github.com/armature-dev/armature/generator/plan/planner"
	"github.com/armature-dev/armature/generator/renames"
	"github.com/armature-dev/armature/generator/transform"
)

// planned is the plan of a group, and what is written of it.
type planned struct {
	*decided
	*draft
	// untypings are for kinds whose CRDs are large.
	untypings []crd.Untyping
	// changes are proposed: what disappears from one version to another.
	changes []config.Change
	// outputs is the number of outputs that are proposed.
	outputs int
}

// draft is a group.yaml, and what follows from it.
type draft struct {
	yaml   []byte
	config *config.Group
	// lock has the names that it keeps, packages the plan, and versions the shaped form of all versions.
	lock     *lock.Lock
	packages []*plan.Package
	versions []*ir.Version
}

// makePlan plans a group. before has the shaped form of the versions that it had.
func makePlan(d *decided, before []*ir.Version) (*planned, error) {
	if d.inTree {
		draft, err := d.draft(d.text, d.shaped, d.locked)
		return &planned{decided: d, draft: draft}, err
	}
	outputs, asked := outputEntries(before, d.shaped, d.base.Outputs)
	draft, untypings, err := d.firstDraft(outputs)
	if err != nil {
		return nil, err
	}
	changes, err := renames.Propose(draft.packages, draft.versions, draft.config)
	if err != nil {
		return nil, err
	}
	if len(changes) > 0 {
		text, err := addChanges(draft.config, draft.yaml, changes)
		if err != nil {
			return nil, err
		}
		if draft, err = d.draft(text, draft.versions, draft.lock); err != nil {
			return nil, err
		}
	}
	return &planned{decided: d, draft: draft, untypings: untypings, changes: changes, outputs: asked}, nil
}

// firstDraft returns the draft without changes: of a new group with what must be untyped, and of an existing one with
// what its group.yaml does not have yet.
func (d *decided) firstDraft(outputs string) (*draft, []crd.Untyping, error) {
	if !d.isNew() {
		renamed := renamedTypes(d.shaped, d.added, d.decisions.Changes)
		text, err := extend(d.decisions, d.text, d.own, d.proposals, outputs, renamed)
		if err != nil {
			return nil, nil, err
		}
		draft, err := d.draft(text, d.shaped, d.locked)
		return draft, nil, err
	}
	draft, err := d.draft(d.newYAML(nil, outputs), d.shaped, d.locked)
	if err != nil {
		return nil, nil, err
	}
	untypings, shaped, err := d.untype(draft)
	if err == nil && len(untypings) > 0 {
		draft, err = d.draft(d.newYAML(untypings, outputs), shaped, draft.lock)
	}
	return draft, untypings, err
}

// draft returns what follows from a group.yaml. The names are those that the lock can keep: a property has one name at
// all versions. shaped has the shaped form of the versions with the names of a lock.
func (d *decided) draft(yaml []byte, shaped []*ir.Version, locked *lock.Lock) (*draft, error) {
	decisions, err := config.Parse(d.dir()+"/group.yaml", yaml)
	if err != nil {
		return nil, err
	}
	for {
		packages, err := d.plan(decisions, shaped)
		if err != nil {
			return nil, err
		}
		next := *locked
		next.Names = lock.New(packages, nil, locked).Names
		if reflect.DeepEqual(next.Names, locked.Names) {
			return &draft{yaml: yaml, config: decisions, lock: locked, packages: packages, versions: shaped}, nil
		}
		locked = &next
		if shaped, err = d.shape(d.load(decisions.Load(), nil, locked.Names)); err != nil {
			return nil, err
		}
	}
}

// plan returns the plan of some versions.
func (g *group) plan(decisions *config.Group, shaped []*ir.Version) ([]*plan.Package, error) {
	var versions []*ir.Version
	for _, v := range shaped {
		versions = append(versions, transform.API(v))
	}
	var errs diag.List
	errs.Merge(config.CheckUsed(decisions, shaped))
	packages, err := planner.Build(planner.Options{
		Group:        g.apiGroup,
		Provider:     g.provider,
		ImportPrefix: g.importPath + "/",
		Dir:          g.dir(),
		Patterns:     naming.Default,
		Config:       decisions,
		Versions:     versions,
	})
	errs.Merge(err)
	return packages, errs.Err()
}

// untype proposes untyped properties for the kinds whose CRDs are large, and returns the shaped form of all versions
// with those that a CRD cannot do without.
func (d *decided) untype(of *draft) (untypings []crd.Untyping, shaped []*ir.Version, err error) {
	shaped = of.versions
	found, err := crd.Untypings(shaped, of.packages, lock.New(of.packages, nil, &lock.Lock{}), noMeta)
	if err != nil {
		return nil, nil, err
	}
	for _, u := range found {
		marked, _ := marks(nil, untypedBy(append(untypings, u)))
		with, err := d.shape(d.load(of.config.Load(), marked, of.lock.Names))
		if err != nil { // a secret in it that only responses have
			continue
		}
		untypings, shaped = append(untypings, u), with
	}
	return untypings, shaped, nil
}

// noMeta is what CRDs have for metadata and conditions where only their size or their own schemas count.
var noMeta = crd.Meta{TypeMeta: metav1.TypeMeta{}, Condition: metav1.Condition{}}

// madeByAdd marks the groups that this tool made.
const madeByAdd = "add made this file"

// newYAML returns the group.yaml of a new group, with the proposed outputs. A proposal that is not safe is a comment.
func (d *decided) newYAML(untypings []crd.Untyping, outputs string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# What was decided about %s.\n# %s from the specs; what follows an entry speaks for it.\n", d.provider, madeByAdd)
	if d.unread {
		b.WriteString(unread)
	}
	b.WriteString("\nexports:\n")
	for _, t := range d.types() {
		fmt.Fprintf(&b, "  %s: {kind: %s", t, d.kinds[t])
		if p := plural(d.kinds[t]); p != "" {
			fmt.Fprintf(&b, ", plural: %s", p)
		}
		b.WriteString("}\n")
	}
	marked, open := marks(d.proposals, untypedBy(untypings))
	switch {
	case len(marked) > 0:
		b.WriteString("\nproperties:\n")
	case open != "":
		b.WriteString("\n#properties:\n")
	}
	for _, property := range slices.Sorted(maps.Keys(marked)) {
		b.WriteString(config.Line(property, marked[property]))
	}
	b.WriteString(open)
	if outputs != "" {
		b.WriteString("\n" + outputQuestion + "#outputs:\n" + outputs)
	}
	return []byte(b.String())
}

// removalQuestion precedes the changes that add proposes.
const removalQuestion = "# Read both specs, and move each to changes: as removed, renamed or moved.\n"

// addChanges adds changes to the proposed changes of a group.yaml.
func addChanges(decisions *config.Group, text []byte, changes []config.Change) ([]byte, error) {
	y, err := readYAML(decisions.File, text)
	if err != nil {
		return nil, err
	}
	var lines strings.Builder
	if !y.has("proposedChanges") {
		lines.WriteString(removalQuestion + "proposedChanges:\n")
	}
	for _, r := range changes {
		fmt.Fprintf(&lines, "  - %s\n", r.Entry())
	}
	y.insert("proposedChanges", lines.String(), func(int, string) bool { return true })
	return y.text(), nil
}

// extend adds proposals to a group.yaml, in which own are the marks that are made anew: marks in the order of the
// properties, questions below the last property, outputs below the last output, and renames in the order of the
// versions.
func extend(decisions *config.Group, text []byte, own map[string][]config.Mark, proposals []proposal, outputs string,
	renames []typeRename) ([]byte, error) {
	y, err := readYAML(decisions.File, text)
	if err != nil {
		return nil, err
	}
	marked, open := marks(proposals, nil)
	all := maps.Clone(marked)
	for property := range own {
		all[property] = marked[property]
	}
	for _, property := range slices.Sorted(maps.Keys(all)) {
		if e, found := y.entry("properties", property); found {
			y.mark(e, without(decisions.Properties[property], own[property]), marked[property])
			continue
		}
		y.insert("properties", config.Line(property, marked[property]), func(_ int, other string) bool { return other < property })
	}
	always := func(int, string) bool { return true }
	if open != "" && !y.has("properties") {
		open = "#properties:\n" + open
	}
	y.insert("properties", open, always)
	y.dropEmpty("properties")
	if outputs != "" && !y.has("outputs") {
		outputs = "#outputs:\n" + outputs
	}
	if outputs != "" {
		y.insert("outputs", outputQuestion+outputs, always)
	}
	for _, r := range renames {
		y.insert("changes", r.entry(), func(i int, _ string) bool {
			return naming.CompareVersions(decisions.Changes[i].Since, r.since) <= 0
		})
	}
	return y.text(), nil
}
