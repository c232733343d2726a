// Command compile makes go-graphviz compile Graphviz, which its init does, into
// the folder for temporary files. See package compiled.
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
		fmt.Fprintf(os.Stderr, "found nothing in %s, expected Graphviz compiled: go-graphviz may keep it elsewhere "+
			"now; see package compiled\n", folder)
		os.Exit(1)
	}
}
