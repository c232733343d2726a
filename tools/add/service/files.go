package service

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/facts"
	"github.com/armature-dev/armature/generator/plan/lock"
	"github.com/armature-dev/armature/generator/transform"
	"github.com/armature-dev/armature/tools/specs/layout"
)

// makeFiles returns the files that change, by their names relative to the root of the repository. If the specs are in
// the tree, a person writes all but the facts and the samples.
func makeFiles(p *planned) (map[string][]byte, error) {
	files, err := p.factsFiles()
	if err != nil {
		return nil, err
	}
	samples, examples, err := p.samples()
	if err != nil {
		return nil, err
	}
	if samples != nil {
		files[p.samplesFile()] = samples
	}
	if p.inTree {
		return files, nil
	}
	locked, err := p.lockFile()
	if err != nil {
		return nil, err
	}
	build, err := p.buildFile()
	if err != nil {
		return nil, err
	}
	if build != nil {
		files[p.dir()+"/BUILD.bazel"] = build
	}
	if !bytes.Equal(p.yaml, p.text) {
		files[p.dir()+"/group.yaml"] = p.yaml
	}
	if !bytes.Equal(locked, p.lockText) {
		files[p.dir()+"/lock.bzl"] = locked
	}
	edits, err := p.edits(examples)
	maps.Copy(files, edits)
	return files, err
}

// factsFiles returns the files with facts that are to be written.
func (s *sources) factsFiles() (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, v := range s.raw {
		text, err := facts.Encode(v)
		if err != nil {
			return nil, err
		}
		if string(text) != s.written[v.APIVersion] {
			files[s.factsFile(v.APIVersion)] = text
		}
	}
	return files, nil
}

// lockFile returns lock.bzl.
func (p *planned) lockFile() ([]byte, error) {
	digests := lock.Digests{}
	for _, v := range p.versions {
		var err error
		if digests[v.APIVersion], err = transform.Digests(v); err != nil {
			return nil, err
		}
	}
	return lock.New(p.packages, digests, p.lock).Format(p.dir())
}

// buildFile returns BUILD.bazel, or nil if it does not change.
func (s *sources) buildFile() ([]byte, error) {
	if s.isNew() {
		return s.newBuild()
	}
	return s.build.with(s.entries()), nil
}

// entries returns the entries of BUILD.bazel for the versions that are read from the specs.
func (s *sources) entries() map[string][]string {
	all := map[string][]string{}
	for _, v := range s.apiVersions() {
		if s.lacks(v, s.documents[v]) {
			continue
		}
		for _, doc := range s.documents[v] {
			if format := s.formats[doc]; format != "" {
				doc = format + ":" + doc
			}
			all[v] = append(all[v], doc)
		}
		for _, ref := range s.refs[v] {
			all[v] = append(all[v], documents.Ref+":"+ref)
		}
	}
	return all
}

// compareLabels orders labels as buildifier does: those of other repositories come first.
func compareLabels(a, b string) int {
	if isOther := strings.HasPrefix(a, "@"); isOther == strings.HasPrefix(b, "@") {
		return strings.Compare(a, b)
	} else if isOther {
		return -1
	}
	return 1
}

// newBuild returns the BUILD.bazel of a new group, as buildifier formats it.
func (s *sources) newBuild() ([]byte, error) {
	rules, specs, err := s.in.loads()
	if err != nil {
		return nil, err
	}
	prefixes := map[string]string{} // the constant of each folder of versions
	for _, v := range s.apiVersions() {
		for _, doc := range s.documents[v] {
			if folder, _, found := strings.Cut(doc, v+"/"); found {
				prefixes[folder] = ""
			}
		}
	}
	nameConstants(prefixes)
	var b strings.Builder
	loads := map[string]string{specs: "SPECS", rules: "arm_service_group"}
	apiGroup := fmt.Sprintf("%q", s.apiGroup)
	if s.sharesDomain {
		apiGroup = fmt.Sprintf("%q + DOMAIN", s.name+".")
		loads["//"+s.in.folder()+":domain.bzl"] = "DOMAIN"
	}
	fmt.Fprintf(&b, "\"\"\"%s.\"\"\"\n\n", s.provider)
	for _, label := range slices.SortedFunc(maps.Keys(loads), compareLabels) {
		fmt.Fprintf(&b, "load(%q, %q)\n", label, loads[label])
	}
	b.WriteString("load(\":lock.bzl\", \"LOCK\")\n")
	for _, folder := range slices.SortedFunc(maps.Keys(prefixes),
		func(a, b string) int { return strings.Compare(prefixes[a], prefixes[b]) }) {
		fmt.Fprintf(&b, "\n%s = %q\n", prefixes[folder], folder)
	}
	fmt.Fprintf(&b, "\narm_service_group(\n    name = %q,\n    config = \"group.yaml\",\n    group = %s,\n    "+
		"importpath = %q,\n    lock = LOCK,\n    provider = %q,\n    specs = SPECS,\n    versions = {\n",
		s.name, apiGroup, s.importPath, s.provider)
	for _, v := range s.apiVersions() {
		var entries []string
		for _, doc := range s.documents[v] {
			folder, file, _ := strings.Cut(doc, v+"/")
			entries = append(entries, fmt.Sprintf("%s + %q", prefixes[folder], v+"/"+file))
		}
		for _, ref := range s.refs[v] {
			entries = append(entries, fmt.Sprintf("%q", documents.Ref+":"+ref))
		}
		if len(entries) == 1 {
			fmt.Fprintf(&b, "        %q: [%s],\n", v, entries[0])
			continue
		}
		fmt.Fprintf(&b, "        %q: [\n            %s,\n        ],\n", v, strings.Join(entries, ",\n            "))
	}
	b.WriteString("    },\n)\n")
	return []byte(b.String()), nil
}

// nameConstants gives each folder of versions a constant: _STABLE and _PREVIEW for
// those of Swagger, with the name of the service in front if there are several,
// _TYPES for bicep types, and _SCHEMAS for the JSON schemas.
func nameConstants(folders map[string]string) {
	services := map[string]bool{}
	for folder := range folders {
		if s := serviceOf(folder); s != "" {
			services[s] = true
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		name := "_SCHEMAS"
		if strings.HasPrefix(folder, layout.TypesFolder+"/") {
			name = "_TYPES"
		}
		if service := serviceOf(folder); service != "" {
			name = "_STABLE"
			if strings.HasSuffix(folder, "/preview/") {
				name = "_PREVIEW"
			}
			if len(services) > 1 {
				name = "_" + strings.ToUpper(strings.ReplaceAll(service, "-", "_")) + name
			}
		}
		for stem, n := name, 2; slices.Contains(slices.Collect(maps.Values(folders)), name); n++ {
			name = fmt.Sprint(stem, "_", n)
		}
		folders[folder] = name
	}
}
