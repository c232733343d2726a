// Package importing is the command armature import, which writes manifests of what is in Azure. A package cannot be
// called as a keyword.
package importing

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	azurearm "github.com/Azure/azure-sdk-for-go/sdk/azcore/arm"
	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/armature-dev/armature/cli/azure"
	"github.com/armature-dev/armature/cli/objects"
	"github.com/armature-dev/armature/cli/program"
	"github.com/armature-dev/armature/cli/references"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/reference"
)

// New returns the command, for the kinds of a scheme.
func New(scheme *runtime.Scheme) *cobra.Command {
	i := &importer{scheme: scheme}
	var of azure.Flags
	command := &cobra.Command{
		Use:   "import ARM-ID --out FOLDER [--recursive] [--version VERSION]",
		Short: "Write manifests of resources that Azure has",
		Long: `Write manifests of resources that Azure has: of one resource, or of all in a resource group, with --recursive also of
their children. Each goes into a file of its own. What is imported too is referred to by its name, all else by its ARM id.
A property that has the value of an output of another imported resource, such as the principalId of an identity, takes it from there.

A manifest has the annotation armature.dev/adopt: adopt, with which the operator takes the resource over and changes nothing of it.
If it is not known what a PUT would change, it is observe, with which the operator keeps the Status up to date and sends nothing,
until somebody has settled what the comments of the manifest say: where it needs secrets, which ARM does not show; what ARM has
with another type; and, with --version, what that version cannot hold of what ARM shows at the newest one.

What ARM refuses to list or to show is left out and named, and the status is 2.

A file that is there already is left as it is, so an import that was interrupted goes on where it stopped.

The credential is that of the Azure CLI, or what the environment says.`,
		Example: "  armature import /subscriptions/…/resourceGroups/shop --recursive --out shop",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) (err error) {
			i.progress = c.ErrOrStderr()
			if i.client, err = of.Client(); err != nil {
				return err
			}
			return azure.WithoutToken(i.run(c.Context(), args[0]))
		},
	}
	flags := command.Flags()
	flags.StringVar(&i.folder, "out", "", "folder for the manifests")
	objects.Require(command, "out")
	flags.BoolVar(&i.recursive, "recursive", false, "also the children of resources")
	flags.StringVar(&i.version, "version", "", "version of the manifests, such as v20210401, or ARM's, such "+
		"as 2021-04-01, where a kind has it; by default the newest")
	flags.StringVar(&i.namespace, "namespace", "", "namespace of the manifests")
	of.AddTo(command)
	return command
}

// importer makes manifests of what ARM has.
type importer struct {
	scheme                     *runtime.Scheme
	client                     *client.Client
	folder, version, namespace string
	recursive                  bool
	progress                   io.Writer
	// odd reports whether something was left out, which the progress says.
	odd bool

	kinds  map[armKind]schema.GroupVersionKind          // at the version to import
	newest map[schema.GroupKind]schema.GroupVersionKind // at the newest version
	found  map[string]*found                            // by id in lower case; nil if there is no kind for it
	order  []*found
}

// armKind identifies a kind in ARM, in lower case: the type, and the name if the kind
// has only one.
type armKind struct{ armType, name string }

// found is a resource that ARM has.
type found struct {
	id   *azurearm.ResourceID
	kind schema.GroupVersionKind
	name string // of the object
	// object is what ARM shows, or nil if err says why it does not.
	object  conversion.KubernetesResource
	err     error
	misfits []arm.Misfit
	secrets map[string]string // where the manifest needs them, by place in ARM's answer
}

func (i *importer) run(ctx context.Context, id string) error {
	root, err := azurearm.ParseResourceID(strings.TrimSuffix(id, "/"))
	if err != nil {
		return fmt.Errorf("found %q, expected the ARM id of a resource or a resource group: %w", id, err)
	}
	i.found, i.order = map[string]*found{}, nil
	i.findKinds()
	i.odd = false
	if err := i.discover(ctx, root); err != nil {
		return err
	}
	if len(i.order) == 0 {
		return fmt.Errorf("there is nothing to import below %s: no kind of this program is for what is there", id)
	}
	i.giveNames()
	if err := os.MkdirAll(i.folder, 0o755); err != nil {
		return err
	}
	if err := i.readAll(ctx); err != nil {
		return err
	}
	var errs []error
	for n, f := range i.order {
		file := filepath.Join(i.folder, strings.ToLower(f.kind.Kind)+"-"+f.name+".yaml")
		outcome := "written"
		if _, err := os.Stat(file); err == nil {
			outcome = "was there"
		} else if err := i.write(ctx, f, file); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", f.id, err))
			outcome = "failed"
		}
		fmt.Fprintf(i.progress, "%d/%d %s: %s\n", n+1, len(i.order), file, outcome)
	}
	if err := errors.Join(errs...); len(errs) == len(i.order) {
		return err
	} else if err != nil {
		i.leaveOut("%v", err)
	}
	if i.odd {
		return program.ErrLook
	}
	return nil
}

