package conversion

import (
	"cmp"
	"regexp"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
)

// APIVersionAnnotation is the annotation by which somebody says for which
// version a resource is written, such as "v1beta20190909", whatever was found
// out from the clients that wrote it.
const APIVersionAnnotation = "armature.dev/api-version"

// OriginalGVK is the version that a stored resource was written for: what the
// annotation says, else what the Spec has noted, else the version of the hub,
// for a resource that was written as it is stored. own is the object's own.
func OriginalGVK(object interface {
	metav1.Object
	NewHub() Hub
}, own schema.GroupVersionKind, noted string) schema.GroupVersionKind {
	byHand := object.GetAnnotations()[APIVersionAnnotation]
	if _, isHub := object.(Hub); byHand == "" && noted == "" && !isHub {
		return object.NewHub().(KubernetesResource).OriginalGVK()
	}
	own.Version = cmp.Or(byHand, noted, strings.TrimSuffix(own.Version, storage))
	return own
}

// later is the later of two versions by the ARM date in their names, of the
// same date the one that Kubernetes prefers.
func later(a, b string) string {
	if cmp.Or(strings.Compare(armDate(a), armDate(b)), version.CompareKubeAwareVersionStrings(a, b)) < 0 {
		return b
	}
	return a
}

// dates are ARM's in the names of Kubernetes versions, "" where there is none.
// Patterns of names differ, but each has the date without hyphens.
var dates = regexp.MustCompile(`\d{8}`)

func armDate(version string) string { return dates.FindString(version) }

// storage ends the names of storage versions.
const storage = "storage"

func isAPI(version string) bool { return !strings.HasSuffix(version, storage) }
