package main

import (
	"bytes"
	"fmt"

	"github.com/armature-dev/armature/generator/emit"
)

// page returns the sizes as a table in Markdown.
func page(crds []emit.Size) []byte {
	var b bytes.Buffer
	b.WriteString("# Sizes of the CRDs\n\nBytes of compact JSON, by cause.\n\n")
	b.WriteString("| CRD | all | descriptions | schemas | storage versions | rest |\n|---|--:|--:|--:|--:|--:|\n")
	sum := emit.Size{CRD: "**all**"}
	for _, c := range crds {
		sum.Bytes += c.Bytes
		sum.Descriptions += c.Descriptions
		sum.Schemas += c.Schemas
		sum.Storage += c.Storage
	}
	for _, c := range append(crds, sum) {
		rest := c.Bytes - c.Descriptions - c.Schemas - c.Storage
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d |\n", c.CRD, c.Bytes, c.Descriptions, c.Schemas, c.Storage, rest)
	}
	return b.Bytes()
}
