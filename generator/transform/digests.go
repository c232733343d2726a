package transform

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/armature-dev/armature/generator/ir"
)

// Digests returns a digest of what each resource of a shaped version declares, by its ARM
// type: the properties of its Spec and its Status, with their types, limits and marks,
// without descriptions.
func Digests(v *ir.Version) (map[string]string, error) {
	bare := Limited(v)
	digests := map[string]string{}
	for _, r := range bare.Resources {
		resource := *r
		resource.Path, resource.NoDelete = "", false // which nothing declares
		text, err := ir.Canonical(&ir.Version{Resources: []*ir.Resource{&resource}, Types: bare.Reachable(r.Spec, r.Status)})
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(text)
		digests[r.Type] = hex.EncodeToString(sum[:])
	}
	return digests, nil
}
