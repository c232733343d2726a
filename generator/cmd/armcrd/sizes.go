package main

import (
	"bytes"
	"fmt"

	"github.com/armature-dev/armature/generator/crd"
)

// sizes has the bytes of a CRD by cause. The rest, which has no cause here, stands
// beside the versions.
type sizes struct{ all, descriptions, schemas, storage int }

// sizesOf returns the sizes of a CRD. The descriptions and schemas are those of the
// API versions.
func sizesOf(c *crd.Summary) sizes {
	s := sizes{all: c.Bytes}
	for _, v := range c.Versions {
		if v.IsStored() {
			s.storage += v.Bytes
			continue
		}
		s.descriptions += v.DescriptionBytes
		s.schemas += v.Bytes - v.DescriptionBytes
	}
	return s
}

func (s sizes) plus(other sizes) sizes {
	return sizes{s.all + other.all, s.descriptions + other.descriptions, s.schemas + other.schemas, s.storage + other.storage}
}

// row returns a row of the table of sizes.
func (s sizes) row(name string) string {
	rest := s.all - s.descriptions - s.schemas - s.storage
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %d |\n", name, s.all, s.descriptions, s.schemas, s.storage, rest)
}

// page returns the sizes and the price of a group's CRDs as tables in Markdown.
func page(index *crd.Index) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("# Sizes of the CRDs\n\nBytes of compact JSON, by cause.\n\n")
	b.WriteString("| CRD | all | descriptions | schemas | storage versions | rest |\n|---|--:|--:|--:|--:|--:|\n")
	var sum sizes
	for _, c := range index.CRDs {
		b.WriteString(sizesOf(c).row(c.Name))
		sum = sum.plus(sizesOf(c))
	}
	b.WriteString(sum.row("**all**"))
	b.WriteString("\nBytes of each version. The version that clients get by default has all of its descriptions, and comes first.\n\n" +
		"| CRD | version | bytes | schemas |\n|---|---|--:|--:|\n")
	for _, c := range index.CRDs {
		for _, v := range c.Versions {
			fmt.Fprintf(&b, "| %s | %s | %d | %d |\n", c.Name, v.Name, v.Bytes, v.Nodes)
		}
	}
	b.WriteString("\n# Price\n\nWhat the group costs an API server, beside what that needs for itself; see docs/upgrades.md.\n\n" +
		"| served | versions | in etcd, KB | memory, MB | at the peak, MB |\n|---|--:|--:|--:|--:|\n")
	for _, choice := range []string{"newest=1", crd.DefaultChoice, "all"} {
		p, err := priceOf(index, choice)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d |\n", choice, p.Versions, p.Bytes/1000, p.Live(), p.Peak())
	}
	return b.Bytes(), nil
}

// priceOf returns the price of CRDs of which a choice of versions is served.
func priceOf(index *crd.Index, choice string) (crd.Price, error) {
	chosen, err := crd.ParseChoice(choice)
	if err != nil {
		return crd.Price{}, err
	}
	return index.Serve(chosen).Price(), nil
}
