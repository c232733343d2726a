package conversion

import (
	"cmp"
	"regexp"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/version"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/apiversion"
)

// OriginalGVK returns the version that a stored resource was written for: the
// one in [annotation.APIVersion], else the one that the Spec notes, else the version of
// the hub, for a resource that was written in its stored form. own is the
// object's own version.
func OriginalGVK(object interface {
	metav1.Object
	NewHub() Hub
}, own schema.GroupVersionKind, noted string) schema.GroupVersionKind {
	byHand, noted := versionByHand(object), versionOrNone(noted)
	if _, isHub := object.(Hub); byHand == "" && noted == "" && !isHub {
		return object.NewHub().(KubernetesResource).OriginalGVK()
	}
	version, _ := apiversion.CutStorage(own.Version)
	own.Version = cmp.Or(byHand, noted, version)
	return own
}

// versionByHand returns the version in the annotation, or "".
func versionByHand(object metav1.Object) string {
	return versionOrNone(object.GetAnnotations()[annotation.APIVersion])
}

// versionOrNone returns a text from a client that has the form of a version's
// name, and "" for any other.
func versionOrNone(text string) string {
	// Most objects have none, and the validation of "" makes errors, which cost.
	if text = short(text); text == "" || len(validation.IsDNS1035Label(text)) > 0 {
		return ""
	}
	return text
}

// short returns a text that is not longer than the name of a version may be, and
// "" for any other, for which annotations may have no room.
func short(text string) string {
	if len(text) > validation.DNS1035LabelMaxLength {
		return ""
	}
	return text
}

// later returns the later of two versions by the ARM dates in their names, or if
// they are equal the one that Kubernetes prefers.
func later(a, b string) string {
	if cmp.Or(strings.Compare(armDate(a), armDate(b)), version.CompareKubeAwareVersionStrings(a, b)) < 0 {
		return b
	}
	return a
}

// dates matches the ARM date in the name of a Kubernetes version. Services name
// their versions by different patterns, each with the date without hyphens.
var dates = regexp.MustCompile(`\d{8}`)

// armDate returns the ARM date in the name of a version, or "".
func armDate(version string) string { return dates.FindString(version) }
