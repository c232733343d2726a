package plan

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/cli/cluster"
	"github.com/armature-dev/armature/cli/objects"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/apiversion"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/reconcile"
)

// core are the kinds of Kubernetes' own that a plan takes from files. All others are none of its business.
var core = map[string]func() ctrlclient.Object{
	"Secret":    func() ctrlclient.Object { return new(corev1.Secret) },
	"ConfigMap": func() ctrlclient.Object { return new(corev1.ConfigMap) },
	"Namespace": func() ctrlclient.Object { return new(corev1.Namespace) },
}

// manifest is an object of a file.
type manifest struct {
	place string
	text  []byte
	*unstructured.Unstructured
}

// key returns what identifies the object.
func (m *manifest) key() string {
	kind := m.GroupVersionKind()
	return keyOf(kind.Group, kind.Kind, m.GetNamespace(), m.GetName())
}

// manifests reads the files. Objects of kinds that are not of this program, and not of Kubernetes' own that count, are
// left out.
func (p *planning) manifests(namespace string) (all []*manifest, err error) {
	groups := map[string]bool{}
	for kind := range p.kinds() {
		groups[kind.Group] = true
	}
	others := 0
	for _, file := range p.files {
		names, err := p.filesOf(file)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			f := p.command.InOrStdin()
			if name != "-" {
				opened, err := os.Open(name)
				if err != nil {
					return nil, err
				}
				defer opened.Close()
				f = opened
			}
			n := 0
			_, err := objects.Each(name, f, func(text []byte) error {
				n++
				m := &manifest{fmt.Sprintf("%s: resource %d", name, n), text, new(unstructured.Unstructured)}
				if err := m.UnmarshalJSON(text); err != nil {
					return err
				}
				isCore := m.GetAPIVersion() == "v1" && core[m.GetKind()] != nil
				if !isCore && !groups[m.GroupVersionKind().Group] {
					others++
					return nil
				}
				if m.GetName() == "" {
					return fmt.Errorf("found a %s without metadata.name", m.GetKind())
				}
				if m.GetNamespace() == "" && m.GetKind() != "Namespace" {
					m.SetNamespace(namespace)
				}
				all = append(all, m)
				return nil
			})
			if err != nil {
				return nil, err
			}
		}
	}
	if others > 0 {
		p.note("%d objects of the files are of kinds that are not of this program, and are left out", others)
	}
	first := map[string]string{}
	for _, m := range all {
		if first[m.key()] != "" {
			return nil, fmt.Errorf("%s: found %s %s, which is in %s too", m.place, m.GetKind(), m.GetName(), first[m.key()])
		}
		first[m.key()] = m.place
	}
	return all, nil
}

// filesOf returns a file, or the files with manifests in a folder, as kubectl takes them.
func (p *planning) filesOf(name string) (all []string, err error) {
	if name == "-" {
		return []string{name}, nil
	}
	err = filepath.WalkDir(name, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != name && !p.recursive:
			return fs.SkipDir
		case !entry.IsDir() && (path == name || slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(path))):
			all = append(all, path)
		}
		return nil
	})
	return all, err
}

func (p *planning) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(p.notes, text) {
		p.notes = append(p.notes, text)
	}
}

// refuse notes that an object of a file cannot be what it is to be.
func (p *planning) refuse(m *manifest, reason, message string) {
	kind := m.GroupVersionKind()
	p.refused = append(p.refused, &reconcile.Foretold{Group: kind.Group, Kind: kind.Kind, Namespace: m.GetNamespace(), Name: m.GetName(),
		Action: reconcile.PlanRefuse, Reason: reason, Message: m.place + ": " + message})
}

// readOffline returns a cluster that has nothing, with the files.
func (p *planning) readOffline(context.Context) (*copyOf, error) {
	if p.facts == nil {
		return nil, fmt.Errorf("--offline: this program has no facts of the groups: build it with arm_cli")
	}
	namespace := p.namespace
	if namespace == "" {
		namespace = metav1.NamespaceDefault
	}
	all, err := p.manifests(namespace)
	if err != nil {
		return nil, err
	}
	c := &copyOf{live: empty{}, files: map[string]bool{}}
	for _, m := range all {
		object, err := p.decode(m)
		if err != nil {
			p.refuse(m, string(metav1.StatusReasonInvalid), err.Error())
			continue
		}
		c.files[m.key()] = true
		c.objects = append(c.objects, object)
	}
	return c, nil
}

