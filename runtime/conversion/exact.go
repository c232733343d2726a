package conversion

import "github.com/armature-dev/armature/runtime/remainder"

// ExactAnnotation is the annotation by which a manifest asks that the Spec be
// exactly what it says, without what only other versions have. Its value is the
// manifest's version, such as "v1beta20190909".
const ExactAnnotation = "armature.dev/exact"

// wantsExact reports whether a resource at an API version asks for exactly the Spec
// that it has there.
func wantsExact(resource KubernetesResource) bool {
	return resource.GetAnnotations()[ExactAnnotation] == resource.OriginalGVK().Version
}

// shownDigest returns the digest of the Spec as a client is shown it. With the
// annotation exact, the same Spec has another one: so the write that sets the
// annotation is told apart from the later ones, which only leave it there.
func shownDigest(resource KubernetesResource) (remainder.Digest, error) {
	if !wantsExact(resource) {
		return remainder.DigestOf(resource.GetSpec())
	}
	return remainder.DigestOf(&struct {
		Exact bool            `json:"exact"`
		Spec  ConvertibleSpec `json:"spec"`
	}{true, resource.GetSpec()})
}
