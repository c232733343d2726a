package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	target "github.com/armature-dev/armature/cli/cluster"
	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/diag"
)

// cluster is where a release is installed.
type cluster struct {
	objects  dynamic.Interface
	metadata metadata.Interface
	// resources returns all resources, at the versions that the server prefers.
	resources func() ([]*metav1.APIResourceList, error)
}

func newCluster(config *rest.Config) (*cluster, error) {
	config = rest.CopyConfig(config)
	config.QPS, config.Burst = 50, 100 // it lists every resource
	c, err := target.New(config)
	if err != nil {
		return nil, err
	}
	return &cluster{c.Objects, c.Metadata, c.Discovery.ServerPreferredResources}, nil
}

// ending are the versions of kinds that are served in the cluster, and would not be
// served any longer, with their users. A version is "group/version" there.
type ending struct {
	users  map[schema.GroupVersionKind]map[string][]string // the users by what they use it for
	stored map[schema.GroupResource]string                 // where objects of the kinds are stored
	// newer are those of them that come from a newer release, as the CRDs in the cluster have them.
	newer map[schema.GroupVersionKind]map[string]any
}

// outcome says what becomes of the versions in the cluster that were not chosen.
type outcome struct {
	// stopped are no longer served, by the names of the CRDs.
	stopped map[string][]string
	// kept are in use, and come from a newer release; so the CRDs keep them as the cluster has them.
	kept map[string][]crd.Kept
}

// check returns what becomes of the versions of the installed CRDs that were not chosen. all are the kinds with all
// versions that the release has. If something uses a version that could have been chosen, it returns an error.
func (c *cluster) check(ctx context.Context, chosen, all []*crd.Summary) (outcome, error) {
	e := &ending{users: map[schema.GroupVersionKind]map[string][]string{}, stored: map[schema.GroupResource]string{},
		newer: map[schema.GroupVersionKind]map[string]any{}}
	for i, of := range chosen {
		if err := c.compare(ctx, of, all[i], e); err != nil {
			return outcome{}, err
		}
	}
	if len(e.users) == 0 {
		return outcome{}, nil
	}
	if err := c.readObjects(ctx, e); err != nil {
		return outcome{}, err
	}
	o := outcome{map[string][]string{}, map[string][]crd.Kept{}}
	for _, of := range chosen {
		for gvk, users := range e.users {
			if gvk.Group != of.Group() || gvk.Kind != of.Kind {
				continue
			}
			if version := e.newer[gvk]; version != nil && len(users) > 0 {
				kept := crd.Kept{Name: gvk.Version, Uses: slices.Sorted(maps.Keys(users))}
				var err error
				if kept.Text, err = json.Marshal(version); err != nil {
					return outcome{}, err
				}
				o.kept[of.Name] = append(o.kept[of.Name], kept)
				delete(e.users, gvk)
				continue
			}
			o.stopped[of.Name] = append(o.stopped[of.Name], gvk.Version)
		}
		slices.Sort(o.stopped[of.Name])
		slices.SortFunc(o.kept[of.Name], func(a, b crd.Kept) int { return strings.Compare(a.Name, b.Name) })
	}
	return o, e.err()
}

// compare adds the versions of a CRD of the cluster that were not chosen. has has all versions of the release.
func (c *cluster) compare(ctx context.Context, of, has *crd.Summary, e *ending) error {
	resource := apiextensionsv1.SchemeGroupVersion.WithResource("customresourcedefinitions")
	object, err := c.objects.Resource(resource).Get(ctx, of.Name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	var installed apiextensionsv1.CustomResourceDefinition
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, &installed); err != nil {
		return err
	}
	versions, _, err := unstructured.NestedSlice(object.Object, "spec", "versions")
	if err != nil {
		return err
	}
	for i, v := range installed.Spec.Versions {
		if v.Storage {
			e.stored[schema.GroupResource{Group: of.Group(), Resource: installed.Spec.Names.Plural}] = v.Name
		}
		isStored := slices.Contains(installed.Status.StoredVersions, v.Name)
		isIt := func(w crd.Version) bool { return w.Name == v.Name }
		if slices.ContainsFunc(of.Versions, isIt) || !v.Served && !isStored {
			continue
		}
		gvk := schema.GroupVersionKind{Group: of.Group(), Version: v.Name, Kind: of.Kind}
		e.users[gvk] = map[string][]string{}
		if isNewer(v.Name, has) {
			e.newer[gvk], _ = versions[i].(map[string]any)
		}
		if isStored {
			e.add(gvk.GroupVersion().String(), of.Kind, "status.storedVersions, because objects are stored at it", of.Name)
		}
	}
	return nil
}

