package lock

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
)

// Digests are those of what resources declare, by API version and ARM type, as
// [transform.Digests] returns them for a version.
type Digests map[string]map[string]string

// VersionDigests is the content of a file with the digests of one version.
type VersionDigests struct {
	APIVersion string            `json:"apiVersion"`
	Digests    map[string]string `json:"digests"`
}

// ReadDigests reads the files of several versions.
func ReadDigests(files ...string) (Digests, error) {
	all := Digests{}
	var errs diag.List
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			errs.Merge(err)
			continue
		}
		var v VersionDigests
		if err := ir.DecodeStrict(string(text), &v); err != nil {
			errs.Addf(file, 0, 0, "%v", err)
		}
		all[v.APIVersion] = v.Digests
	}
	return all, errs.Err()
}

// of returns the digest of what a package and the CRD declare of a kind, at the length in
// which a lock has it.
func (d Digests) of(p *plan.Package, kind string) string {
	r := p.Resource(kind)
	text, err := json.Marshal([]any{
		d[p.APIVersion][r.ARMType], r.Kind, r.Plural, r.Singular, r.ShortNames, r.Categories, r.StatusTypes,
	})
	if err != nil {
		panic(err) // cannot happen: they have only texts, numbers and booleans
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])[:12]
}

// declared returns the digests of a kind by the API versions at which the CRD serves it.
func (d Digests) declared(packages []*plan.Package, kind string) map[string]string {
	all := map[string]string{}
	for _, name := range served(packages, kind) {
		i := slices.IndexFunc(packages, func(p *plan.Package) bool { return p.Name == name })
		all[name] = d.of(packages[i], kind)
	}
	return all
}

// digests compares what the published versions declare of each kind.
func (c *lockChecker) digests(want *Lock) {
	for _, kind := range slices.Sorted(maps.Keys(want.Resources)) {
		var changed []string
		got := c.lock.Resources[kind]
		for _, name := range got.Versions {
			if digest, planned := want.Resources[kind].Digests[name]; planned && got.Digests[name] != digest {
				changed = append(changed, name)
			}
		}
		if len(changed) > 0 {
			c.accept(kind, "%s is published at %s, and would declare something else there than the lock says: properties, limits, "+
				"names or short names; build a release before and after, and `armature check` tells what that breaks", kind,
				strings.Join(changed, ", "))
		}
	}
}
