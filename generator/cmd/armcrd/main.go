// Command armcrd writes the CRDs and admission policies of a service group into a
// folder, with an index and a kustomization, and a page with the CRDs' sizes.
package main

import (
	"context"
	"io"
	"path/filepath"

	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/lock"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func main() { verb.Main("armcrd", Run) }

// Run writes the CRDs of a group. It fails if one is too large to be installed.
func Run(_ context.Context, args []string, _ io.Writer) error {
	flags := verb.NewFlags()
	irs := flags.Strings("ir", "the IR of a version, with docs; for each version")
	plans := flags.Strings("plan", "a plan file; for each package")
	lockFile := flags.String("lock", "lock.bzl")
	out := flags.String("out", "the folder to write")
	sizes := flags.String("sizes", "the page with the sizes of the CRDs to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	packages, err := plan.Read(*plans...)
	if err != nil {
		return err
	}
	versions, err := ir.Read(*irs...)
	if err != nil {
		return err
	}
	lock, _, err := lock.Read(*lockFile)
	if err != nil {
		return err
	}
	files, index, err := crd.Files(versions, packages, lock, crd.Meta{TypeMeta: metav1.TypeMeta{}, Condition: metav1.Condition{}})
	if err != nil {
		return err
	}
	outputs := verb.NewOutputs(*sizes)
	text, err := page(index)
	if err != nil {
		return err
	}
	outputs.Set(*sizes, text)
	outputs.Folder(*out)
	for name, text := range files {
		outputs.Set(filepath.Join(*out, name), text)
	}
	return outputs.Commit()
}
