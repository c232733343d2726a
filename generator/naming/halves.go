package naming

import "strings"

// The suffixes that tell the types of a resource's two halves apart. A type
// whose name has one of them has it from here: no other name has an underscore,
// see [Type].
const (
	specSuffix   = "_Spec"
	statusSuffix = "_Status"
)

// NoProperties is the name of the type whose values are empty objects.
const NoProperties = "NoProperties"

// Spec returns the name of a kind's Spec.
func Spec(kind string) string { return kind + specSuffix }

// Status returns the name of a kind's Status, or of a type below a Status that
// is named otherwise below a Spec.
func Status(name string) string { return name + statusSuffix }

// CutHalf splits the name of a type into the name that group.yaml uses for both
// halves of a resource, and the suffix of the half, or "".
func CutHalf(name string) (common, suffix string) {
	for _, suffix := range []string{specSuffix, statusSuffix} {
		if common, found := strings.CutSuffix(name, suffix); found {
			return common, suffix
		}
	}
	return name, ""
}

// Common returns the name that group.yaml uses for a type in both halves of a
// resource.
func Common(name string) string {
	common, _ := CutHalf(name)
	return common
}
