package plan

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	jsonpatch "github.com/evanphx/json-patch/v5"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/cli/cluster"
	"github.com/armature-dev/armature/cli/objects"
	"github.com/armature-dev/armature/runtime/conversion"
)

// laying lays files over a copy of a cluster.
type laying struct {
	*planning
	onto    *copyOf
	clients *cluster.Cluster
	// there has the objects of the cluster, by their keys.
	there  map[string]ctrlclient.Object
	served []served
	// rights has whether the caller may apply objects of a kind in a namespace.
	rights map[string]bool
}

// lay lays an object of a file over the copy.
func (l *laying) lay(ctx context.Context, m *manifest) error {
	if core[m.GetKind()] != nil && m.GetAPIVersion() == "v1" {
		return l.layCore(ctx, m)
	}
	text, err := l.applied(ctx, m)
	if text == nil || err != nil {
		return err
	}
	object, err := l.hubOf(text, decodeLoosely)
	if err != nil {
		l.refuse(m, string(metav1.StatusReasonInvalid), err.Error())
		return nil
	}
	if before := l.there[m.key()]; before != nil {
		l.onto.old = append(l.onto.old, before)
	}
	l.onto.files[m.key()] = true
	l.onto.objects = append(l.onto.objects, object)
	return nil
}

// layCore lays an object of Kubernetes' own over the copy. A Namespace that the cluster has stays as it is there.
func (l *laying) layCore(ctx context.Context, m *manifest) error {
	object, err := l.decode(m)
	if err != nil {
		l.refuse(m, string(metav1.StatusReasonInvalid), err.Error())
		return nil
	}
	namespace, isNamespace := object.(*corev1.Namespace)
	if !isNamespace {
		l.onto.objects = append(l.onto.objects, object)
		return nil
	}
	var is corev1.Namespace
	err = l.onto.live.Get(ctx, types.NamespacedName{Name: namespace.Name}, &is)
	switch {
	case apierrors.IsNotFound(err):
		l.onto.objects = append(l.onto.objects, namespace)
	case apierrors.IsForbidden(err): // its objects are unknown
	case err != nil:
		return err
	}
	for _, name := range protected {
		if err == nil && is.Annotations[name] != namespace.Annotations[name] {
			l.note("the Namespace %s has the annotation %s as the cluster has it, whatever the files say", namespace.Name, name)
		}
	}
	return nil
}

// applied returns the object that an apply of a manifest would make, nil for one that is refused: as the API server
// says in a dry run, or, where the caller may not apply or the namespace is as new, as a merge of the two.
func (l *laying) applied(ctx context.Context, m *manifest) (text []byte, err error) {
	resource, found := l.resourceOf(m)
	if !found {
		_, err := l.decode(m)
		if err == nil {
			err = fmt.Errorf("the cluster does not serve %s of %s", m.GetKind(), m.GetAPIVersion())
		}
		l.refuse(m, string(metav1.StatusReasonNotFound), err.Error())
		return nil, nil
	}
	may, err := l.mayApply(ctx, resource, m.GetNamespace())
	if err != nil {
		return nil, err
	}
	if !may {
		l.note("the caller may not apply %s in the namespace %s, so the API server has not checked the files: what its schemas and "+
			"policies refuse is unknown", m.GetKind(), m.GetNamespace())
		return l.merged(m)
	}
	if text, err = m.MarshalJSON(); err != nil {
		return nil, err
	}
	answer, err := l.clients.Objects.Resource(resource).Namespace(m.GetNamespace()).Patch(ctx, m.GetName(), types.ApplyPatchType, text,
		metav1.PatchOptions{FieldManager: l.manager, DryRun: []string{metav1.DryRunAll}, FieldValidation: metav1.FieldValidationStrict})
	var status apierrors.APIStatus
	switch {
	case apierrors.IsNotFound(err): // the namespace
		return l.merged(m)
	case err == nil:
		answer.SetManagedFields(nil)
		text, err := answer.MarshalJSON()
		return text, err
	case errors.As(err, &status) && isRefusal(err, status.Status()):
		l.refuse(m, string(status.Status().Reason), err.Error())
		return nil, nil
	}
	return nil, fmt.Errorf("%s: %w", m.place, err)
}

// isRefusal reports whether the API server refuses an object, and would again.
func isRefusal(err error, status metav1.Status) bool {
	// What the schema does not have is an internal error of an apply.
	unknown := strings.Contains(status.Message, "failed to create typed patch object")
	return unknown || status.Code >= 400 && status.Code < 500 && !apierrors.IsTooManyRequests(err)
}

// resourceOf returns the resource of a manifest at its version.
func (l *laying) resourceOf(m *manifest) (_ schema.GroupVersionResource, found bool) {
	kind := m.GroupVersionKind()
	for _, s := range l.served {
		if s.kind == kind.GroupKind() {
			return kind.GroupVersion().WithResource(s.resource.Resource), true
		}
	}
	return schema.GroupVersionResource{}, false
}

// mayApply reports whether the caller may apply objects of a resource in a namespace.
func (l *laying) mayApply(ctx context.Context, r schema.GroupVersionResource, namespace string) (bool, error) {
	key := r.GroupResource().String() + " " + namespace
	if may, known := l.rights[key]; known {
		return may, nil
	}
	missing, err := l.clients.Missing(ctx, []cluster.Right{{Verb: "patch", Group: r.Group, Resource: r.Resource, Namespace: namespace},
		{Verb: "create", Group: r.Group, Resource: r.Resource, Namespace: namespace}})
	if err == nil {
		l.rights[key] = len(missing) == 0
	}
	return l.rights[key], err
}

// merged returns a manifest with what the cluster has of the object, nil for one that is refused.
func (l *laying) merged(m *manifest) (text []byte, err error) {
	if _, err := l.decode(m); err != nil {
		l.refuse(m, string(metav1.StatusReasonInvalid), err.Error())
		return nil, nil
	}
	if text, err = m.MarshalJSON(); err != nil {
		return nil, err
	}
	there := l.there[m.key()]
	if there == nil {
		return text, nil
	}
	kind := m.GroupVersionKind()
	at, err := objects.NewAt(l.scheme, kind.GroupKind(), kind.Version)
	if err == nil {
		err = objects.Show(there.DeepCopyObject().(conversion.Hub), at)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.place, err)
	}
	before, err := json.Marshal(at)
	if err == nil {
		text, err = jsonpatch.MergePatch(before, text)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.place, err)
	}
	was, is := new(unstructured.Unstructured), new(unstructured.Unstructured)
	if err := was.UnmarshalJSON(before); err != nil {
		return nil, err
	}
	if err := is.UnmarshalJSON(text); err != nil {
		return nil, err
	}
	if !reflect.DeepEqual(was.Object["spec"], is.Object["spec"]) {
		is.SetGeneration(is.GetGeneration() + 1)
	}
	text, err = is.MarshalJSON()
	return text, err
}