// leaveOut says that something is left out. The rest is imported.
func (i *importer) leaveOut(format string, args ...any) {
	i.odd = true
	fmt.Fprintf(i.progress, format+"\n", args...)
}

// findKinds chooses the version of each kind.
func (i *importer) findKinds() {
	i.kinds, i.newest = map[armKind]schema.GroupVersionKind{}, map[schema.GroupKind]schema.GroupVersionKind{}
	done := map[schema.GroupKind]bool{}
	for gvk := range i.scheme.AllKnownTypes() {
		if done[gvk.GroupKind()] {
			continue
		}
		done[gvk.GroupKind()] = true
		var best schema.GroupVersionKind
		for _, version := range objects.VersionsOf(i.scheme, gvk.GroupKind()) { // the newest first
			at := gvk.GroupKind().WithVersion(version)
			object, armVersion := objects.ResourceAt(i.scheme, at)
			if object == nil || armVersion == "" {
				continue
			}
			if best.Empty() {
				best, i.newest[gvk.GroupKind()] = at, at
			}
			if version == i.version || armVersion == i.version {
				best = at
				break
			}
		}
		if !best.Empty() {
			r := i.specOf(best).ARMResource()
			i.kinds[armKind{strings.ToLower(r.Type), strings.ToLower(r.FixedName)}] = best
		}
	}
}

func (i *importer) specOf(kind schema.GroupVersionKind) arm.ARMTransformer {
	object, _ := objects.ResourceAt(i.scheme, kind)
	return object.GetSpec().(arm.ARMTransformer)
}

// resourcesVersion is the version of the list of a group's resources.
const resourcesVersion = "2021-04-01"

// discover finds the resources to import, parents first.
func (i *importer) discover(ctx context.Context, id *azurearm.ResourceID) error {
	if strings.EqualFold(id.ResourceType.String(), azurearm.ResourceGroupResourceType.String()) {
		i.add(id)
		all, err := i.list(ctx, id.String()+"/resources", resourcesVersion)
		if err != nil {
			return err
		}
		for _, one := range all {
			if err := i.discoverBelow(ctx, one); err != nil {
				return err
			}
		}
		return nil
	}
	return i.discoverBelow(ctx, id)
}

// discoverBelow finds a resource, and its children. The list of a group has some children too, and a service may list
// what it likes, so each is looked at once.
func (i *importer) discoverBelow(ctx context.Context, id *azurearm.ResourceID) error {
	if _, done := i.found[strings.ToLower(id.String())]; done {
		return nil
	}
	i.add(id)
	if !i.recursive {
		return nil
	}
	own := strings.ToLower(id.ResourceType.String()) + "/"
	var kinds []armKind
	for kind := range i.kinds {
		if child, isBelow := strings.CutPrefix(kind.armType, own); isBelow && !strings.Contains(child, "/") {
			kinds = append(kinds, kind)
		}
	}
	slices.SortFunc(kinds, func(a, b armKind) int {
		return cmp.Or(strings.Compare(a.armType, b.armType), strings.Compare(a.name, b.name))
	})
	for _, kind := range kinds {
		r := i.specOf(i.kinds[kind]).ARMResource()
		below := id.String() + r.Type[strings.LastIndex(r.Type, "/"):]
		var children []*azurearm.ResourceID
		var err error
		if r.FixedName != "" {
			children, err = i.exists(ctx, below+"/"+r.FixedName, r.APIVersion)
		} else {
			children, err = i.list(ctx, below, r.APIVersion)
		}
		switch e, ok := client.AsError(err); {
		case err == nil:
		case ok && (e.Status == http.StatusForbidden || mayPass(e)):
			i.leaveOut("%s: ARM does not list it: %s", below, cmp.Or(e.Message, e.Code))
			continue
		case ok && e.Status >= 400 && e.Status < 500 && e.Class != client.Unauthorized:
			fmt.Fprintf(i.progress, "%s: ARM does not list it: %s\n", below, e.Message)
			continue
		default:
			return fmt.Errorf("%s: %w", below, err)
		}
		for _, child := range children {
			if err := i.discoverBelow(ctx, child); err != nil {
				return err
			}
		}
	}
	return nil
}

