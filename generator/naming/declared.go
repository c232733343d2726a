package naming

import "slices"

// declared has the names that a generated package declares whatever its resources and
// types are called.
var declared = []string{"GroupVersion", "SchemeBuilder", "AddToScheme", "Enums", NoProperties}

// IsDeclared reports whether generated packages declare something of a name, or of one
// that differs in case only. No kind and no definition can have it.
func IsDeclared(name string) bool {
	return slices.ContainsFunc(declared, func(other string) bool { return Fold(other) == Fold(name) })
}
