package migrate

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/armature-dev/armature/cli/cluster"
	"github.com/armature-dev/armature/runtime/annotation"
)

// manager is the name of the command as a manager of fields.
const manager = "armature-migrate"

// markName is the annotation of a CRD with a [mark].
const markName = annotation.Domain + "/migrating"

// mark says from which moment on each write stores an object at the hub of a CRD. What has
// been written since need not be rewritten. So a run that was stopped is continued.
type mark struct {
	// Generation is that of the CRD, and ResourceVersion the moment.
	Generation      int64  `json:"generation"`
	ResourceVersion string `json:"resourceVersion"`
}

// begin returns the resourceVersion from which on objects are stored at the hub. It notes it
// at the CRD, unless a run that was stopped has.
func (m *migrating) begin(ctx context.Context, k kind) (string, error) {
	var old mark
	err := json.Unmarshal([]byte(k.crd.Annotations[markName]), &old)
	if err == nil && old.Generation == k.crd.Generation && old.ResourceVersion != "" {
		return old.ResourceVersion, nil
	}
	var list *metav1.PartialObjectMetadataList
	err = cluster.Patiently(ctx, m.patience, func() (err error) {
		list, err = m.resource(k).List(ctx, metav1.ListOptions{Limit: 1})
		return err
	})
	if err != nil {
		return "", err
	}
	value, err := json.Marshal(mark{k.crd.Generation, list.ResourceVersion})
	if err != nil {
		return "", err
	}
	patched, err := m.patchCRD(ctx, k, map[string]any{"metadata": map[string]any{"annotations": map[string]any{markName: string(value)}}})
	if err != nil {
		return "", err
	}
	if patched != k.crd.Generation {
		return "", errChanged
	}
	return list.ResourceVersion, nil
}

// trim removes all versions but the hub from status.storedVersions, unless the CRD has changed
// since objects were rewritten, and then the mark.
func (m *migrating) trim(ctx context.Context, k kind) error {
	for {
		crd, err := m.CRDs.Get(ctx, k.crd.Name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if crd.UID != k.crd.UID || crd.Generation != k.crd.Generation || cluster.Hub(crd) != k.hub {
			return errChanged
		}
		if slices.Equal(crd.Status.StoredVersions, []string{k.hub}) {
			break // by the cluster
		}
		_, err = m.patchCRD(ctx, k, map[string]any{
			"metadata": map[string]any{"resourceVersion": crd.ResourceVersion},
			"status":   map[string]any{"storedVersions": []string{k.hub}},
		}, "status")
		if err == nil {
			break
		}
		if !apierrors.IsConflict(err) {
			return fmt.Errorf("all objects are rewritten, but not status.storedVersions: %w", err)
		}
	}
	_, err := m.patchCRD(ctx, k, map[string]any{"metadata": map[string]any{"annotations": map[string]any{markName: nil}}})
	return err
}

// patchCRD patches a CRD, and returns its generation.
func (m *migrating) patchCRD(ctx context.Context, k kind, patch map[string]any, subresources ...string) (int64, error) {
	text, err := json.Marshal(patch)
	if err != nil {
		return 0, err
	}
	patched, err := m.CRDs.Patch(ctx, k.crd.Name, types.MergePatchType, text, metav1.PatchOptions{FieldManager: manager}, subresources...)
	if err != nil {
		return 0, err
	}
	return patched.Generation, nil
}
