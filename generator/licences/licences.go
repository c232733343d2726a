// Package licences has the licences of the Go modules that programs are linked of. Its main type is [Licences].
package licences

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/google/licensecheck"
)

// Licences are the licence files of modules: their texts, by the path of the module and by the path of the file in it.
type Licences map[string]map[string]string

// Names of what is no Go module and has licences, too.
const (
	// Go is what Go itself adds to programs, as scanners call it.
	Go = "stdlib"
	// Own is Armature's own module.
	Own = "github.com/armature-dev/armature"
)

// Read reads a file that the repository rule of licences has written.
func Read(file string) (Licences, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var l Licences
	if err := json.Unmarshal(text, &l); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return l, nil
}

// Of returns the licence files that concern packages of a module: those in its root, in the folders of the packages,
// and in between. A module without a licence in its root is an error.
func (l Licences) Of(module string, packages ...string) (map[string]string, error) {
	folders := map[string]bool{".": true}
	for _, name := range packages {
		for dir := strings.TrimPrefix(strings.TrimPrefix(name, module), "/"); dir != "" && dir != "."; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	files := map[string]string{}
	licensed := false
	for name, text := range l[module] {
		if folders[path.Dir(name)] {
			files[name] = text
			licensed = licensed || path.Dir(name) == "." && isLicence(name)
		}
	}
	if !licensed {
		return nil, fmt.Errorf("the module %s has no licence file: expected one such as LICENSE or COPYING in its root; "+
			"a module that go.mod does not name has none here", module)
	}
	return files, nil
}

// isLicence reports whether a file has a licence, and not what it says to pass on.
func isLicence(name string) bool {
	base := strings.ToUpper(path.Base(name))
	for _, start := range []string{"NOTICE", "COPYRIGHT", "PATENTS", "LICENSE_TEMPLATE"} {
		if strings.HasPrefix(base, start) {
			return false
		}
	}
	return true
}

// known are the SPDX identifiers of the licences that Expression finds. The modules of Armature's programs have no
// others, and with these alone a scanner is made in a moment, instead of seconds.
var known = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MPL-2.0"}

var scanner = sync.OnceValues(func() (*licensecheck.Scanner, error) {
	return licensecheck.NewScanner(slices.DeleteFunc(licensecheck.BuiltinLicenses(), func(l licensecheck.License) bool {
		return !slices.Contains(known, l.ID)
	}))
})

// enough is the part of a file in percent that must be of known licences for the file to have no others.
const enough = 75

// Expression returns the SPDX expression of files that all apply, or "" if one of them has a licence that is not known.
func Expression(files map[string]string) (string, error) {
	scanner, err := scanner()
	if err != nil {
		return "", err
	}
	found := map[string]bool{}
	for name, text := range files {
		if !isLicence(name) {
			continue
		}
		covered := scanner.Scan([]byte(text))
		if covered.Percent < enough {
			return "", nil
		}
		for _, match := range covered.Match {
			found[match.ID] = true
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(found)), " AND "), nil
}
