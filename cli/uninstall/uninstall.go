// Package uninstall is the command armature uninstall, which says what stays in Azure when
// the objects of a cluster go, and then deletes the objects.
package uninstall

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/util/flowcontrol"

	"github.com/armature-dev/armature/cli/cluster"
	"github.com/armature-dev/armature/cli/program"
	"github.com/armature-dev/armature/internal/progress"
	"github.com/armature-dev/armature/runtime/annotation"
)

// What is to become of resources in Azure.
const (
	keep   = "keep"
	remove = "delete"
)

// manager is the name of the command as a manager of fields.
const manager = "armature-uninstall"

// tries is how often an object is read again that somebody else writes meanwhile.
const tries = 20

// uninstalling is a run of the command.
type uninstalling struct {
	*cluster.Cluster
	groups, kinds []string // API groups that are Armature's, and the kinds whose objects go
	namespaces    map[string]*metav1.PartialObjectMetadata
	azure         string // keep, delete, or "" to say only what would happen
	timeout, poll time.Duration
	out           io.Writer
	progress      progress.Progress
	limiter       flowcontrol.RateLimiter
}

// New returns the command. groups has the API groups whose kinds are Armature's even without
// the label of a release.
func New(groups []string) *cobra.Command {
	u := &uninstalling{groups: groups, poll: 2 * time.Second}
	var of cluster.Flags
	var rate float32
	c := &cobra.Command{
		Use:   "uninstall",
		Short: "Say what stays in Azure, and delete the objects of a cluster",
		Long: `Say what stays in Azure when the objects of the cluster go, and delete the objects: the first step of removing Armature.

Without --azure it only says that. With --azure=keep all resources stay: it sets the annotation armature.dev/deletion=detach on each object
before it deletes any. With --azure=delete the operator deletes the resources, except for those of objects whose policy says
that they stay. A resource group takes along all that is in it, whoever made that.

It waits until the objects are gone, which takes the operator, the webhook, and the credentials; do not remove these before.
What does not go it names with the reason. It may be stopped at any time: run it again. It deletes neither CRDs nor the
operator nor the webhook; when it has ended, it says how. A policy denies the deletion of a CRD. When the objects of the CRDs are
gone, it sets the annotation armature.dev/deletion=delete on these, which permits it.

It changes nothing if an object is protected, by its own annotation armature.dev/deletion or that of its namespace, and names it.

The caller needs the rights get, list, patch and delete for the kinds in the whole cluster, list for namespaces, and patch for
CRDs.

The status is 0 if all is done, 1 if it could not begin or was stopped, and 2 if something is left.`,
		Example: `  armature uninstall
  armature uninstall --azure keep
  armature uninstall --azure delete --kinds Redis,'Virtual*' --timeout 2h`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !slices.Contains([]string{"", keep, remove}, u.azure) {
				return fmt.Errorf("--azure: found %q, expected %s or %s", u.azure, keep, remove)
			}
			if rate <= 0 {
				return fmt.Errorf("--rate: found %v, expected a number above 0", rate)
			}
			var err error
			if u.Cluster, err = of.Cluster(); err != nil {
				return err
			}
			u.out, u.progress = cmd.OutOrStdout(), progress.New(cmd.ErrOrStderr())
			u.limiter = flowcontrol.NewTokenBucketRateLimiter(rate, max(1, int(rate)))
			return u.run(cmd.Context())
		},
	}
	flags := c.Flags()
	of.AddTo(c)
	flags.StringVar(&u.azure, "azure", "", "`WHAT` becomes of the resources: keep or delete; default: only say what would happen")
	flags.StringSliceVar(&u.kinds, "kinds", nil, "`NAMES` of kinds, as for kubectl, or patterns such as Redis*; default: all")
	flags.Float32Var(&rate, "rate", 50, "`NUMBER` of objects to write or delete in a second")
	flags.DurationVar(&u.timeout, "timeout", time.Hour, "`TIME` to wait for the objects to be gone")
	return c
}

// kind is a kind whose objects go.
type kind struct {
	crd *apiextensionsv1.CustomResourceDefinition
	// resource is at an API version that clients use, as that of kubectl would be.
	resource schema.GroupVersionResource
	counts
	// protected has the names of the objects that are protected, each with that of the CRD.
	protected []string
	mutex     sync.Mutex // of protected
}

// counts are numbers of objects.
type counts struct {
	// stay have a policy by which their resource stays, unsent were never sent to ARM, and goes
	// has the others.
	stay, unsent, goes atomic.Int64
}

func (c *counts) all() int64 { return c.stay.Load() + c.unsent.Load() + c.goes.Load() }

