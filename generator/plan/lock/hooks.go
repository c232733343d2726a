package lock

import (
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/plan"
)

// CheckHooks returns an error for each hook that no conversion calls, with its
// position.
func CheckHooks(packages []*plan.Package, places []plan.HookPlace) error {
	var errs diag.List
	for _, p := range packages {
		for _, m := range p.Misfits {
			var at plan.HookPlace
			for _, place := range places {
				if place.Package == p.Name && place.Receiver == m.Receiver && place.Method == m.Method {
					at = place
				}
			}
			errs.Addf(at.File, at.Line, at.Column, "%s", m.Message)
		}
	}
	return errs.Err()
}
