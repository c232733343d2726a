package serve

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

// The memory of a kube-apiserver 1.37 with one CRD after another installed, up to
// 1,570 served versions and 120,000 schemas, is these figures to a tenth, and a
// constant for the server itself. docs/upgrades.md has the measurements.
const (
	kbPerVersion  = 1120 // live, where somebody asks for /openapi/v2
	kbPerNode     = 3
	peakMBAtLeast = 3 // for a version, until garbage is collected
	peakMBAtMost  = 4
)

// Live returns the megabytes that an API server keeps in memory.
func (p Price) Live() int {
	return (p.Versions*kbPerVersion + p.Nodes*kbPerNode + 500) / 1000
}

// Peak returns the least and the most of the megabytes that an API server needs
// after a change of CRDs.
func (p Price) Peak() (least, most int) { return p.Versions * peakMBAtLeast, p.Versions * peakMBAtMost }