// newKind returns the kind of a CRD at the first API version that it serves.
func newKind(crd *apiextensionsv1.CustomResourceDefinition) (*kind, error) {
	resource, found := cluster.Resource(crd)
	if !found {
		return nil, fmt.Errorf("%s serves no API version", crd.Name)
	}
	return &kind{crd: crd, resource: resource}, nil
}

// run says what stays, and does what was chosen.
func (u *uninstalling) run(ctx context.Context) error {
	crds, err := u.Installed(ctx, u.groups, u.kinds)
	if err != nil {
		return err
	}
	if err := u.readNamespaces(ctx); err != nil {
		return err
	}
	var kinds []*kind
	rights := []cluster.Right{{Verb: "patch", Group: apiextensionsv1.GroupName, Resource: "customresourcedefinitions"}}
	for _, crd := range crds {
		k, err := newKind(crd)
		if err != nil {
			return err
		}
		kinds = append(kinds, k)
		for _, verb := range []string{"get", "list", "patch", "delete"} {
			rights = append(rights, cluster.Right{Verb: verb, Group: crd.Spec.Group, Resource: crd.Spec.Names.Plural})
		}
	}
	if err := u.say(ctx, kinds); err != nil || u.azure == "" {
		return err
	}
	if err := u.Require(ctx, rights); err != nil {
		return err
	}
	if err := protected(kinds); err != nil {
		return err
	}
	// All are detached before the first is deleted: the garbage collector deletes what an object owns.
	if u.azure == keep {
		if err := u.each(ctx, kinds, "detached", u.detach); err != nil {
			return err
		}
	}
	if err := u.each(ctx, kinds, "asked to go", u.delete); err != nil {
		return err
	}
	if err := u.wait(ctx, kinds); err != nil {
		return err
	}
	if err := u.permit(ctx, kinds); err != nil {
		return err
	}
	u.sayNext(kinds)
	return nil
}

// readNamespaces reads the namespaces, whose annotations are the default and the limit of their objects.
func (u *uninstalling) readNamespaces(ctx context.Context) error {
	list, err := u.Metadata.Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}).List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("cannot list the namespaces: %w", err)
	}
	u.namespaces = map[string]*metav1.PartialObjectMetadata{}
	for _, namespace := range list.Items {
		u.namespaces[namespace.Name] = &namespace
	}
	return nil
}

// protected returns an error that names the objects that are protected, if there are any.
func protected(kinds []*kind) error {
	var names []string
	for _, k := range kinds {
		names = append(names, k.protected...)
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	more := ""
	if n := len(names) - explained; n > 0 {
		names, more = names[:explained], fmt.Sprintf("\nand %d more", n)
	}
	return fmt.Errorf("nothing is deleted while these objects are protected:\n%s%s\n"+
		"set the annotation %s of each, or of its namespace, to %s or %s first", strings.Join(names, "\n"), more,
		annotation.Deletion, annotation.DeletionDetach, annotation.DeletionDelete)
}

// permit lets the CRDs be deleted, whose objects are gone.
func (u *uninstalling) permit(ctx context.Context, kinds []*kind) error {
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{
		"annotations": map[string]string{annotation.Deletion: annotation.DeletionDelete}}})
	if err != nil {
		return err
	}
	for _, k := range kinds {
		err := cluster.Patiently(ctx, u.timeout, func() error {
			_, err := u.CRDs.Patch(ctx, k.crd.Name, types.MergePatchType, patch, metav1.PatchOptions{FieldManager: manager})
			return err
		})
		if err != nil && !apierrors.IsNotFound(err) {
			return fmt.Errorf("all objects are gone, and the CRD %s does not get the annotation with which it may be deleted: %w",
				k.crd.Name, err)
		}
	}
	return nil
}

// sayNext says how the rest is removed. If not all kinds were chosen, nothing is known of the others.
func (u *uninstalling) sayNext(kinds []*kind) {
	if len(u.kinds) == 0 {
		fmt.Fprint(u.out, `All objects are gone. Next:
  kubectl delete crd -l app.kubernetes.io/part-of=armature
and then the rest of the groups, the operator and the webhook, as they were installed (docs/install-operator.md).
`)
		return
	}
	names := ""
	for _, k := range kinds {
		names += " " + k.crd.Name
	}
	fmt.Fprintf(u.out, "All objects of these kinds are gone; those of other kinds were not looked at. Next:\n"+
		"  kubectl delete crd%s\n", names)
}

