// Package compiled spares armgraph the compilation of Graphviz, which is half a
// second of CPU for a picture that takes some milliseconds.
//
// Graphviz is WebAssembly in go-graphviz, which compiles it in an init, unless an
// earlier start left the result in the folder for temporary files. An action has
// an empty one. So the build compiles once, and the init here, which comes first
// because its import path does, puts the result there. Its function is [Remove].
package compiled

import (
	"os"
	"path/filepath"
)

// runfiles is where the result stands beside a binary that Bazel has built.
const runfiles = ".runfiles/_main/generator/cmd/armgraph/internal/compiled/graphviz"

var folder string

func init() {
	from, err := filepath.Abs(os.Args[0] + runfiles)
	if err != nil {
		return
	}
	files, err := filepath.Glob(filepath.Join(from, "*", "*", "*"))
	if err != nil || len(files) == 0 {
		return // built by go
	}
	if folder, err = os.MkdirTemp("", "armgraph"); err != nil {
		return
	}
	for _, file := range files {
		name, _ := filepath.Rel(from, file)
		to := filepath.Join(folder, name)
		// Links into a folder that can be written: the result may be of
		// another kind of CPU, and then go-graphviz adds its own.
		if os.MkdirAll(filepath.Dir(to), 0o755) != nil || os.Symlink(file, to) != nil {
			return
		}
	}
	os.Setenv("TMPDIR", folder)
}

// Remove removes what the init has made, once go-graphviz has it in memory.
func Remove() { os.RemoveAll(folder) }