// date matches the date in the name of a version.
var date = regexp.MustCompile(`[0-9]{8}`)

// isNewer reports whether a version is newer than all that a release has of a kind.
func isNewer(version string, has *crd.Summary) bool {
	of := date.FindString(version)
	return !slices.ContainsFunc(has.Versions, func(v crd.Version) bool { return date.FindString(v.Name) >= of })
}

// add notes a user of a version, if the version would not be served any longer.
func (e *ending) add(apiVersion, kind, use, user string) {
	gv, err := schema.ParseGroupVersion(apiVersion)
	if users := e.users[gv.WithKind(kind)]; err == nil && users != nil && !slices.Contains(users[use], user) {
		users[use] = append(users[use], user)
	}
}

// readObjects reads the metadata of all objects, since any may have an owner.
func (c *cluster) readObjects(ctx context.Context, e *ending) error {
	lists, err := c.resources()
	if err != nil {
		return fmt.Errorf("cannot find all objects that may use a version: %w", err)
	}
	for _, list := range lists {
		gv, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			return err
		}
		for _, r := range list.APIResources {
			if strings.Contains(r.Name, "/") || !slices.Contains(r.Verbs, "list") || r.Name == "events" {
				continue
			}
			resource := gv.WithResource(r.Name)
			if stored, isOurs := e.stored[resource.GroupResource()]; isOurs {
				resource.Version = stored // needs no conversion
			}
			if err := c.lookAt(ctx, resource, r.Kind, e); err != nil {
				return fmt.Errorf("cannot see whether any %s uses a version: %w", resource.GroupResource(), err)
			}
		}
	}
	return nil
}

// page is the number of objects that one request lists.
const page = 500

func (c *cluster) lookAt(ctx context.Context, resource schema.GroupVersionResource, kind string, e *ending) error {
	options := metav1.ListOptions{Limit: page}
	for {
		list, err := c.metadata.Resource(resource).List(ctx, options)
		if apierrors.IsMethodNotSupported(err) || apierrors.IsNotFound(err) {
			return nil // it is listed by nobody, or was just removed
		}
		if err != nil {
			return err
		}
		for _, object := range list.Items {
			e.inspect(kind, &object)
		}
		if options.Continue = list.Continue; options.Continue == "" {
			return nil
		}
	}
}

// inspect notes what an object uses.
func (e *ending) inspect(kind string, object *metav1.PartialObjectMetadata) {
	name := kind + " " + strings.TrimPrefix(object.Namespace+"/"+object.Name, "/")
	for _, m := range object.ManagedFields {
		e.add(m.APIVersion, kind, "managed fields", name+" ("+m.Manager+")")
	}
	for _, o := range object.OwnerReferences {
		e.add(o.APIVersion, o.Kind, "references of owners", name)
	}
	var applied metav1.TypeMeta
	if json.Unmarshal([]byte(object.Annotations[corev1.LastAppliedConfigAnnotation]), &applied) == nil {
		e.add(applied.APIVersion, applied.Kind, "kubectl apply's last manifests", name)
	}
}

// shown is how many users of a version the error names.
const shown = 5

// err returns an error with the versions that are used.
func (e *ending) err() error {
	var errs diag.List
	var used []string
	for gvk, users := range e.users {
		for _, use := range slices.Sorted(maps.Keys(users)) {
			all := users[use]
			slices.Sort(all)
			text := strings.Join(all[:min(shown, len(all))], ", ")
			if len(all) > shown {
				text += fmt.Sprintf(" and %d others", len(all)-shown)
			}
			errs.Addf("", 0, 0, "%s of %s.%s is used in %s: %s", gvk.Version, gvk.Kind, gvk.Group, use, text)
			used = append(used, gvk.Version)
		}
	}
	if errs.Err() == nil {
		return nil
	}
	slices.Sort(used)
	return fmt.Errorf("%w\nnothing was changed: serve these versions too, with %s after a comma in --serve, or "+
		"move their users first (docs/upgrades.md)", errs.Err(), strings.Join(slices.Compact(used), ","))
}