// say prints for each kind with objects what becomes of their resources in Azure.
func (u *uninstalling) say(ctx context.Context, kinds []*kind) error {
	table := tabwriter.NewWriter(u.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "KIND\tOBJECTS\tSTAY IN AZURE\tDELETED IN AZURE\tNOT SENT TO AZURE")
	line := func(name string, stay, goes, unsent int64) {
		if u.azure == keep {
			stay, goes = stay+goes, 0
		}
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\n", name, stay+goes+unsent, stay, goes, unsent)
	}
	var stay, goes, unsent int64
	for _, k := range kinds {
		walk := &cluster.Walk{Resource: u.Metadata.Resource(k.resource), Patience: u.timeout}
		state := func() string { return k.crd.Name + " " + progress.Bar(walk.Progress()) }
		err := u.progress.During(state, func() error {
			return walk.Run(ctx, func(object *metav1.PartialObjectMetadata) error { u.count(k, object); return nil })
		})
		if err != nil {
			return fmt.Errorf("%s: %w", k.crd.Name, err)
		}
		if k.all() > 0 {
			line(k.crd.Name, k.stay.Load(), k.goes.Load(), k.unsent.Load())
		}
		stay, goes, unsent = stay+k.stay.Load(), goes+k.goes.Load(), unsent+k.unsent.Load()
	}
	line("all", stay, goes, unsent)
	if err := table.Flush(); err != nil {
		return err
	}
	if u.azure == "" {
		fmt.Fprintln(u.out, "nothing was changed: --azure=keep lets all resources stay, "+
			"and --azure=delete deletes those in the column DELETED IN AZURE")
		if err := protected(kinds); err != nil {
			fmt.Fprintln(u.out, err)
		}
	}
	return nil
}

// count counts an object by what becomes of its resource.
func (u *uninstalling) count(k *kind, object *metav1.PartialObjectMetadata) {
	switch {
	case object.Annotations[annotation.Sent] == "":
		k.unsent.Add(1)
	case u.stays(object):
		k.stay.Add(1)
	default:
		k.goes.Add(1)
	}
	if u.says(annotation.Deletion, object, annotation.DeletionProtect) {
		k.mutex.Lock()
		defer k.mutex.Unlock()
		k.protected = append(k.protected, k.crd.Name+" "+cluster.NameOf(object))
	}
}

// says reports whether an object or its namespace has a value of an annotation.
func (u *uninstalling) says(name string, object *metav1.PartialObjectMetadata, value string) bool {
	namespace := u.namespaces[object.Namespace]
	return object.Annotations[name] == value || namespace != nil && namespace.Annotations[name] == value
}

// stays reports whether the annotations of an object and of its namespace let its resource stay. A namespace permits
// nothing less strict than what it says.
func (u *uninstalling) stays(object *metav1.PartialObjectMetadata) bool {
	if u.says(annotation.Adopt, object, annotation.AdoptObserve) || u.says(annotation.Deletion, object, annotation.DeletionDetach) ||
		u.says(annotation.Deletion, object, annotation.DeletionProtect) {
		return true
	}
	var sent struct{ Adopted bool }
	_ = json.Unmarshal([]byte(object.Annotations[annotation.Sent]), &sent) // of a record that is none, nothing is known
	return sent.Adopted && !u.says(annotation.Deletion, object, annotation.DeletionDelete)
}

// each calls do for all objects of all kinds. Its error names those for which it failed.
func (u *uninstalling) each(ctx context.Context, kinds []*kind, done string,
	do func(context.Context, metadata.ResourceInterface, *metav1.PartialObjectMetadata) error) error {
	var errs []error
	for _, k := range kinds { // also those that had no objects before
		objects := u.Metadata.Resource(k.resource)
		walk := &cluster.Walk{Resource: objects, Patience: u.timeout}
		state := func() string { return k.crd.Name + " " + progress.Bar(walk.Progress()) + " " + done }
		err := u.progress.During(state, func() error {
			return walk.Run(ctx, func(object *metav1.PartialObjectMetadata) error {
				return u.repeat(ctx, objects.Namespace(object.Namespace), object, do)
			})
		})
		if ctx.Err() != nil {
			return fmt.Errorf("stopped: %w; run it again, and it goes on with what is left", context.Cause(ctx))
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", k.crd.Name, err))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("%w\nnothing more was done: not all objects are %s", err, done)
	}
	return nil
}

// repeat calls do for an object, and again if somebody else writes the object meanwhile. One
// that is gone is done.
func (u *uninstalling) repeat(ctx context.Context, objects metadata.ResourceInterface, object *metav1.PartialObjectMetadata,
	do func(context.Context, metadata.ResourceInterface, *metav1.PartialObjectMetadata) error) error {
	for range tries {
		if err := u.limiter.Wait(ctx); err != nil {
			return err
		}
		err := cluster.Patiently(ctx, u.timeout, func() error { return do(ctx, objects, object) })
		if apierrors.IsConflict(err) {
			object, err = objects.Get(ctx, object.Name, metav1.GetOptions{})
			if err == nil {
				continue
			}
		}
		if apierrors.IsNotFound(err) {
			return nil
		}
		return err
	}
	return errors.New("somebody else writes it all the time")
}

// detach sets the policy by which the resource of an object stays, unless it has such a one.
func (u *uninstalling) detach(ctx context.Context, objects metadata.ResourceInterface, object *metav1.PartialObjectMetadata) error {
	if u.stays(object) {
		return nil
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{
		"resourceVersion": object.ResourceVersion,
		"annotations":     map[string]string{annotation.Deletion: annotation.DeletionDetach}}})
	if err != nil {
		return err
	}
	patched, err := objects.Patch(ctx, object.Name, types.MergePatchType, patch, metav1.PatchOptions{FieldManager: manager})
	if err == nil {
		*object = *patched
	}
	return err
}

