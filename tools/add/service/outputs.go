package service

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/transform"
)

// outputEntries returns, as comments, the entries of outputs for the actions whose
// answers have secrets.
func outputEntries(shaped []*ir.Version) string {
	byType := map[string]map[string]string{} // entries by name
	for _, v := range shaped {
		for _, a := range v.Actions {
			if !a.Secret {
				continue
			}
			if byType[a.Resource] == nil {
				byType[a.Resource] = map[string]string{}
			}
			secrets := transform.SecretValues(a)
			for _, value := range a.Values {
				if !slices.Contains(secrets, value.Path) {
					continue
				}
				name := naming.JSON(strings.NewReplacer("[]", "", ".", "-").Replace(value.Path))
				entry := fmt.Sprintf("{action: %s, path: %q", a.Name, strings.ReplaceAll(value.Path, "[]", "[0]"))
				if value.Base64 {
					entry += ", encoding: base64"
				}
				if other := byType[a.Resource][name]; other != "" && !strings.HasPrefix(other, "{action: "+a.Name+",") {
					name = naming.JSON(a.Name + "-" + name)
				}
				byType[a.Resource][name] = entry + "}"
			}
		}
	}
	if len(byType) == 0 {
		return ""
	}
	text := "\n# Undecided. What these actions answer the operator can write into Secrets, for those who ask for it.\n#outputs:\n"
	for _, armType := range slices.SortedFunc(maps.Keys(byType), compareFolded) {
		text += "#  " + armType + ":\n"
		for _, name := range slices.Sorted(maps.Keys(byType[armType])) {
			text += "#    " + name + ": " + byType[armType][name] + "\n"
		}
	}
	return text
}
