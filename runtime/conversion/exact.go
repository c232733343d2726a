package conversion

import (
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/remainder"
)

// wantsExact reports whether a resource at an API version asks by [annotation.Exact]
// for exactly the Spec that it has.
func wantsExact(resource KubernetesResource) bool {
	return resource.GetAnnotations()[annotation.Exact] == resource.OriginalGVK().Version
}

// shownDigest returns the digest of the Spec as a client is shown it. With the
// annotation exact, the same Spec has another one: so the write that sets the
// annotation differs from later ones, which only keep it.
func shownDigest(resource KubernetesResource) (remainder.Digest, error) {
	if !wantsExact(resource) {
		return remainder.DigestOf(resource.GetSpec())
	}
	return remainder.DigestOf(&struct {
		Exact bool            `json:"exact"`
		Spec  ConvertibleSpec `json:"spec"`
	}{true, resource.GetSpec()})
}
