package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/armature-dev/armature/internal/folder"
	"github.com/armature-dev/armature/tools/publish/programs"
)

// licences are the files of the sources that an archive of a program has too.
var licences = []string{"LICENSE", "NOTICE"}

// commandLine returns an archive of each program of the command line for each platform. sources has the licences.
func (p parts) commandLine(sources folder.Files) (folder.Files, error) {
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
			content := folder.Files{name: text}
			for _, licence := range licences {
				content[licence] = sources[licence]
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
