package status

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/armature-dev/armature/cli/cluster"
	"github.com/armature-dev/armature/cli/program"
	"github.com/armature-dev/armature/runtime/annotation"
)

// looking says what objects wait for.
type looking struct {
	selection
	*cluster.Cluster
	out    io.Writer
	format program.Format
	now    func() time.Time
	// namespaces has the annotations of the namespaces that the caller may read.
	namespaces map[string]map[string]string
}

// New returns the command status.
func New(groups []string) *cobra.Command {
	l := &looking{selection: selection{groups: groups}, now: time.Now}
	var of cluster.Flags
	c := &cobra.Command{
		Use:   "status [KIND [NAME...]]",
		Short: "Say what objects wait for",
		Long: `Say what the objects of a namespace wait for, as a tree of owners: whether each is ready and why not, what has drifted,
what it refers to, which annotations apply to it and from where, when ARM was sent something, and what comes next.

It reads the cluster alone, and asks ARM nothing. The caller needs the right list for the kinds, and get for namespaces to
see what these say. With a kind or names it shows these objects, each with what it belongs to and what belongs to it.

The status is 0 if all are ready, and 2 if some are not.`,
		Example: `  armature status
  armature status redis sessions
  armature status --all -o json`,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if err := l.arguments(args); err != nil {
				return err
			}
			if l.Cluster, err = of.Cluster(); err != nil {
				return err
			}
			l.out = cmd.OutOrStdout()
			return l.run(cmd.Context())
		},
	}
	l.addTo(c)
	l.format.AddTo(c)
	of.AddTo(c)
	return c
}

// report is what is said of an object.
type report struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Ready     string `json:"ready"`
	Reason    string `json:"reason,omitempty"`
	Message   string `json:"message,omitempty"`
	// Since is since when Ready is what it is.
	Since *metav1.Time `json:"since,omitempty"`
	// Drifted is what somebody else has changed in ARM.
	Drifted string `json:"drifted,omitempty"`
	ID      string `json:"id,omitempty"`
	// Sent is when the last PUT was sent, and Phase how far it has come.
	Sent  *metav1.Time `json:"sent,omitempty"`
	Phase string       `json:"phase,omitempty"`
	// Refers are the objects that the Spec refers to.
	Refers []string `json:"refersTo,omitempty"`
	// Applies are the annotations that apply, with where they are.
	Applies []string `json:"applies,omitempty"`
	Next    string   `json:"next"`
	// Children are the objects that belong to it.
	Children []*report `json:"children,omitempty"`

	parent   *report
	selected bool
}

