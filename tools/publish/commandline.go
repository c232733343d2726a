package main

import (
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/buildinfo"
	"github.com/armature-dev/armature/generator/sbom"
	"github.com/armature-dev/armature/internal/folder"
	"github.com/armature-dev/armature/tools/publish/programs"
)

// own are the files of the sources that an archive of a program has too.
var own = []string{"LICENSE", "NOTICE"}

// commandLine returns an archive of each program of the command line for each platform, which says which modules it has
// and has their licences. sources has those of Armature.
func (p parts) commandLine(sources folder.Files, linked map[string]sbom.Program, materials *sbom.Materials) (folder.Files, error) {
	files := folder.Files{}
	platforms := map[string][]string{} // by program
	for name, built := range map[string][]string{"armature": p.armature, "armature-types": p.types} {
		for _, file := range built {
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			platform, err := programs.Platform(text)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			if slices.Contains(platforms[name], platform) {
				return nil, fmt.Errorf("%s: found a second %s for %s", file, name, platform)
			}
			platforms[name] = append(platforms[name], platform)
			info := buildinfo.Of(linked[name].Main, p.version, linked[name].Packages, materials.Modules)
			if text, err = buildinfo.Write(text, info); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			content := folder.Files{name: text}
			for _, licence := range own {
				content[licence] = sources[licence]
			}
			texts, err := materials.LicencesOf(linked[name])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			for licence, text := range texts {
				content[path.Join("licenses", licence)] = text
			}
			archive, err := folder.Archive("", content, map[string]bool{name: true})
			if err != nil {
				return nil, err
			}
			files[fmt.Sprintf("%s-%s-%s.tar.gz", name, p.version, platform)] = archive
		}
	}
	for _, all := range slices.Collect(maps.Values(platforms)) {
		slices.Sort(all)
	}
	if !slices.Equal(platforms["armature"], platforms["armature-types"]) {
		return nil, fmt.Errorf("armature is for %s, and armature-types for %s; expected the same platforms",
			strings.Join(platforms["armature"], ", "), strings.Join(platforms["armature-types"], ", "))
	}
	return files, nil
}