// empty is a cluster without objects.
type empty struct{ ctrlclient.Reader }

func (empty) Get(_ context.Context, name ctrlclient.ObjectKey, into ctrlclient.Object, _ ...ctrlclient.GetOption) error {
	return apierrors.NewNotFound(schema.GroupResource{}, name.Name)
}

func (empty) List(context.Context, ctrlclient.ObjectList, ...ctrlclient.ListOption) error { return nil }

// decode returns an object of a file: at the hub, if it is of a generated kind. What its version does not have is an
// error.
func (p *planning) decode(m *manifest) (ctrlclient.Object, error) {
	text, err := m.MarshalJSON()
	if err != nil {
		return nil, err
	}
	if isCore := core[m.GetKind()]; isCore != nil && m.GetAPIVersion() == "v1" {
		object := isCore()
		if err := json.Unmarshal(text, object); err != nil {
			return nil, err
		}
		if secret, is := object.(*corev1.Secret); is { // as the API server does
			for key, value := range secret.StringData {
				if secret.Data == nil {
					secret.Data = map[string][]byte{}
				}
				secret.Data[key] = []byte(value)
			}
			secret.StringData = nil
		}
		return object, nil
	}
	return p.hubOf(text, objects.Decode)
}

// hubOf returns the object of a text at the hub.
func (p *planning) hubOf(text []byte, decode func(*runtime.Scheme, []byte) (conversion.KubernetesResource, error)) (
	ctrlclient.Object, error) {
	versioned, err := decode(p.scheme, text)
	if err != nil {
		return nil, err
	}
	hub, err := objects.HubOf(versioned)
	if err != nil {
		return nil, err
	}
	return hub.(ctrlclient.Object), nil
}

// decodeLoosely reads an object as the API server has it: what this program does not know stays unknown.
func decodeLoosely(scheme *runtime.Scheme, text []byte) (conversion.KubernetesResource, error) {
	var kind metav1.TypeMeta
	if err := json.Unmarshal(text, &kind); err != nil {
		return nil, err
	}
	object, err := scheme.New(kind.GroupVersionKind())
	if err != nil {
		return nil, err
	}
	return object.(conversion.KubernetesResource), json.Unmarshal(text, object)
}

// read returns a copy of the cluster, with the files.
func (p *planning) read(ctx context.Context) (*copyOf, error) {
	config, err := p.of.Config()
	if err != nil {
		return nil, err
	}
	onlyReads(config)
	clients, err := cluster.New(config)
	if err != nil {
		return nil, err
	}
	config.QPS, config.Burst = 500, 500 // the API server has limits of its own
	live, err := ctrlclient.New(config, ctrlclient.Options{Scheme: p.scheme})
	if err != nil {
		return nil, err
	}
	namespace := p.namespace
	if namespace == "" {
		if namespace, err = p.of.Namespace(); err != nil {
			return nil, err
		}
	}
	files, err := p.manifests(namespace)
	if err != nil {
		return nil, err
	}
	c := &copyOf{live: live, files: map[string]bool{}}
	if !p.all {
		c.namespaces = []string{}
		if p.namespace != "" {
			c.namespaces = append(c.namespaces, p.namespace)
		}
		for _, m := range files {
			if ns := m.GetNamespace(); ns != "" && !slices.Contains(c.namespaces, ns) {
				c.namespaces = append(c.namespaces, ns)
			}
		}
	}
	served, err := p.served(clients)
	if err != nil {
		return nil, err
	}
	there := map[string]ctrlclient.Object{}
	for _, s := range served {
		all, err := p.list(ctx, clients, s, c.namespaces)
		if err != nil {
			return nil, err
		}
		for _, object := range all {
			there[keyOf(s.kind.Group, s.kind.Kind, object.GetNamespace(), object.GetName())] = object
		}
	}
	l := &laying{planning: p, clients: clients, onto: c, there: there, served: served, rights: map[string]bool{}}
	for _, m := range files {
		if err := l.lay(ctx, m); err != nil {
			return nil, err
		}
	}
	for key, object := range there {
		if !c.files[key] {
			c.objects = append(c.objects, object)
		}
	}
	return c, nil
}

