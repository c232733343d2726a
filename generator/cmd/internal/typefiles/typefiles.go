// Package typefiles is what armtypes and armstorage have in common: they
// declare the types of a package, one with docs and one without. Its function
// is [Run].
package typefiles

import (
	"fmt"

	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/emit"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
)

// Run writes types.go, register.go and deepcopy.go of a package that has the
// given role. The IR is given by the flag of the given name.
func Run(args []string, role plan.Role, versionFlag, usage string) error {
	flags := verb.NewFlags()
	versionFile := flags.String(versionFlag, usage)
	planFile := flags.String("plan", "the plan of the package")
	types := flags.String("types", "the file of the types to write")
	register := flags.String("register", "the file of their registration to write")
	deepcopy := flags.String("deepcopy", "the file of their deep copies to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	packages, err := plan.Read(*planFile)
	if err != nil {
		return err
	}
	pkg := packages[0]
	versions, err := ir.Read(*versionFile)
	if err != nil {
		return err
	}
	v := versions[0]
	if pkg.Role != role {
		return diag.Error{File: *planFile, Message: fmt.Sprintf("the plan is of a package with the role %q; this verb emits the role %q", pkg.Role, role)}
	}
	if v.APIVersion != pkg.APIVersion {
		return diag.Error{File: *versionFile, Message: fmt.Sprintf("it describes version %s; %s is the plan of version %s", v.APIVersion, *planFile, pkg.APIVersion)}
	}
	outputs := verb.NewOutputs(*types, *register, *deepcopy)
	for _, file := range []struct {
		path string
		emit func(*plan.Package, *ir.Version) ([]byte, error)
	}{
		{*types, emit.Types},
		{*register, emit.Register},
		{*deepcopy, emit.DeepCopy},
	} {
		text, err := file.emit(pkg, v)
		if err != nil {
			return err
		}
		outputs.Set(file.path, text)
	}
	return outputs.Commit()
}
