// Package buildinfo writes into a program which Go modules it has packages of, where `go version -m` and scanners for
// known vulnerabilities read it. The go command does that for what it builds, and Bazel's rules do not. So every
// program is linked with a placeholder, the variable runtime.modinfo, which the package version has in its BUILD file.
// Its main function is [Write].
package buildinfo

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/gomodule"
)

// The variable begins and ends with sixteen bytes that readers leave out. The linker puts it into a program twice:
// where the program itself reads it, and where others do.
const (
	begin = "armature.modinfo"
	end   = "modinfo.armature"
)

// filler is what a line is filled up with. Readers skip lines that begin with it.
const filler = "#"

// Own is the path of Armature's own module.
const Own = "github.com/armature-dev/armature"

// Of returns the build information of a program with a main package and with other packages: its modules, with their
// sums. A package that is in no module of modules is left out.
func Of(main, version string, packages []string, modules *gomodule.Versions) *debug.BuildInfo {
	found := map[string]*debug.Module{}
	for _, name := range packages {
		if path, version := modules.ModuleOf(name); path != "" && found[path] == nil {
			found[path] = &debug.Module{Path: path, Version: version, Sum: modules.Sum(path)}
		}
	}
	info := &debug.BuildInfo{Path: main, Main: debug.Module{Path: Own, Version: "v" + version}}
	for _, path := range slices.Sorted(maps.Keys(found)) {
		info.Deps = append(info.Deps, found[path])
	}
	return info
}

// ErrNone is the error of a program without the placeholder, which does not link //runtime/version.
var ErrNone = errors.New("found no placeholder for build information")

// Write returns a program with build information in place of the placeholder. A program for darwin gets the hashes of
// its pages anew, without which it would not start.
func Write(program []byte, info *debug.BuildInfo) ([]byte, error) {
	text := info.String()
	program = bytes.Clone(program)
	found := 0
	for at := 0; ; {
		from := bytes.Index(program[at:], []byte(begin))
		if from < 0 {
			break
		}
		from += at + len(begin)
		room := bytes.Index(program[from:], []byte(end))
		at = from
		if room < 0 || !bytes.HasPrefix(program[from:], []byte("path\t")) {
			continue // the name alone, such as that of this package
		}
		// The last line may have nothing but its end.
		if len(text)+1 > room {
			return nil, fmt.Errorf("the modules of %s take %d bytes, and the placeholder of //runtime/version has room for %d: "+
				"make it longer", info.Path, len(text)+1, room)
		}
		copy(program[from:], text+strings.Repeat(filler, room-len(text)-1)+"\n")
		found++
	}
	if found == 0 {
		return nil, ErrNone
	}
	return program, sign(program)
}
