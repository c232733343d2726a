// Package emit prints the Go files of an API or storage package: its types, their
// registration, deep copies and conversions.
package emit
