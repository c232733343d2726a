// Package cluster is what the commands share that work on a cluster: which one, which kinds
// of Armature it has, and what the caller may do. Its main type is [Cluster].
package cluster

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	authorizationv1 "k8s.io/api/authorization/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/typed/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	authorization "k8s.io/client-go/kubernetes/typed/authorization/v1"
	migration "k8s.io/client-go/kubernetes/typed/storagemigration/v1"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/runtime/apiversion"
)

// Flags say which cluster a command works on.
type Flags struct{ kubeconfig, context string }

// AddTo gives the flags to a command.
func (f *Flags) AddTo(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.kubeconfig, "kubeconfig", "", "`FILE` with the cluster to look at; default: as for kubectl")
	flags.StringVar(&f.context, "context", "", "`NAME` of the context in that file")
}

// Config returns how to reach the cluster.
func (f *Flags) Config() (*rest.Config, error) { return f.loader().ClientConfig() }

// Namespace returns the namespace of objects that name none.
func (f *Flags) Namespace() (string, error) {
	namespace, _, err := f.loader().Namespace()
	return namespace, err
}

func (f *Flags) loader() clientcmd.ClientConfig {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = f.kubeconfig
	overrides := &clientcmd.ConfigOverrides{CurrentContext: f.context}
	return clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, overrides)
}

// Cluster returns clients of the cluster.
func (f *Flags) Cluster() (*Cluster, error) {
	config, err := f.Config()
	if err != nil {
		return nil, err
	}
	return New(config)
}

// Cluster has clients of a cluster.
type Cluster struct {
	CRDs       apiextensions.CustomResourceDefinitionInterface
	Objects    dynamic.Interface
	Metadata   metadata.Interface
	Discovery  discovery.DiscoveryInterface
	Migrations migration.StorageVersionMigrationInterface
	reviews    authorization.SelfSubjectAccessReviewInterface
}

// New returns clients of a cluster. Where config says nothing of the rate of their requests, that is
// the caller's to limit.
func New(config *rest.Config) (*Cluster, error) {
	config = rest.CopyConfig(config)
	if config.QPS == 0 {
		config.QPS, config.Burst = 500, 500
	}
	config.WarningHandlerWithContext = rest.NoWarnings{}
	crds, err := apiextensions.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	objects, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	meta, err := metadata.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	discovery, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	migrations, err := migration.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	reviews, err := authorization.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	return &Cluster{crds.CustomResourceDefinitions(), objects, meta, discovery, migrations.StorageVersionMigrations(),
		reviews.SelfSubjectAccessReviews()}, nil
}

// Installed returns the CRDs of Armature in the cluster, in the order of their names: those
// of the groups, and those with the label that releases give them. If there are names of
// kinds, as for kubectl or as patterns, it returns only these kinds.
func (c *Cluster) Installed(ctx context.Context, groups, kinds []string) ([]*apiextensionsv1.CustomResourceDefinition, error) {
	resource := apiextensionsv1.SchemeGroupVersion.WithResource("customresourcedefinitions")
	list, err := c.Metadata.Resource(resource).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	index := &crd.Index{}
	var all []*apiextensionsv1.CustomResourceDefinition
	for _, item := range list.Items {
		_, group, _ := strings.Cut(item.Name, ".")
		if !slices.Contains(groups, group) && item.Labels["app.kubernetes.io/part-of"] != "armature" {
			continue
		}
		found, err := c.CRDs.Get(ctx, item.Name, metav1.GetOptions{})
		if err != nil {
			return nil, err
		}
		names := found.Spec.Names
		index.CRDs = append(index.CRDs,
			&crd.Summary{Name: found.Name, Kind: names.Kind, Plural: names.Plural, ShortNames: names.ShortNames})
		all = append(all, found)
	}
	if err := crd.CheckKinds(kinds, index); err != nil {
		return nil, err
	}
	if len(kinds) > 0 {
		chosen := (&crd.Folder{Index: *index}).Of(kinds).CRDs
		all = slices.DeleteFunc(all, func(d *apiextensionsv1.CustomResourceDefinition) bool {
			return !slices.ContainsFunc(chosen, func(s *crd.Summary) bool { return s.Name == d.Name })
		})
	}
	return all, nil
}

// Hub returns the version at which a CRD stores objects.
func Hub(c *apiextensionsv1.CustomResourceDefinition) string {
	for _, v := range c.Spec.Versions {
		if v.Storage {
			return v.Name
		}
	}
	return ""
}

// Resource returns the resource of a CRD at the first API version that it serves, as kubectl would use it.
func Resource(c *apiextensionsv1.CustomResourceDefinition) (of schema.GroupVersionResource, found bool) {
	for _, v := range c.Spec.Versions {
		if v.Served && !apiversion.IsStorage(v.Name) {
			return schema.GroupVersionResource{Group: c.Spec.Group, Version: v.Name, Resource: c.Spec.Names.Plural}, true
		}
	}
	return schema.GroupVersionResource{}, false
}

// Right is something that a caller needs to be allowed.
type Right struct{ Verb, Group, Resource, Subresource, Name, Namespace string }

func (r Right) String() string {
	text := r.Verb + " " + path.Join(schema.GroupResource{Group: r.Group, Resource: r.Resource}.String(), r.Subresource)
	if r.Name != "" {
		text += " named " + r.Name
	}
	if r.Namespace != "" {
		text += " in the namespace " + r.Namespace
	}
	return text
}

// Missing returns those of some rights, in the whole cluster or in the namespaces that they name, that the caller does
// not have.
func (c *Cluster) Missing(ctx context.Context, rights []Right) ([]Right, error) {
	var missing []Right
	for _, r := range rights {
		review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
			ResourceAttributes: &authorizationv1.ResourceAttributes{Verb: r.Verb, Group: r.Group, Resource: r.Resource,
				Subresource: r.Subresource, Name: r.Name, Namespace: r.Namespace}}}
		answer, err := c.reviews.Create(ctx, review, metav1.CreateOptions{})
		if err != nil {
			return nil, fmt.Errorf("cannot ask what the caller may do: %w", err)
		}
		if !answer.Status.Allowed {
			missing = append(missing, r)
		}
	}
	return missing, nil
}

// Require returns an error that lists those of some rights that the caller does not have.
func (c *Cluster) Require(ctx context.Context, rights []Right) error {
	missing, err := c.Missing(ctx, rights)
	if err != nil {
		return err
	}
	var errs diag.List
	for _, r := range missing {
		errs.Addf("", 0, 0, "the caller may not %s in the whole cluster", r)
	}
	if errs.Err() == nil {
		return nil
	}
	return fmt.Errorf("%w\nbind roles with these rights, or let a cluster administrator do it", errs.Err())
}
