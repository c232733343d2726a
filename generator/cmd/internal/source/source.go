// Package source writes the Go files of a generated package. Armtypes, armconvert
// and armstorage use it, each for some of the files. Its function is [Run].
package source

import (
	"fmt"

	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/emit"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/lawfacts"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/lock"
	"github.com/armature-dev/armature/generator/shape"
)

// File is a file of a generated package: a Go file, which Emit returns, or JSON of what
// Data returns.
type File struct {
	// Flag names the path to write.
	Flag, Usage string
	Emit        func(*shape.Package) ([]byte, error)
	Data        func(*plan.Package, *ir.Version) *lawfacts.Facts
}

// Types lists the files that declare the types of a package.
var Types = []File{
	{Flag: "types", Usage: "the file of the types to write", Emit: emit.Types},
	{Flag: "register", Usage: "the file of their registration to write", Emit: emit.Register},
	{Flag: "deepcopy", Usage: "the file of their deep copies to write", Emit: emit.DeepCopy},
}

// Conversions lists the file with the conversions of a package, and the one with the
// facts that tests of the conversions read.
var Conversions = []File{
	{Flag: "conversion", Usage: "the file of the conversions to write", Emit: emit.Conversion},
	{Flag: "laws", Usage: "the file of the facts for tests to write", Data: lawfacts.Of},
}

// Verb describes the files that a verb writes.
type Verb struct {
	// Role is the role of the packages.
	Role plan.Role
	// VersionFlag is the flag for the IR of the package's API version.
	VersionFlag, VersionUsage string
	Files                     []File
}

// Run writes the files of a package. For a storage package it first checks that
// BUILD declares the imports of the packages that the plan converts with.
func Run(args []string, v Verb) error {
	flags := verb.NewFlags()
	versionFile := flags.String(v.VersionFlag, v.VersionUsage)
	planFile := flags.String("plan", "the plan of the package")
	var dir *string
	var neighbours *[]string
	if v.Role == plan.Storage {
		dir = flags.String("dir", "the group's folder, such as apis/cache")
		neighbours = flags.Strings("neighbour", "a storage package that this one converts with, according to the lock")
	}
	outs := make([]*string, len(v.Files))
	for i, f := range v.Files {
		outs[i] = flags.String(f.Flag, f.Usage)
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	pkg, version, err := read(*planFile, *versionFile, v.Role)
	if err != nil {
		return err
	}
	if v.Role == plan.Storage {
		if err := lock.CheckNeighbours(pkg, *neighbours, *dir); err != nil {
			return err
		}
	}
	var paths []string
	for _, out := range outs {
		paths = append(paths, *out)
	}
	outputs, shaped := verb.NewOutputs(paths...), shape.New(pkg, version)
	for i, f := range v.Files {
		if f.Data != nil {
			outputs.SetJSON(paths[i], f.Data(pkg, version))
			continue
		}
		text, err := f.Emit(shaped)
		if err != nil {
			return err
		}
		outputs.Set(paths[i], text)
	}
	return outputs.Commit()
}

// read reads the plan and the IR of a package, which must have the role.
func read(planFile, versionFile string, role plan.Role) (*plan.Package, *ir.Version, error) {
	packages, err := plan.Read(planFile)
	if err != nil {
		return nil, nil, err
	}
	versions, err := ir.Read(versionFile)
	if err != nil {
		return nil, nil, err
	}
	pkg, v := packages[0], versions[0]
	if pkg.Role != role {
		return nil, nil, diag.Error{File: planFile, Message: fmt.Sprintf("the plan is of a package with the role "+
			"%q, expected %q", pkg.Role, role)}
	}
	if v.APIVersion != pkg.APIVersion {
		return nil, nil, diag.Error{File: versionFile, Message: fmt.Sprintf("it describes version %s, but %s is the "+
			"plan of version %s", v.APIVersion, planFile, pkg.APIVersion)}
	}
	return pkg, v, nil
}
