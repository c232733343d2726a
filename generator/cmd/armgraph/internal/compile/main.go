// Command compile leaves Graphviz compiled in the folder for temporary files, as
// go-graphviz does in its init. See package compiled.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	_ "github.com/goccy/go-graphviz"
)

func main() {
	folder := filepath.Join(os.TempDir(), "go-graphviz")
	if made, _ := filepath.Glob(filepath.Join(folder, "*", "*")); len(made) == 0 {
		fmt.Fprintf(os.Stderr, "go-graphviz left nothing in %s: where does it keep what it compiles?\n", folder)
		os.Exit(1)
	}
}
