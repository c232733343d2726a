// Package gofiles has the flags of the verbs that make Go modules.
package gofiles

import (
	"os"
	"strings"

	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/gomodule"
)

// Flags adds the flags. When they are parsed, the function reads what they name.
func Flags(flags *verb.Flags) func() (*gomodule.Module, *gomodule.Versions, error) {
	modulePath := flags.String("module", "the module path")
	files := flags.Strings("file", "<import path of the package>/<name>=<file>, for each file")
	needs := flags.Strings("need", "the import path of a package that the module is built from; may be repeated")
	goMod := flags.String("go-mod", "the go.mod with the versions to require")
	goSum := flags.String("go-sum", "its go.sum")
	return func() (*gomodule.Module, *gomodule.Versions, error) {
		versions, err := gomodule.ReadVersions(*goMod, *goSum)
		if err != nil {
			return nil, nil, err
		}
		m := &gomodule.Module{Path: *modulePath, Files: map[string][]byte{}, Needs: *needs}
		var errs diag.List
		for _, entry := range *files {
			name, file, _ := strings.Cut(entry, "=")
			below, inside := strings.CutPrefix(name, *modulePath+"/")
			if !inside {
				errs.Addf("", 0, 0, "%s is not below the module %s", name, *modulePath)
				continue
			}
			if _, twice := m.Files[below]; twice {
				errs.Addf("", 0, 0, "two groups have the file %s", name)
			}
			text, err := os.ReadFile(file)
			errs.Merge(err)
			m.Files[below] = text
		}
		return m, versions, errs.Err()
	}
}
