package documents

import (
	"path"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/jsontree"
)

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
