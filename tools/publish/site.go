package main

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/armature-dev/armature/generator/site/page"
	"github.com/armature-dev/armature/internal/folder"
)

// sites is the folder that has the site of each release, in a folder of its version.
const sites = "site/"

// releases is the script that says which releases have a site. All of them share it, so it is the one file of a
// site that changes: by it each leads to the others.
const releases = sites + "releases.js"

// siteFiles returns the site, whose front page is a file of the build, as it is in the release: its script knows the
// version, and another one lists the pages for those who come from another release.
func (p parts) siteFiles() (folder.Files, error) {
	files := folder.Files{}
	own := sites + p.version + "/"
	if err := addFiles(files, own, filepath.Dir(p.site)); err != nil {
		return nil, err
	}
	pages := []string{}
	for name := range files {
		if path.Ext(name) == ".html" {
			pages = append(pages, strings.TrimPrefix(name, own))
		}
	}
	slices.Sort(pages)
	files[own+page.PagesFile] = page.Call("pages", pages)
	script := own + page.ScriptFile
	files[script] = slices.Concat(files[script], page.Call("release", p.version))
	return files, nil
}

// addFiles adds the files of a folder, below a name. The folders of groups are links.
func addFiles(files folder.Files, below, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		file := filepath.Join(dir, entry.Name())
		info, err := os.Stat(file)
		switch {
		case err != nil:
		case info.IsDir():
			err = addFiles(files, below+entry.Name()+"/", file)
		default:
			files[below+entry.Name()], err = os.ReadFile(file)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// releasesFile returns the script that lists the releases that have a site, of all files by their names.
func releasesFile(all map[string]bool) []byte {
	versions := []string{}
	for name := range all {
		if version, ok := strings.CutPrefix(path.Dir(name), strings.TrimSuffix(sites, "/")+"/"); ok && path.Base(name) == page.PagesFile {
			versions = append(versions, version)
		}
	}
	slices.SortFunc(versions, func(a, b string) int { return semver.Compare("v"+a, "v"+b) })
	return page.Call("releases", versions)
}