// add notes a resource, to be imported if there is a kind for it.
func (i *importer) add(id *azurearm.ResourceID) {
	key := strings.ToLower(id.String())
	armType := strings.ToLower(id.ResourceType.String())
	kind, known := i.kinds[armKind{armType, strings.ToLower(id.Name)}]
	if !known {
		kind, known = i.kinds[armKind{armType, ""}]
	}
	if !known {
		i.found[key] = nil
		if id.Parent != nil && !strings.EqualFold(id.ResourceType.String(), azurearm.ResourceGroupResourceType.String()) {
			fmt.Fprintf(i.progress, "%s: skipped, as no kind of this program is for %s\n", id, id.ResourceType)
		}
		return
	}
	f := &found{id: id, kind: kind}
	i.found[key] = f
	i.order = append(i.order, f)
}

// list returns the ids in a list.
func (i *importer) list(ctx context.Context, path, version string) ([]*azurearm.ResourceID, error) {
	var all []json.RawMessage
	err := i.retry(ctx, func() (err error) {
		all, err = i.client.List(ctx, client.Request{ID: path, APIVersion: version})
		return err
	})
	var ids []*azurearm.ResourceID
	for _, one := range all {
		text, _ := arm.IDOf(one)
		id, err := azurearm.ParseResourceID(text)
		if err != nil {
			i.leaveOut("%s: skipped what has no id that is one: %q", path, text)
			continue
		}
		ids = append(ids, id)
	}
	return ids, err
}

