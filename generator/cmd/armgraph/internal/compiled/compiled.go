// Package compiled provides armgraph with Graphviz compiled by the build. To
// compile it takes half a second of CPU, and to draw a picture some milliseconds.
//
// Graphviz is WebAssembly in go-graphviz, which compiles it in an init unless it
// finds the result of an earlier start in the folder for temporary files. In an
// action this folder is empty. So the build compiles Graphviz once, and the init
// here puts the result there. It runs first, because its import path sorts first.
// The function of the package is [Remove].
package compiled

import (
	"os"
	"path/filepath"
)

// runfiles is the path of the result from a binary that Bazel has built.
const runfiles = ".runfiles/_main/generator/cmd/armgraph/internal/compiled/graphviz"

var folder string

func init() {
	from, err := filepath.Abs(os.Args[0] + runfiles)
	if err != nil {
		return
	}
	files, err := filepath.Glob(filepath.Join(from, "*", "*", "*"))
	if err != nil || len(files) == 0 {
		return // the go command built the binary
	}
	if folder, err = os.MkdirTemp("", "armgraph"); err != nil {
		return
	}
	for _, file := range files {
		name, _ := filepath.Rel(from, file)
		to := filepath.Join(folder, name)
		// Link the files into a writable folder, because go-graphviz adds its
		// own result if this one is for another kind of CPU.
		if os.MkdirAll(filepath.Dir(to), 0o755) != nil || os.Symlink(file, to) != nil {
			return
		}
	}
	os.Setenv("TMPDIR", folder)
}

// Remove removes the files of the init, once go-graphviz has read them.
func Remove() { os.RemoveAll(folder) }
