package crd

import (
	"fmt"
	"math"
)

// Price says what CRDs cost an API server.
type Price struct {
	// Versions is the number of versions that are served, storage versions included.
	Versions int
	// Nodes is the number of schemas in the schemas of all versions.
	Nodes int
	// Bytes is the size of the CRDs as compact JSON, which etcd has.
	Bytes int
}

// Plus returns the price of what both are for.
func (p Price) Plus(other Price) Price {
	return Price{p.Versions + other.Versions, p.Nodes + other.Nodes, p.Bytes + other.Bytes}
}

// What served versions and schemas cost a kube-apiserver 1.37, beside what it needs
// for itself, where somebody asks for /openapi/v2. With these, the memory that was
// measured is right to a tenth, from 160 versions with 11,000 schemas to 549 with
// 30,000; docs/upgrades.md has the measurements, and tests/bench/apiserver repeats
// them.
const (
	liveKBPerVersion = 700
	liveKBPerNode    = 8.4
	peakKBPerVersion = 1400
	peakKBPerNode    = 27
)

// Budget is the megabytes of an API server's memory above which CRDs are warned of.
const Budget = 1500

// Warning returns a sentence about CRDs that cost more than [Budget], or "".
func (p Price) Warning() string {
	if p.Live() <= Budget {
		return ""
	}
	return fmt.Sprintf("the CRDs cost an API server %d MB of memory, and %d at the peak: more than %d is much", p.Live(), p.Peak(), Budget)
}

// Live returns the megabytes that an API server keeps in memory.
func (p Price) Live() int { return p.megabytes(liveKBPerVersion, liveKBPerNode) }

// Peak returns the megabytes that an API server needs after a change of CRDs, until
// garbage is collected.
func (p Price) Peak() int { return p.megabytes(peakKBPerVersion, peakKBPerNode) }

func (p Price) megabytes(perVersion, perNode float64) int {
	return int(math.Round((float64(p.Versions)*perVersion + float64(p.Nodes)*perNode) / 1000))
}

// Price returns what the CRD costs.
func (s *Summary) Price() Price {
	p := Price{Bytes: s.Bytes}
	for _, v := range s.Versions {
		p.Nodes += v.Nodes
		if v.Served {
			p.Versions++
		}
	}
	return p
}

// Price returns what the CRDs cost.
func (x *Index) Price() Price {
	var sum Price
	for _, c := range x.CRDs {
		sum = sum.Plus(c.Price())
	}
	return sum
}
