package types_test

import (
	"os"
	"strings"
	"testing"

	"github.com/armature-dev/armature/cli/objects/objectstest"
	"github.com/armature-dev/armature/cli/program/programtest"
	"github.com/armature-dev/armature/cli/types"
	"github.com/spf13/cobra"
)

// TestExamples runs the examples in the help of convert and export on resources of the kinds
// that they name, and parses those of import, which need Azure.
func TestExamples(t *testing.T) {
	const redis = "apiVersion: cache.azure.armature.dev/v20241101\nkind: Redis\nmetadata: {name: sessions}\nspec: {location: westeurope}\n"
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"person.yaml": objectstest.Person, "redis.yaml": redis} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	input := map[string]string{"convert": objectstest.Person, "export": redis}
	examples := programtest.Examples(t, func() *cobra.Command {
		root, err := types.New(nil)
		if err != nil {
			t.Fatal(err)
		}
		return root
	})
	for name, in := range input {
		for _, arguments := range examples[name] {
			if out, err := objectstest.Armature(t, in, arguments...); err != nil || out == "" {
				t.Errorf("armature %s: %v\n%s", strings.Join(arguments, " "), err, out)
			}
		}
	}
}
