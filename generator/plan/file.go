package plan

import (
	"fmt"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
)

// Decode reads a plan file. It returns an error for an unknown field, because
// another version of the generator wrote it.
func Decode(text string) (*Package, error) {
	p := new(Package)
	if err := ir.DecodeStrict(text, p); err != nil {
		return nil, fmt.Errorf("not a plan of this generator: %w", err)
	}
	return p, nil
}

// Read reads plan files, such as all of a group. Its error lists every file
// that cannot be read.
func Read(files ...string) ([]*Package, error) {
	var errs diag.List
	packages := make([]*Package, len(files))
	for i, file := range files {
		text, err := ir.ReadText(file)
		if err != nil {
			errs.Merge(err)
			continue
		}
		if packages[i], err = Decode(text); err != nil {
			errs.Addf(file, 0, 0, "%v", err)
		}
	}
	return packages, errs.Err()
}
