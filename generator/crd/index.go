package crd

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/runtime/apiversion"
)

// IndexFile is the name of the index in a group's CRD folder.
const IndexFile = "crds.json"

// MaxBytes is the greatest size of a CRD as compact JSON, the form in which an API
// server stores it. It is safely below etcd's limit for one request.
const MaxBytes = 1 << 20

// Index says what the CRDs of a group have, for those who choose among them.
type Index struct {
	Group string `json:"group"`
	// CRDs are in the order of their names.
	CRDs []*Summary `json:"crds"`
	// Proposed are the properties that a later version lacks or has with another type,
	// and of which only a tool has said why, in the form of [plan.Change.Line].
	Proposed []string `json:"proposed,omitempty"`
}

// Summary says what a CRD has.
type Summary struct {
	// Name is that of the object, such as "persons.crm.azure.armature.dev".
	Name   string `json:"name"`
	Kind   string `json:"kind"`
	Plural string `json:"plural"`
	// ShortNames are those for kubectl.
	ShortNames []string `json:"shortNames,omitempty"`
	// ARMType is ARM's type of the resource, such as "Microsoft.Cache/redis".
	ARMType string `json:"armType,omitempty"`
	// File is the name of the CRD's file in the folder.
	File string `json:"file"`
	// Bytes is the size as compact JSON.
	Bytes int `json:"bytes"`
	// Outputs reports whether the kind has outputs. The operator writes them, and what is made of them, into Secrets
	// and ConfigMaps.
	Outputs bool `json:"outputs"`
	// Versions are in the order of the CRD.
	Versions []Version `json:"versions"`
}

// Group returns the API group of the CRD.
func (s *Summary) Group() string {
	_, group, _ := strings.Cut(s.Name, ".")
	return group
}

// Version is a version in a CRD.
type Version struct {
	Name string `json:"name"`
	// APIVersion is ARM's version of an API version, such as "2021-04-01-preview". Storage
	// versions and aliases have none.
	APIVersion string `json:"apiVersion,omitempty"`
	// Until is the release that no longer has an alias, or "".
	Until   string `json:"until,omitempty"`
	Served  bool   `json:"served"`
	Storage bool   `json:"storage"`
	// WithoutDocs reports whether an API version has no descriptions, because it was built
	// from its facts alone.
	WithoutDocs bool `json:"withoutDocs,omitempty"`
	// Bytes is the size as compact JSON, and DescriptionBytes the part of it that is
	// descriptions.
	Bytes            int `json:"bytes"`
	DescriptionBytes int `json:"descriptionBytes"`
	// Nodes is the number of schemas.
	Nodes int `json:"nodes"`
}

// IsStored reports whether the version is a storage version.
func (v Version) IsStored() bool { return apiversion.IsStorage(v.Name) }

// summarize returns what the CRD with these versions has.
func summarize(all []listing, sizes sizes) *Summary {
	first := all[0]
	s := &Summary{
		Name:       first.Plural + "." + first.pkg.Group,
		Kind:       first.Kind,
		Plural:     first.Plural,
		ShortNames: first.ShortNames,
		ARMType:    first.ARMType,
		File:       first.pkg.Group + "_" + first.Plural + ".yaml",
		Bytes:      sizes.bytes,
	}
	for i, v := range all {
		size := sizes.versions[i]
		arm := ""
		if v.role == served {
			arm = v.pkg.APIVersion
		}
		s.Versions = append(s.Versions, Version{
			Name: v.pkg.Name, APIVersion: arm, Until: v.Until,
			Served: v.isServed(), Storage: v.role == hub, WithoutDocs: v.pkg.Version.WithoutDocs && !v.isStored(),
			Bytes: size.bytes, DescriptionBytes: size.descriptions, Nodes: size.schemas,
		})
		if v.isStored() {
			continue
		}
		s.Outputs = s.Outputs || len(v.Shape.Outputs) > 0
	}
	return s
}

// outputsOf returns the names of the outputs of a resource that the operator writes
// into Secrets, and of those that it may write into ConfigMaps.
func outputsOf(r *ir.Resource) (secrets, configMaps []string) {
	for _, o := range r.Outputs {
		secrets = append(secrets, o.Name)
		if o.Action == "" {
			configMaps = append(configMaps, o.Name)
		}
	}
	return secrets, configMaps
}

// text returns the index as JSON.
func (x *Index) text() []byte {
	text, err := json.MarshalIndent(x, "", "  ")
	if err != nil {
		panic(err) // it has only texts, numbers and booleans
	}
	return append(text, '\n')
}

// ReadIndex reads an index.
func ReadIndex(file string) (*Index, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("%w; expected a folder that a group's target crds has made", err)
	}
	return ParseIndex(file, text)
}

// ParseIndex returns the index that a file has.
func ParseIndex(file string, text []byte) (*Index, error) {
	x := new(Index)
	if err := json.Unmarshal(text, x); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if x.Group == "" || len(x.CRDs) == 0 {
		return nil, fmt.Errorf("%s: found an index without CRDs, expected one that a group's target crds has made", file)
	}
	return x, nil
}
