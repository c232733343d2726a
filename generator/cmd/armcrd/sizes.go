package main

import (
	"bytes"
	"fmt"

	"github.com/armature-dev/armature/generator/emit"
	"github.com/armature-dev/armature/generator/serve"
)

// page returns the sizes and the price of a group's CRDs as tables in Markdown.
func page(crds []emit.Size) ([]byte, error) {
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
	b.WriteString("\nBytes of each version. The version that clients get by default has all of its descriptions, and comes first.\n\n| CRD | version | bytes | schemas |\n|---|---|--:|--:|\n")
	for _, c := range crds {
		for _, v := range c.Versions {
			fmt.Fprintf(&b, "| %s | %s | %d | %d |\n", c.CRD, v.Name, v.Bytes, v.Nodes)
		}
	}
	b.WriteString("\n# Price\n\nWhat the group costs an API server, beside what that needs for itself; see docs/upgrades.md.\n\n")
	b.WriteString("| served | versions | in etcd, KB | memory, MB | at the peak, MB |\n|---|--:|--:|--:|--:|\n")
	for _, choice := range []string{"newest=1", serve.Default, "all"} {
		p, err := priceOf(crds, choice)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d |\n", choice, p.Versions, p.Bytes/1000, p.Live(), p.Peak())
	}
	return b.Bytes(), nil
}

// priceOf returns the price of CRDs of which a choice of versions is served.
func priceOf(crds []emit.Size, choice string) (serve.Price, error) {
	chosen, err := serve.Parse(choice)
	if err != nil {
		return serve.Price{}, err
	}
	var sum serve.Price
	for _, c := range crds {
		crd := &serve.CRD{Name: c.CRD, Versions: c.Versions, Rest: c.Bytes}
		for _, v := range c.Versions {
			crd.Rest -= v.Bytes + len(",")
		}
		sum = sum.Plus(crd.Serve(chosen).Price())
	}
	return sum, nil
}

// warning returns a line about a group whose price is above a budget of megabytes, or
// "".
func warning(group string, price serve.Price, budget int) string {
	if price.Live() <= budget {
		return ""
	}
	return fmt.Sprintf("warning: %s costs an API server %d MB of memory, with the versions that a release serves (%s); its budget is %d. Export fewer kinds, or raise memory_budget in its BUILD.bazel\n", group, price.Live(), serve.Default, budget)
}
