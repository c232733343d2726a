package documents

import (
	"path"
	"regexp"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/jsontree"
)

// GUID is the pattern of a GUID. JSON schemas of deployment templates have it
// where Swagger has the format uuid.
const GUID = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"

// OneOf returns the pattern of some names of resources, which ARM compares without case.
func OneOf(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = regexp.QuoteMeta(name)
	}
	return "^(?i:" + strings.Join(quoted, "|") + ")$"
}

// Dangling returns the error for a $ref whose target doc does not have. It
// suggests the nearest name that is there.
func Dangling(ref jsontree.Place, doc *jsontree.Document, pointer string) diag.Error {
	parent, last := path.Split(pointer)
	where := "this file"
	if doc != ref.Doc {
		where = doc.Name
	}
	hint := ""
	if nearest := diag.Nearest(jsontree.Unescape(last), doc.Find(strings.TrimSuffix(parent, "/")).Names()); nearest != "" {
		hint = diag.DidYouMean(pointer, []string{parent + jsontree.Escape(nearest)})
	}
	return ref.Errorf("the $ref's target %q is not in %s%s", pointer, where, hint)
}
