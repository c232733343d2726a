package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/armature-dev/armature/generator/gomodule"
	"github.com/armature-dev/armature/generator/licences"
	"github.com/armature-dev/armature/generator/sbom"
	"github.com/armature-dev/armature/internal/folder"
	"github.com/armature-dev/armature/tools/publish/kubernetes"
)

// materials returns what the programs are linked of, by their names, and the modules of which that is.
func (p parts) materials() (linked map[string]sbom.Program, materials *sbom.Materials, err error) {
	materials = &sbom.Materials{}
	materials.Modules, err = gomodule.ReadVersions(filepath.Join(p.source, "go.mod"), filepath.Join(p.source, "go.sum"))
	if err != nil {
		return nil, nil, err
	}
	if materials.Licences, err = licences.Read(p.licences); err != nil {
		return nil, nil, err
	}
	text, err := os.ReadFile(p.packages)
	if err != nil {
		return nil, nil, err
	}
	if err := json.Unmarshal(text, &linked); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", p.packages, err)
	}
	return linked, materials, materials.Strict(linked)
}

// bills returns the SBOM of the release, whose name begins with that of the release, and an archive with that of each
// image: a folder with an OCI layout, whose one manifest refers to the image.
func (p parts) bills(
	name string, images []kubernetes.Image, linked map[string]sbom.Program, materials *sbom.Materials,
) (folder.Files, error) {
	var all []sbom.Image
	layouts := folder.Files{}
	for _, i := range images {
		image := sbom.Image{Name: i.Name, Program: i.Name, Digest: i.Digest}
		all = append(all, image)
		bill, err := materials.Text(p.version, map[string]sbom.Program{i.Name: linked[i.Name]}, image)
		if err != nil {
			return nil, err
		}
		layout, err := i.Referrer(sbom.MediaType, i.Name+".spdx.json", bill)
		if err != nil {
			return nil, err
		}
		for file, text := range layout {
			layouts[path.Join(i.Name, file)] = text
		}
	}
	bill, err := materials.Text(p.version, linked, all...)
	if err != nil {
		return nil, err
	}
	archive, err := folder.Archive(name+"-sbom-oci", layouts, nil)
	return folder.Files{name + ".spdx.json": bill, name + "-sbom-oci.tar.gz": archive}, err
}
