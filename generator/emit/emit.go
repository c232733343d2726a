// Package emit prints what armature generates: the Go files of an API or
// storage package and the CRDs of a group. A Go file is printed through a
// [File], by functions that read in the order of their output.
package emit
