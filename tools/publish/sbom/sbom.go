// Package sbom lists what the programs of a release are made of, in SPDX. Its main function is [Text].
package sbom

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strings"

	spdxjson "github.com/spdx/tools-golang/json"
	"github.com/spdx/tools-golang/spdx"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/gomodule"
)

// own is the beginning of the import paths of Armature's own packages.
const own = "github.com/armature-dev/armature/"

// noAssertion is the value of what the document does not say.
const noAssertion = "NOASSERTION"

// Text returns an SPDX document in JSON for a version of Armature. packages is a JSON object with the import paths of
// the packages in each program, by its name. The document has one package for each program, for each module of which it
// has packages, and for Go. It is the same for the same arguments: it has no dates, and what distinguishes it from
// others is its content.
func Text(version string, packages []byte, modules *gomodule.Versions) ([]byte, error) {
	var programs map[string][]string
	if err := json.Unmarshal(packages, &programs); err != nil {
		return nil, err
	}
	document := &spdx.Document{
		SPDXVersion:    spdx.Version,
		DataLicense:    spdx.DataLicense,
		SPDXIdentifier: "DOCUMENT",
		DocumentName:   "armature-" + version,
		CreationInfo: &spdx.CreationInfo{
			Creators: []spdx.Creator{{CreatorType: "Tool", Creator: "armature-publish-" + version}},
			Created:  "1970-01-01T00:00:00Z",
		},
	}
	listed := map[spdx.ElementID]*spdx.Package{}
	relate := func(from, to spdx.ElementID, how string) {
		document.Relationships = append(document.Relationships, &spdx.Relationship{
			RefA: spdx.DocElementID{ElementRefID: from}, RefB: spdx.DocElementID{ElementRefID: to}, Relationship: how,
		})
	}
	var errs diag.List
	for _, program := range slices.Sorted(maps.Keys(programs)) {
		self := add(listed, "Program", program, version, "APPLICATION", "")
		relate(document.SPDXIdentifier, self, spdx.RelationshipDescribes)
		goVersion := strings.TrimPrefix(runtime.Version(), "go")
		parts := map[spdx.ElementID]bool{add(listed, "Module", "stdlib", goVersion, "LIBRARY", "pkg:golang/stdlib@"+goVersion): true}
		for _, name := range programs[program] {
			if strings.HasPrefix(name+"/", own) {
				continue
			}
			module, moduleVersion := modules.ModuleOf(name)
			if module == "" {
				errs.Addf("", 0, 0, "%s has the package %s, which is in no module of go.mod", program, name)
				continue
			}
			parts[add(listed, "Module", module, moduleVersion, "LIBRARY", "pkg:golang/"+module+"@"+moduleVersion)] = true
		}
		for _, part := range slices.Sorted(maps.Keys(parts)) {
			relate(self, part, spdx.RelationshipDependsOn)
		}
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	for _, id := range slices.Sorted(maps.Keys(listed)) {
		document.Packages = append(document.Packages, listed[id])
	}
	content, err := write(document)
	if err != nil {
		return nil, err
	}
	document.DocumentNamespace = fmt.Sprintf("https://spdx.org/spdxdocs/%s-%x", document.DocumentName, sha256.Sum256(content))
	return write(document)
}

// noID matches what an identifier may not have.
var noID = regexp.MustCompile(`[^A-Za-z0-9.-]`)

// add adds a package to those that are listed, unless it is there, and returns its identifier. url is its package URL,
// or "".
func add(listed map[spdx.ElementID]*spdx.Package, what, name, version, purpose, url string) spdx.ElementID {
	id := spdx.ElementID(what + "-" + noID.ReplaceAllString(name, "-"))
	for listed[id] != nil && listed[id].PackageName != name {
		id += "-"
	}
	p := &spdx.Package{
		PackageSPDXIdentifier:   id,
		PackageName:             name,
		PackageVersion:          version,
		PackageDownloadLocation: noAssertion,
		PrimaryPackagePurpose:   purpose,
	}
	if url != "" {
		p.PackageExternalReferences = []*spdx.PackageExternalReference{{
			Category: spdx.CategoryPackageManager, RefType: spdx.PackageManagerPURL, Locator: url,
		}}
	}
	listed[id] = p
	return id
}

func write(document *spdx.Document) ([]byte, error) {
	var text bytes.Buffer
	err := spdxjson.Write(document, &text, spdxjson.Indent("  "), spdxjson.EscapeHTML(false))
	return text.Bytes(), err
}
