package laws

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/armature-dev/armature/runtime/roundtrip"
)

// Facts are what the laws ask about a generated package and cannot see in its code.
type Facts struct {
	// Storage is set for a storage package, and not for one of an API version.
	Storage bool `json:"storage,omitempty"`
	// Waivers are the laws that group.yaml waives, for this package only.
	Waivers []roundtrip.Waiver `json:"waivers,omitempty"`
	// Bags are the entries of property bags that the conversions of a storage package
	// take, as [roundtrip.Options] has them.
	Bags map[string][]roundtrip.BagEntry `json:"bags,omitempty"`
	// Rules say which objects of an API version are valid.
	Rules roundtrip.Rules `json:"rules,omitempty"`
}

// File is the path of the facts in the folder of their package.
const File = "testdata/laws.json"

// Read reads the facts of a package. Group is the folder with the folders of packages.
func Read(group, pkg string) (*Facts, error) {
	file := filepath.Join(group, pkg, filepath.FromSlash(File))
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("%w; the build makes it: run the test where it was generated, with Bazel, or in an exported module", err)
	}
	facts := new(Facts)
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(facts); err != nil {
		return nil, fmt.Errorf("%s: %w; it is of another version of Armature: build or export the package again", file, err)
	}
	return facts, nil
}
