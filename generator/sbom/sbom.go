// Package sbom says what programs are made of: which Go modules, with which sums and under which licences. It writes
// that in SPDX. Its main type is [Materials].
package sbom

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"

	spdxjson "github.com/spdx/tools-golang/json"
	"github.com/spdx/tools-golang/spdx"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/gomodule"
	"github.com/armature-dev/armature/generator/licences"
)

// noAssertion is the value of what the document does not say.
const noAssertion = "NOASSERTION"

// MediaType is that of the documents.
const MediaType = "application/spdx+json"

// Program is what a program is linked of.
type Program struct {
	// Main is the import path of its main package.
	Main string `json:"main"`
	// Packages are the import paths of its other packages that are no part of Go.
	Packages []string `json:"packages"`
}

// Image is a container image of a program.
type Image struct {
	Name    string // such as "armature-webhook"
	Program string // the name of the program
	Digest  string // such as "sha256:4f…"
}

// Materials are the Go modules of which programs may be linked.
type Materials struct {
	Modules  *gomodule.Versions
	Licences licences.Licences
}

// modulesOf returns the packages of each module in a program: of those of go.mod, of Go and of Armature. unknown are
// packages in none of these.
func (m *Materials) modulesOf(p Program) (modules map[string][]string, unknown []string) {
	modules = map[string][]string{licences.Go: nil, licences.Own: nil}
	for _, name := range p.Packages {
		module, _ := m.Modules.ModuleOf(name)
		switch {
		case strings.HasPrefix(name+"/", licences.Own+"/"):
			module = licences.Own
		case module == "":
			unknown = append(unknown, name)
			continue
		}
		modules[module] = append(modules[module], name)
	}
	return modules, unknown
}

// LicencesOf returns the licence files of all modules of a program, in a folder for each module. A package in no module
// of go.mod is the program's own. A module without a licence is an error.
func (m *Materials) LicencesOf(p Program) (map[string][]byte, error) {
	files := map[string][]byte{}
	var errs diag.List
	modules, _ := m.modulesOf(p)
	for _, module := range slices.Sorted(maps.Keys(modules)) {
		found, err := m.Licences.Of(module, modules[module]...)
		errs.Merge(err)
		for name, text := range found {
			files[path.Join(module, name)] = []byte(text)
		}
	}
	return files, errs.Err()
}

// Strict returns an error if a program has a package that is in no module of go.mod.
func (m *Materials) Strict(programs map[string]Program) error {
	var errs diag.List
	for _, name := range slices.Sorted(maps.Keys(programs)) {
		_, unknown := m.modulesOf(programs[name])
		for _, pkg := range unknown {
			errs.Addf("", 0, 0, "%s has the package %s, which is in no module of go.mod", name, pkg)
		}
	}
	return errs.Err()
}

// Text returns an SPDX document in JSON for a version of Armature: one package for each program, by its name, for each
// module of which it has packages, for Go, and for each image. Modules have their licences and their sums. The document
// is the same for the same arguments: it has no dates, and what distinguishes it from others is its content.
func (m *Materials) Text(version string, programs map[string]Program, images ...Image) ([]byte, error) {
	document := &spdx.Document{
		SPDXVersion:    spdx.Version,
		DataLicense:    spdx.DataLicense,
		SPDXIdentifier: "DOCUMENT",
		DocumentName:   "armature-" + version,
		CreationInfo: &spdx.CreationInfo{
			Creators: []spdx.Creator{{CreatorType: "Tool", Creator: "armature-" + version}},
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
	ids := map[string]spdx.ElementID{} // of programs
	packages := map[string][]string{}  // of each module, in all programs
	for _, name := range slices.Sorted(maps.Keys(programs)) {
		self := add(listed, "Program", name, version, "APPLICATION")
		ids[name] = self.PackageSPDXIdentifier
		relate(document.SPDXIdentifier, ids[name], spdx.RelationshipDescribes)
		modules, _ := m.modulesOf(programs[name])
		for _, module := range slices.Sorted(maps.Keys(modules)) {
			packages[module] = append(packages[module], modules[module]...)
			if module != licences.Own {
				relate(ids[name], m.addModule(listed, module), spdx.RelationshipDependsOn)
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(listed)) {
		p := listed[id]
		module := p.PackageName
		if p.PrimaryPackagePurpose == "APPLICATION" {
			module = licences.Own
		}
		files, err := m.Licences.Of(module, packages[module]...)
		errs.Merge(err)
		expression, err := licences.Expression(files)
		errs.Merge(err)
		if expression != "" {
			p.PackageLicenseDeclared = expression
		}
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	for _, i := range images {
		image := add(listed, "Image", i.Name, version, "CONTAINER")
		refer(image, "pkg:oci/"+i.Name+"@"+strings.Replace(i.Digest, ":", "%3A", 1))
		image.PackageChecksums = []spdx.Checksum{{Algorithm: spdx.SHA256, Value: strings.TrimPrefix(i.Digest, "sha256:")}}
		relate(document.SPDXIdentifier, image.PackageSPDXIdentifier, spdx.RelationshipDescribes)
		relate(image.PackageSPDXIdentifier, ids[i.Program], spdx.RelationshipContains)
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

// addModule adds a module to what is listed, and returns its identifier.
func (m *Materials) addModule(listed map[spdx.ElementID]*spdx.Package, module string) spdx.ElementID {
	if module == licences.Go {
		version := strings.TrimPrefix(runtime.Version(), "go")
		p := add(listed, "Module", module, version, "LIBRARY")
		refer(p, "pkg:golang/stdlib@"+version)
		return p.PackageSPDXIdentifier
	}
	_, version := m.Modules.ModuleOf(module)
	p := add(listed, "Module", module, version, "LIBRARY")
	refer(p, "pkg:golang/"+module+"@"+version)
	if sum := m.Modules.Sum(module); sum != "" {
		p.PackageComment = "The checksum is the sum of the module in go.sum, " + sum + ", in hexadecimal digits."
		if digest, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(sum, "h1:")); err == nil {
			p.PackageChecksums = []spdx.Checksum{{Algorithm: spdx.SHA256, Value: hex.EncodeToString(digest)}}
		}
	}
	return p.PackageSPDXIdentifier
}

// refer gives a package its package URL.
func refer(p *spdx.Package, url string) {
	p.PackageExternalReferences = []*spdx.PackageExternalReference{{
		Category: spdx.CategoryPackageManager, RefType: spdx.PackageManagerPURL, Locator: url,
	}}
}

// noID matches what an identifier may not have.
var noID = regexp.MustCompile(`[^A-Za-z0-9.-]`)

// add adds a package to what is listed, unless it is there, and returns it.
func add(listed map[spdx.ElementID]*spdx.Package, what, name, version, purpose string) *spdx.Package {
	id := spdx.ElementID(what + "-" + noID.ReplaceAllString(name, "-"))
	for listed[id] != nil && listed[id].PackageName != name {
		id += "-"
	}
	if listed[id] == nil {
		listed[id] = &spdx.Package{
			PackageSPDXIdentifier:   id,
			PackageName:             name,
			PackageVersion:          version,
			PackageDownloadLocation: noAssertion,
			PackageLicenseConcluded: noAssertion,
			PackageLicenseDeclared:  noAssertion,
			PackageCopyrightText:    noAssertion,
			PrimaryPackagePurpose:   purpose,
		}
	}
	return listed[id]
}

func write(document *spdx.Document) ([]byte, error) {
	var text bytes.Buffer
	err := spdxjson.Write(document, &text, spdxjson.Indent("  "), spdxjson.EscapeHTML(false))
	return text.Bytes(), err
}
