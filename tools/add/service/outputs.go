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

// outputQuestion is the comment above the proposed outputs.
const outputQuestion = "# Undecided. What these actions answer the operator can write into Secrets, for those who ask for it.\n"

// outputEntries returns, as comments, the entries of outputs for the actions whose
// answers have secrets, and their number. Those of the versions before are left out, as they have been
// proposed. Decided has the outputs that the group has, by type.
func outputEntries(before, shaped []*ir.Version, decided map[string][]ir.Output) (text string, n int) {
	old := outputsOf(before, decided)
	// The names follow from all versions, the ones before first, so that none of them is
	// proposed for two values.
	outputs := outputsOf(slices.Concat(before, shaped), decided)
	for _, armType := range slices.SortedFunc(maps.Keys(outputs), compareFolded) {
		proposed := slices.Collect(maps.Values(old[armType]))
		maps.DeleteFunc(outputs[armType], func(_, entry string) bool { return slices.Contains(proposed, entry) })
		if len(outputs[armType]) > 0 {
			text += "#  " + armType + ":\n"
		}
		n += len(outputs[armType])
		for _, name := range slices.Sorted(maps.Keys(outputs[armType])) {
			text += "#    " + name + ": " + outputs[armType][name] + "\n"
		}
	}
	return text, n
}

// outputsOf returns the entries of outputs by type and name.
func outputsOf(shaped []*ir.Version, decided map[string][]ir.Output) map[string]map[string]string {
	byType := map[string]map[string]string{}
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
				// What is in a map whose names only ARM knows goes into a Secret as a whole.
				path, _, inMap := strings.Cut("."+value.Path, ".*")
				path = strings.TrimPrefix(path, ".")
				name := naming.JSON(strings.NewReplacer("[]", "", ".", "-").Replace(path))
				if path == "" {
					name = naming.JSON(a.Name[strings.LastIndexByte(a.Name, '/')+1:])
				}
				if inMap {
					path = strings.TrimPrefix(path+".*", ".")
				}
				entry := fmt.Sprintf("{action: %s, path: %q", a.Name, strings.ReplaceAll(path, "[]", "[0]"))
				if value.Base64 && !inMap {
					entry += ", encoding: base64"
				}
				end := "}"
				if value.Any && !inMap {
					end = "}, with encoding: base64 if it is encoded, which the specs do not say"
				}
				// An action is the same in another case: bicep types have "list" in lower case.
				if slices.ContainsFunc(decided[a.Resource], func(o ir.Output) bool {
					return o.Path == strings.ReplaceAll(path, "[]", "[0]") && strings.EqualFold(o.Action, a.Name)
				}) {
					continue
				}
				isDecided := slices.ContainsFunc(decided[a.Resource], func(o ir.Output) bool { return o.Name == name })
				if other := byType[a.Resource][name]; isDecided || other != "" && !strings.HasPrefix(other, "{action: "+a.Name+",") {
					name = naming.JSON(strings.ReplaceAll(a.Name, "/", "-") + "-" + name)
				}
				byType[a.Resource][name] = entry + end
			}
		}
	}
	return byType
}