// delete deletes an object as it was read. If resources are to stay, its policy says so in
// what was read: it may have come after the others were detached.
func (u *uninstalling) delete(ctx context.Context, objects metadata.ResourceInterface, object *metav1.PartialObjectMetadata) error {
	if object.DeletionTimestamp != nil {
		return nil
	}
	if u.azure == keep {
		if err := u.detach(ctx, objects, object); err != nil {
			return err
		}
	}
	return objects.Delete(ctx, object.Name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{
		UID: &object.UID, ResourceVersion: &object.ResourceVersion}})
}

// wait waits until all objects are gone. If some do not go in time, it names them.
func (u *uninstalling) wait(ctx context.Context, kinds []*kind) error {
	total, left := int64(0), atomic.Int64{}
	for _, k := range kinds {
		total += k.all()
	}
	left.Store(total)
	begin := time.Now()
	state := func() string {
		gone := total - min(total, left.Load())
		return fmt.Sprintf("%s gone, for %v", progress.Bar(int(gone), int(total)), time.Since(begin).Round(time.Second))
	}
	err := u.progress.During(state, func() error {
		for {
			n := int64(0)
			for _, k := range kinds {
				rest, err := u.rest(ctx, k)
				if err != nil {
					return err
				}
				n += rest
			}
			if left.Store(n); n == 0 || time.Since(begin) > u.timeout {
				return nil
			}
			if err := cluster.Sleep(ctx, u.poll); err != nil {
				return fmt.Errorf("stopped: %w; the objects go on to be deleted; run it again to wait for them", err)
			}
		}
	})
	if err != nil || left.Load() == 0 {
		return err
	}
	fmt.Fprintf(u.out, "%d objects are not gone after %v; docs/conditions.md says what to do about the reasons\n", left.Load(), u.timeout)
	for _, k := range kinds {
		if err := u.explain(ctx, k); err != nil {
			return err
		}
	}
	return program.ErrLook
}

// rest returns how many objects of a kind there are.
func (u *uninstalling) rest(ctx context.Context, k *kind) (n int64, err error) {
	err = cluster.Patiently(ctx, u.timeout, func() error {
		list, err := u.Metadata.Resource(k.resource).List(ctx, metav1.ListOptions{Limit: 1})
		if err != nil {
			return err
		}
		n = int64(len(list.Items))
		if list.RemainingItemCount != nil {
			n += *list.RemainingItemCount
		}
		return nil
	})
	return n, err
}

// explained is how many objects of a kind are named that do not go.
const explained = 10

// explain prints why objects of a kind do not go.
func (u *uninstalling) explain(ctx context.Context, k *kind) error {
	list, err := u.Objects.Resource(k.resource).List(ctx, metav1.ListOptions{Limit: explained})
	if err != nil {
		return err
	}
	for _, object := range list.Items {
		fmt.Fprintf(u.out, "%s %s: %s\n", k.crd.Name, cluster.NameOf(&object), why(&object))
	}
	return nil
}

// why returns what the condition Ready of an object says.
func why(object *unstructured.Unstructured) string {
	conditions, _, _ := unstructured.NestedSlice(object.Object, "status", "conditions")
	for _, c := range conditions {
		if condition, is := c.(map[string]any); is && condition["type"] == "Ready" {
			return fmt.Sprintf("%v: %v", condition["reason"], condition["message"])
		}
	}
	return "it has the finalizers " + strings.Join(object.GetFinalizers(), ", ")
}
