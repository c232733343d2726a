package serving

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/diag"
	target "github.com/armature-dev/armature/tools/armature/cluster"
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
}

// check returns the versions of the installed CRDs that would not be served any
// longer, by CRD. If something uses one of them, it returns an error.
func (c *cluster) check(ctx context.Context, chosen []*crd.Summary) (map[string][]string, error) {
	e := &ending{users: map[schema.GroupVersionKind]map[string][]string{}, stored: map[schema.GroupResource]string{}}
	for _, of := range chosen {
		if err := c.compare(ctx, of, e); err != nil {
			return nil, err
		}
	}
	if len(e.users) == 0 {
		return nil, nil
	}
	if err := c.readObjects(ctx, e); err != nil {
		return nil, err
	}
	stopped := map[string][]string{}
	for _, of := range chosen {
		for gvk := range e.users {
			if gvk.Group == of.Group() && gvk.Kind == of.Kind {
				stopped[of.Name] = append(stopped[of.Name], gvk.Version)
			}
		}
		slices.Sort(stopped[of.Name])
	}
	return stopped, e.err()
}

// compare adds the versions of a CRD of the cluster that would not be served any
// longer.
func (c *cluster) compare(ctx context.Context, of *crd.Summary, e *ending) error {
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
	for _, v := range installed.Spec.Versions {
		if v.Storage {
			e.stored[schema.GroupResource{Group: of.Group(), Resource: installed.Spec.Names.Plural}] = v.Name
		}
		isStored := slices.Contains(installed.Status.StoredVersions, v.Name)
		if remains := slices.ContainsFunc(of.Versions, func(w crd.Version) bool { return w.Name == v.Name }); remains ||
			!v.Served && !isStored {
			continue
		}
		gvk := schema.GroupVersionKind{Group: of.Group(), Version: v.Name, Kind: of.Kind}
		e.users[gvk] = map[string][]string{}
		if isStored {
			e.add(gvk.GroupVersion().String(), of.Kind, "status.storedVersions, because objects are stored at it", of.Name)
		}
	}
	return nil
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
