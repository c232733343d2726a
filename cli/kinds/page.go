package kinds

import (
	"fmt"
	"strings"
)

// page is the beginning of the page.
const page = `# Kinds

` + "`ARMATURE_UPDATE=1 ./bazelw run //tests/kinds:kinds_test`" + ` has written this page from the CRDs of all groups.

## One of several operators

Another operator for Azure may have kinds of the same names in the same cluster. The group tells them apart:

` + "```sh" + `
kubectl get storageaccounts.storage.azure.armature.dev
` + "```" + `

lists the objects of this kind and of no other. A plural, a kind or a short name alone stands for one of the kinds that
have it, and which one is for the cluster to say: **a short name goes to the CRD that was there first**. So scripts name
the group.

## The tables

The first version, in bold, is the one that a client gets that names none. Those after it are served too, unless
somebody [chooses others](upgrades.md#versions-that-are-no-longer-served) of all that there are. The operator writes
outputs, such as keys, into objects of the kinds in the last column, if a resource [asks for it](outputs.md).
` + "`armature kinds --output=json`" + ` lists the same, with all versions, for programs ([command-line.md](command-line.md)).
`

// Page returns the page of the docs about kinds, which are sorted by group.
func Page(kinds []Kind) string {
	var out strings.Builder
	out.WriteString(page)
	for i, k := range kinds {
		if i == 0 || kinds[i-1].Group != k.Group {
			fmt.Fprintf(&out, "\n### %s\n\n| kind | short names | ARM type | versions | outputs |\n|---|---|---|---|---|\n", k.Group)
		}
		served := k.served()
		if len(served) > 0 {
			served[0] = "**" + served[0] + "**"
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %s; %d in all | %s |\n", k.Kind, strings.Join(k.ShortNames, ", "), k.ARMType,
			strings.Join(served, ", "), len(k.Versions), strings.Join(k.Outputs, ", "))
	}
	return out.String()
}
