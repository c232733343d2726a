// Package status is the commands armature status and armature refresh: what the objects of a cluster wait for, and
// reading their resources from ARM at once.
package status

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/armature-dev/armature/cli/cluster"
	"github.com/armature-dev/armature/runtime/annotation"
)

// selection says which objects a command is about.
type selection struct {
	groups    []string
	kind      string
	names     []string
	namespace string
	all       bool
	// patience is how long a list is asked for that the cluster cannot answer now.
	patience time.Duration
}

func (s *selection) addTo(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVarP(&s.namespace, "namespace", "n", "default", "`NAME` of the namespace")
	flags.BoolVarP(&s.all, "all", "A", false, "the objects of all namespaces, and of all kinds unless one is named")
	s.patience = time.Minute
}

// arguments takes a kind and names.
func (s *selection) arguments(args []string) error {
	if len(args) > 0 {
		s.kind, s.names = args[0], args[1:]
	}
	if s.all && len(s.names) > 0 {
		return fmt.Errorf("found --all and the name %s, expected one of them", s.names[0])
	}
	return nil
}

// kind is a kind of the cluster, at an API version that clients use.
type kind struct {
	crd      *apiextensionsv1.CustomResourceDefinition
	resource schema.GroupVersionResource
}

// kinds returns the kinds that are selected.
func (s *selection) kinds(ctx context.Context, c *cluster.Cluster) (all []kind, err error) {
	var names []string
	if s.kind != "" {
		names = []string{s.kind}
	}
	crds, err := c.Installed(ctx, s.groups, names)
	if err != nil {
		return nil, err
	}
	for _, crd := range crds {
		if resource, found := cluster.Resource(crd); found {
			all = append(all, kind{crd, resource})
		}
	}
	return all, nil
}

// namespaceOf returns the namespace to list, "" for all.
func (s *selection) namespaceOf() string {
	if s.all {
		return ""
	}
	return s.namespace
}

// has reports whether an object with a name is selected.
func (s *selection) has(name string) bool { return len(s.names) == 0 || slices.Contains(s.names, name) }

// missing returns an error if there is no object with a name that was given.
func (s *selection) missing(found map[string]bool) error {
	for _, name := range s.names {
		if !found[name] {
			return fmt.Errorf("found no %s %s in the namespace %s", s.kind, name, s.namespace)
		}
	}
	return nil
}

// object is what is shown of an object.
type object struct {
	metav1.ObjectMeta `json:"metadata"`
	Kind              string         `json:"kind"`
	Spec              map[string]any `json:"spec"`
	Status            struct {
		Conditions []metav1.Condition `json:"conditions"`
	} `json:"status"`
}

// list lists the selected objects of a kind, page by page.
func (s *selection) list(ctx context.Context, c *cluster.Cluster, k kind) (all []*object, err error) {
	options := metav1.ListOptions{Limit: cluster.Page}
	for {
		var page *unstructured.UnstructuredList
		err := cluster.Patiently(ctx, s.patience, func() (err error) {
			page, err = c.Objects.Resource(k.resource).Namespace(s.namespaceOf()).List(ctx, options)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("%s: cannot list its objects: %w", k.crd.Name, err)
		}
		for i := range page.Items {
			o := new(object)
			if err := runtime.DefaultUnstructuredConverter.FromUnstructured(page.Items[i].Object, o); err != nil {
				return nil, fmt.Errorf("%s %s: %w", k.crd.Name, page.Items[i].GetName(), err)
			}
			o.ManagedFields = nil
			all = append(all, o)
		}
		if options.Continue = page.GetContinue(); options.Continue == "" {
			return all, nil
		}
	}
}

// condition returns a condition of an object, or nil.
func (o *object) condition(name string) *metav1.Condition {
	for i := range o.Status.Conditions {
		if o.Status.Conditions[i].Type == name {
			return &o.Status.Conditions[i]
		}
	}
	return nil
}

// sent is what is shown of the operator's record.
type sent struct {
	Phase, ID, Credential string
	Time                  time.Time
}

// record returns the operator's record of an object. Whoever may write the object may have written it.
func (o *object) record() (s sent) {
	if json.Unmarshal([]byte(o.Annotations[annotation.Sent]), &s) != nil {
		return sent{}
	}
	return s
}

// references returns what a Spec refers to by name, sorted.
func (o *object) references() []string {
	all := map[string]bool{}
	var walk func(name string, value any)
	walk = func(name string, value any) {
		switch value := value.(type) {
		case []any:
			for _, v := range value {
				walk(name, v)
			}
		case map[string]any:
			to, _ := value["name"].(string)
			kind, _ := value["kind"].(string)
			if to != "" && kind != "" && (strings.HasSuffix(name, "Reference") || strings.HasSuffix(name, "References") ||
				strings.HasSuffix(name, "From")) {
				all[kind+"/"+to] = true
				return
			}
			for n, v := range value {
				walk(n, v)
			}
		}
	}
	walk("", o.Spec)
	return slices.Sorted(maps.Keys(all))
}
