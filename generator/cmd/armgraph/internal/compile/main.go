// Command compile leaves Graphviz compiled, as go-graphviz does on its first
// start, in the folder for temporary files. See package compiled.
package main

import _ "github.com/goccy/go-graphviz"

func main() {}
