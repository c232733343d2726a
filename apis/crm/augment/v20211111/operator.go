package v20211111

import "github.com/armature-dev/armature/runtime/arm/client"

// ClassifyError says that an id that somebody else has stays so: the request need
// not be repeated until the Spec changes.
func (*Person_Spec) ClassifyError(e *client.Error) client.Class {
	if e.Code == "IdTaken" {
		return client.Invalid
	}
	return e.Class
}