// served is a kind of the cluster, at the newest version that the cluster serves and this program has.
type served struct {
	kind     schema.GroupKind
	resource schema.GroupVersionResource
}

// kinds returns the kinds of this program.
func (p *planning) kinds() map[schema.GroupKind]bool {
	all := map[schema.GroupKind]bool{}
	for gvk := range p.scheme.AllKnownTypes() {
		if object, _ := objects.ResourceAt(p.scheme, gvk); object != nil {
			all[gvk.GroupKind()] = true
		}
	}
	return all
}

// served returns the kinds of this program that the cluster serves.
func (p *planning) served(clients *cluster.Cluster) ([]served, error) {
	lists := map[schema.GroupVersion]*metav1.APIResourceList{}
	groups, err := clients.Discovery.ServerGroups()
	if err != nil {
		return nil, fmt.Errorf("cannot ask what the cluster serves: %w", err)
	}
	serves := map[schema.GroupVersion]bool{}
	for _, g := range groups.Groups {
		for _, v := range g.Versions {
			serves[schema.GroupVersion{Group: g.Name, Version: v.Version}] = true
		}
	}
	var all []served
	for kind := range p.kinds() {
		for _, version := range objects.VersionsOf(p.scheme, kind) {
			gv := schema.GroupVersion{Group: kind.Group, Version: version}
			if !serves[gv] || apiversion.IsStorage(version) {
				continue
			}
			if lists[gv] == nil {
				if lists[gv], err = clients.Discovery.ServerResourcesForGroupVersion(gv.String()); err != nil {
					return nil, fmt.Errorf("cannot ask what the cluster serves of %s: %w", gv, err)
				}
			}
			i := slices.IndexFunc(lists[gv].APIResources, func(r metav1.APIResource) bool {
				return r.Kind == kind.Kind && !strings.Contains(r.Name, "/")
			})
			if i >= 0 {
				all = append(all, served{kind, gv.WithResource(lists[gv].APIResources[i].Name)})
				break
			}
		}
	}
	slices.SortFunc(all, func(a, b served) int { return strings.Compare(a.kind.String(), b.kind.String()) })
	return all, nil
}

// list lists the objects of a kind, at the hub: of all namespaces, as an object of another one may have the same
// resource, or where the caller may not, of those that the plan is about.
func (p *planning) list(ctx context.Context, clients *cluster.Cluster, s served, namespaces []string) ([]ctrlclient.Object, error) {
	all, err := p.listIn(ctx, clients, s, metav1.NamespaceAll)
	if !apierrors.IsForbidden(err) {
		return all, err
	}
	if namespaces == nil {
		return nil, fmt.Errorf("%s: %w", s.kind, err)
	}
	p.note("the caller may not list %s in all namespaces, so it is not known whether another namespace has the same resources", s.kind)
	all = nil
	for _, namespace := range namespaces {
		some, err := p.listIn(ctx, clients, s, namespace)
		if apierrors.IsForbidden(err) {
			p.note("the caller may not list %s in the namespace %s, so its objects are unknown", s.kind, namespace)
			continue
		} else if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// listIn lists the objects of a kind in a namespace, page by page.
func (p *planning) listIn(ctx context.Context, clients *cluster.Cluster, s served, namespace string) (all []ctrlclient.Object, err error) {
	options := metav1.ListOptions{Limit: cluster.Page}
	for {
		page, err := clients.Objects.Resource(s.resource).Namespace(namespace).List(ctx, options)
		if err != nil {
			return nil, err
		}
		for i := range page.Items {
			item := &page.Items[i]
			item.SetManagedFields(nil)
			text, err := item.MarshalJSON()
			if err != nil {
				return nil, err
			}
			object, err := p.hubOf(text, decodeLoosely)
			if err != nil {
				p.note("%s %s/%s cannot be read, and is left out: %v", s.kind.Kind, item.GetNamespace(), item.GetName(), err)
				continue
			}
			all = append(all, object)
		}
		if options.Continue = page.GetContinue(); options.Continue == "" {
			return all, nil
		}
	}
}

// protected are the annotations of a Namespace that limit what its objects may do. A file changes them for a plan only
// where the Namespace is new: whoever proposes a file must not see what they would be without these limits.
var protected = []string{annotation.Scopes, annotation.Adopt, annotation.Deletion, annotation.Drift}