func (l *looking) run(ctx context.Context) error {
	of := l.selection
	of.kind = "" // owners are of other kinds
	kinds, err := of.kinds(ctx, l.Cluster)
	if err != nil {
		return err
	}
	chosen, err := l.kinds(ctx, l.Cluster)
	if err != nil {
		return err
	}
	byUID, owners, found := map[types.UID]*report{}, map[*report][]metav1.OwnerReference{}, map[string]bool{}
	var all []*report
	for _, k := range kinds {
		isChosen := slices.ContainsFunc(chosen, func(c kind) bool { return c.crd.Name == k.crd.Name })
		objects, err := l.list(ctx, l.Cluster, k)
		if err != nil {
			return err
		}
		for _, o := range objects {
			r := l.report(ctx, o)
			if r.selected = isChosen && l.has(o.Name); r.selected {
				found[o.Name] = true
			}
			byUID[o.UID], owners[r] = r, o.OwnerReferences
			all = append(all, r)
		}
	}
	if err := l.missing(found); err != nil {
		return err
	}
	for _, r := range all {
		for _, o := range owners[r] {
			if parent := byUID[o.UID]; parent != nil && r.parent == nil && !isBelow(parent, r) {
				r.parent = parent
				parent.Children = append(parent.Children, r)
			}
		}
	}
	roots, waits := l.roots(all)
	err = l.format.Print(l.out, roots, func(out io.Writer) error {
		for _, r := range roots {
			if err := l.print(out, r, "", ""); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || waits == 0 {
		return err
	}
	return program.ErrLook
}

// isBelow reports whether an object belongs to another one.
func isBelow(r, to *report) bool {
	for ; r != nil; r = r.parent {
		if r == to {
			return true
		}
	}
	return false
}

// roots returns the objects that belong to no other, with what is selected below them, and how many that are shown are
// not ready.
func (l *looking) roots(all []*report) (roots []*report, waits int) {
	var keep func(r *report, above bool) bool
	keep = func(r *report, above bool) bool {
		isKept := above || r.selected
		r.Children = slices.DeleteFunc(r.Children, func(c *report) bool { return !keep(c, isKept) })
		if isKept = isKept || len(r.Children) > 0; isKept && r.Ready != "True" {
			waits++
		}
		return isKept
	}
	for _, r := range all {
		if r.parent == nil && keep(r, false) {
			roots = append(roots, r)
		}
	}
	return roots, waits
}

// report says what there is to say of an object.
func (l *looking) report(ctx context.Context, o *object) *report {
	r := &report{Kind: o.Kind, Namespace: o.Namespace, Name: o.Name, Ready: "Unknown", Refers: o.references(),
		Applies: l.applies(ctx, o)}
	if s := o.record(); s.ID != "" {
		r.ID, r.Phase = s.ID, s.Phase
		if !s.Time.IsZero() {
			r.Sent = &metav1.Time{Time: s.Time}
		}
	}
	if c := o.condition("Drifted"); c != nil && c.Status == metav1.ConditionTrue {
		r.Drifted = c.Message
	}
	ready := o.condition("Ready")
	switch {
	case ready == nil || ready.ObservedGeneration != o.Generation && ready.Status == metav1.ConditionTrue:
		r.Next = "the operator has not seen it as it is now"
		return r
	case ready.Status == metav1.ConditionTrue:
		r.Next = "ARM is asked again within the operator's --refresh, by default an hour"
	case o.condition("Stalled") != nil:
		r.Next = "somebody has to change something"
	default:
		r.Next = "the operator tries again, or goes on when what it waits for is there"
	}
	r.Ready, r.Reason, r.Since = string(ready.Status), ready.Reason, &ready.LastTransitionTime
	if ready.Status != metav1.ConditionTrue {
		r.Message = ready.Message
	}
	if o.DeletionTimestamp != nil {
		r.Next = "it is being deleted; " + r.Next
	}
	return r
}

// applies returns the annotations that apply to an object, and where they are.
func (l *looking) applies(ctx context.Context, o *object) (all []string) {
	for _, name := range []string{annotation.Adopt, annotation.Deletion, annotation.Drift, annotation.Scopes} {
		value, where := o.Annotations[name], ""
		if value == "" || name == annotation.Scopes {
			value, where = l.ofNamespace(ctx, o.Namespace)[name], " of the namespace"
		}
		if value != "" {
			all = append(all, name+": "+value+where)
		}
	}
	for _, name := range []string{annotation.Ignore, annotation.APIVersion, annotation.CredentialFrom, annotation.AuxiliaryCredentialFrom} {
		if value := o.Annotations[name]; value != "" {
			all = append(all, name+": "+value)
		}
	}
	if credential := o.record().Credential; credential != "" && o.Annotations[annotation.CredentialFrom] == "" {
		all = append(all, "credential: Secret "+credential)
	}
	return all
}

// ofNamespace returns the annotations of a namespace, none if the caller may not read it.
func (l *looking) ofNamespace(ctx context.Context, name string) map[string]string {
	if known, found := l.namespaces[name]; found {
		return known
	}
	if l.namespaces == nil {
		l.namespaces = map[string]map[string]string{}
	}
	l.namespaces[name] = nil
	if n, err := l.Metadata.Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}).Get(
		ctx, name, metav1.GetOptions{}); err == nil {
		l.namespaces[name] = n.Annotations
	}
	return l.namespaces[name]
}

// print prints an object with what belongs to it.
func (l *looking) print(out io.Writer, r *report, first, rest string) error {
	line := fmt.Sprintf("%s%s %s/%s  Ready=%s", first, r.Kind, r.Namespace, r.Name, r.Ready)
	if r.Reason != "" && r.Ready != "True" {
		line += " " + r.Reason
	}
	if r.Since != nil {
		line += " for " + duration.HumanDuration(l.now().Sub(r.Since.Time))
	}
	inner := rest + "│  "
	if len(r.Children) == 0 {
		inner = rest + "   "
	}
	lines := []string{line}
	say := func(name, text string) {
		if text != "" {
			lines = append(lines, inner+name+": "+program.Clean(text))
		}
	}
	say("message", r.Message)
	say("drifted", r.Drifted)
	if r.Sent != nil {
		say("sent", duration.HumanDuration(l.now().Sub(r.Sent.Time))+" ago, "+r.Phase+", "+r.ID)
	}
	say("refers to", strings.Join(r.Refers, ", "))
	say("applies", strings.Join(r.Applies, ", "))
	if r.Ready != "True" {
		say("next", r.Next)
	}
	if _, err := fmt.Fprintln(out, strings.Join(lines, "\n")); err != nil {
		return err
	}
	for i, c := range r.Children {
		first, next := rest+"├─ ", rest+"│  "
		if i == len(r.Children)-1 {
			first, next = rest+"└─ ", rest+"   "
		}
		if err := l.print(out, c, first, next); err != nil {
			return err
		}
	}
	return nil
}