// exists returns the id of a resource if there is one.
func (i *importer) exists(ctx context.Context, id, version string) ([]*azurearm.ResourceID, error) {
	err := i.retry(ctx, func() error {
		_, err := i.client.Get(ctx, client.Request{ID: id, APIVersion: version})
		return err
	})
	if e, ok := client.AsError(err); ok && e.Gone() {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	parsed, err := azurearm.ParseResourceID(id)
	return []*azurearm.ResourceID{parsed}, err
}

// tries is how often something is asked that ARM may answer later, and pause how long the
// first wait is.
const tries = 5

var pause = time.Second

// mayPass reports whether ARM may answer later what it refused by an error.
func mayPass(e *client.Error) bool {
	return e.Class == client.Throttled || e.Class == client.Unknown || e.IsBusy() || e.Status >= 500
}

// retry asks again what ARM may answer later.
func (i *importer) retry(ctx context.Context, ask func() error) error {
	for try := 1; ; try++ {
		err := ask()
		e, ok := client.AsError(err)
		if !ok || try == tries || !mayPass(e) {
			return err
		}
		wait := max(e.RetryAfter, time.Duration(try)*pause)
		fmt.Fprintf(i.progress, "waiting %v: %s\n", wait.Round(time.Second), cmp.Or(e.Message, e.Code))
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

var notInName = regexp.MustCompile(`[^a-z0-9]+`)

// giveNames gives each object a name of its kind's own: the resource's, or with
// those of its parents, or with a number. They follow from the ids alone, so that
// an import that goes on gives the same.
func (i *importer) giveNames() {
	taken := map[schema.GroupKind]map[string]bool{}
	sorted := slices.Clone(i.order)
	slices.SortFunc(sorted, func(a, b *found) int { return strings.Compare(a.id.String(), b.id.String()) })
	for _, f := range sorted {
		names := taken[f.kind.GroupKind()]
		if names == nil {
			names = map[string]bool{}
			taken[f.kind.GroupKind()] = names
		}
		name := objectName(f.id.Name)
		for at := f.id.Parent; names[name] && at != nil; at = at.Parent {
			name = objectName(at.Name + "-" + name)
		}
		for n, base := 2, name; names[name]; n++ {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		names[name] = true
		f.name = name
	}
}

// objectName makes a name that Kubernetes permits.
func objectName(name string) string {
	name = strings.Trim(notInName.ReplaceAllString(strings.ToLower(name), "-"), "-")
	if name == "" {
		return "resource"
	}
	return strings.Trim(name[:min(len(name), 200)], "-")
}

// readAll reads all resources, and lets them refer to each other.
func (i *importer) readAll(ctx context.Context) error {
	var all references.Set
	for n, f := range i.order {
		fmt.Fprintf(i.progress, "%d/%d reading %s\n", n+1, len(i.order), f.id)
		f.secrets = map[string]string{}
		if f.object, f.misfits, f.err = i.read(ctx, f, f.kind, f.secrets); f.err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			continue
		}
		i.refer(f, reflect.ValueOf(f.object.GetSpec()).Elem())
		all.Add(f.object)
	}
	return all.Refer()
}

// write writes the manifest of a resource.
func (i *importer) write(ctx context.Context, f *found, file string) error {
	if f.err != nil {
		return f.err
	}
	object, secrets, misfits := f.object, f.secrets, f.misfits
	spec := object.GetSpec()
	var notes strings.Builder
	for _, path := range slices.Sorted(maps.Keys(secrets)) {
		fmt.Fprintf(&notes, "# Put %s of the resource into Secret and key %s.\n", path, secrets[path])
	}
	for _, path := range hidden(reflect.ValueOf(spec), "spec", nil) {
		fmt.Fprintf(&notes, "# ARM does not show %s: if it was set, name a Secret there, {name: %s, key: …}.\n", path, f.name)
	}
	for _, m := range misfits {
		fmt.Fprintf(&notes, "# ARM has %s. It is left out.\n", m)
	}
	notes.WriteString(i.missing(ctx, f))
	adopt, comment := annotation.AdoptAdopt, ""
	if notes.Len() > 0 {
		adopt = annotation.AdoptObserve
		comment = fmt.Sprintf("# Nothing is sent for this (%s: %s), as a PUT may lose what is named here.\n%s"+
			"# Set the annotation to %s when that is settled.\n", annotation.Adopt, adopt, notes.String(), annotation.AdoptAdopt)
		fmt.Fprintf(i.progress, "%s:\n%s", f.id, comment)
	}
	object.SetAnnotations(map[string]string{annotation.Adopt: adopt})
	text, err := objects.ManifestOf(object)
	if err != nil {
		return err
	}
	return writeWhole(file, append([]byte(comment), text...))
}

// read returns an object with what ARM shows of a resource at a version, and what it lacks
// because ARM shows another type, and adds to secrets where it refers to them.
func (i *importer) read(ctx context.Context, f *found, at schema.GroupVersionKind,
	secrets map[string]string) (conversion.KubernetesResource, []arm.Misfit, error) {
	object, _ := objects.ResourceAt(i.scheme, at)
	object.GetObjectKind().SetGroupVersionKind(at)
	object.SetName(f.name)
	object.SetNamespace(i.namespace)
	spec := object.GetSpec().(arm.ARMTransformer)
	var body []byte
	err := i.retry(ctx, func() error {
		answer, err := i.client.Get(ctx, client.Request{ID: f.id.String(), APIVersion: spec.ARMResource().APIVersion})
		if err == nil {
			body = answer.Body
		}
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	decoder := arm.Decoder{KeepSecret: func(path, _ string) (reference.Secret, error) {
		secret := reference.Secret{Name: f.name, Key: strings.Trim(notInKey.ReplaceAllString(path, "-"), "-")}
		secrets[path] = secret.Name + "/" + secret.Key
		return secret, nil
	}}
	ignored, err := decoder.Decode(body, spec)
	if err != nil {
		return object, nil, err
	}
	_, _ = arm.Decode(body, object.GetStatus()) // what it cannot read is no output
	object, err = i.spelled(object)
	return object, ignored.Misfits, err
}

// spelled returns an object with the values of its enums as the spec spells them, as conversions
// do: ARM takes and shows them in any case, and the API server in one. Those of open enums stay as ARM shows them.
func (i *importer) spelled(object conversion.KubernetesResource) (conversion.KubernetesResource, error) {
	hub, err := objects.HubOf(object)
	if err != nil {
		return nil, err
	}
	kind := object.GetObjectKind().GroupVersionKind()
	result, _ := objects.ResourceAt(i.scheme, kind)
	result.GetObjectKind().SetGroupVersionKind(kind)
	if err := objects.Show(hub, result); err != nil {
		return nil, err
	}
	result.SetAnnotations(nil) // of what no version lacks
	return result, nil
}

// missing says what the version to import cannot hold of what ARM shows at the newest one. An
// import does not fail because nobody knows that.
func (i *importer) missing(ctx context.Context, f *found) string {
	newest := i.newest[f.kind.GroupKind()]
	if newest == f.kind {
		return ""
	}
	found, err := i.missingOf(ctx, f, newest)
	if err != nil {
		return fmt.Sprintf("# It is not known what %s cannot hold of %s: %s\n", f.kind.Version, newest.Version,
			strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	var note strings.Builder
	for n, l := range found {
		if n == 0 {
			fmt.Fprintf(&note, "# %s cannot hold these values of %s, and a PUT at it may delete them:\n", f.kind.Version, newest.Version)
		}
		fmt.Fprintf(&note, "#   %s\n", l)
	}
	return note.String()
}

func (i *importer) missingOf(ctx context.Context, f *found, newest schema.GroupVersionKind) ([]objects.Loss, error) {
	object, _, err := i.read(ctx, f, newest, map[string]string{})
	if err != nil {
		return nil, err
	}
	hub, err := objects.HubOf(object)
	if err != nil {
		return nil, err
	}
	manifest, _ := objects.ResourceAt(i.scheme, f.kind)
	manifest.GetObjectKind().SetGroupVersionKind(f.kind)
	return objects.MissingAt(i.scheme, hub, manifest)
}

var notInKey = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)

// refer sets the name and the owner, and gives references to what is imported too
// the names of the objects.
func (i *importer) refer(f *found, spec reflect.Value) {
	owner, isTenant := "", f.id.Parent == nil || f.id.Parent.ResourceType.String() == azurearm.TenantResourceType.String()
	if !isTenant {
		owner = f.id.Parent.String()
	}
	for n := range spec.NumField() {
		switch field := spec.Field(n).Addr().Interface().(type) {
		case **reference.Owner:
			if o := i.object(owner); o != nil {
				*field = &reference.Owner{Name: o.name}
			} else if owner != "" {
				*field = &reference.Owner{ARMID: owner}
			}
		case **reference.AnyOwner:
			if o := i.object(owner); o != nil {
				*field = &reference.AnyOwner{Group: o.kind.Group, Kind: o.kind.Kind, Name: o.name}
			} else if isTenant {
				*field = &reference.AnyOwner{ARMID: "/"}
			} else {
				*field = &reference.AnyOwner{ARMID: owner}
			}
		case **string:
			if spec.Type().Field(n).Name == "AzureName" && f.name != f.id.Name {
				*field = &f.id.Name
			}
		}
	}
	references.Each(spec, func(ref any) {
		if r, is := ref.(*reference.Resource); is {
			if o := i.object(r.ARMID); o != nil {
				*r = reference.Resource{Group: o.kind.Group, Kind: o.kind.Kind, Name: o.name}
			}
		}
	})
}

// object returns what is imported of an id, or nil.
func (i *importer) object(id string) *found {
	return i.found[strings.ToLower(strings.TrimSuffix(id, "/"))]
}

// hidden lists where a value refers to no secret and could: ARM shows none. An element of a list has its place. What
// has no elements hides something only if these are secrets.
func hidden(v reflect.Value, path string, above []reflect.Type) (all []string) {
	t := v.Type()
	switch {
	case t == reflect.TypeFor[reference.Secret]():
		if v.IsZero() {
			return []string{path}
		}
	case t.Kind() == reflect.Pointer:
		if v.IsNil() {
			v = reflect.New(t.Elem())
		}
		return hidden(v.Elem(), path, above)
	case t.Kind() == reflect.Slice || t.Kind() == reflect.Map:
		if v.Len() == 0 && t.Elem() == reflect.TypeFor[reference.Secret]() {
			return []string{path}
		}
		if t.Kind() == reflect.Slice {
			for n := range v.Len() {
				all = append(all, hidden(v.Index(n), fmt.Sprintf("%s[%d]", path, n), above)...)
			}
			return all
		}
		for _, key := range v.MapKeys() {
			all = append(all, hidden(v.MapIndex(key), path+"."+key.String(), above)...)
		}
		slices.Sort(all)
	case t.Kind() == reflect.Struct && !(v.IsZero() && slices.Contains(above, t)):
		for n := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(n).Tag.Get("json"), ",")
			if t.Field(n).IsExported() && name != "" && name != "-" {
				all = append(all, hidden(v.Field(n), path+"."+name, append(slices.Clip(above), t))...)
			}
		}
	}
	return all
}

// writeWhole writes a file completely or not at all.
func writeWhole(file string, text []byte) error {
	if err := os.WriteFile(file+".part", text, 0o644); err != nil {
		return err
	}
	return os.Rename(file+".part", file)
}
