package lock

import (
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/plan"
)

// CheckHooks reports the hooks that no conversion calls, each at its place.
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
