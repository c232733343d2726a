// Package gomodule makes Go modules of packages that the build has: go.mod, go.sum and
// the tree from which a proxy serves them. Its main type is [Module].
package gomodule

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/sumdb/dirhash"
	"golang.org/x/mod/zip"

	"github.com/armature-dev/armature/generator/diag"
)

// Module is a Go module.
type Module struct {
	// Path is the module path.
	Path string
	// Files has the content of each file by its slashed path in the module.
	Files map[string][]byte
	// Needs are the import paths of the packages that its own are built from and that
	// are no part of Go, directly or not. Its own may be among them.
	Needs []string
}

// Versions are the modules that a module may require.
type Versions struct {
	goVersion string
	modules   map[string]string // versions, by module path
	sums      []string          // lines of go.sum
}

// ReadVersions reads a go.mod and its go.sum.
func ReadVersions(goMod, goSum string) (*Versions, error) {
	text, err := os.ReadFile(goMod)
	if err != nil {
		return nil, err
	}
	file, err := modfile.Parse(goMod, text, nil)
	if err != nil {
		return nil, err
	}
	sums, err := os.ReadFile(goSum)
	if err != nil {
		return nil, err
	}
	v := &Versions{goVersion: file.Go.Version, modules: map[string]string{}, sums: strings.Split(strings.TrimSpace(string(sums)), "\n")}
	for _, r := range file.Require {
		v.modules[r.Mod.Path] = r.Mod.Version
	}
	return v, nil
}

// AddProxy adds the only module of a proxy's tree.
func (v *Versions) AddProxy(dir string) error {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	var zips []string
	err = filepath.WalkDir(dir, func(file string, _ fs.DirEntry, err error) error {
		if path.Ext(file) == ".zip" {
			zips = append(zips, file)
		}
		return err
	})
	if err != nil {
		return err
	}
	if len(zips) != 1 {
		return fmt.Errorf("%s: found %d modules, expected one", dir, len(zips))
	}
	rel, err := filepath.Rel(dir, filepath.Dir(filepath.Dir(zips[0])))
	if err != nil {
		return err
	}
	modulePath, err := module.UnescapePath(filepath.ToSlash(rel))
	if err != nil {
		return err
	}
	version := strings.TrimSuffix(filepath.Base(zips[0]), ".zip")
	ofZip, err := dirhash.HashZip(zips[0], dirhash.DefaultHash)
	if err != nil {
		return err
	}
	ofMod, err := dirhash.DefaultHash([]string{"go.mod"}, func(string) (io.ReadCloser, error) {
		return os.Open(strings.TrimSuffix(zips[0], ".zip") + ".mod")
	})
	if err != nil {
		return err
	}
	v.modules[modulePath] = version
	v.sums = append(v.sums, fmt.Sprintf("%s %s %s", modulePath, version, ofZip), fmt.Sprintf("%s %s/go.mod %s", modulePath, version, ofMod))
	return nil
}

// Require returns go.mod and go.sum of a module: it requires what it needs, and
// nothing else. A version is that of v. The sums are those of the required modules,
// and of the go.mod files of all, which the go command reads to choose versions.
func (v *Versions) Require(m *Module) (goMod, goSum []byte, err error) {
	own, imported, err := m.packages()
	if err != nil {
		return nil, nil, err
	}
	var errs diag.List
	direct := map[string]bool{} // by module path
	for _, name := range slices.Sorted(slices.Values(m.Needs)) {
		if own[name] {
			continue
		}
		found, _ := v.ModuleOf(name)
		if found == "" {
			errs.Addf("", 0, 0, "%s needs the package %s, which is in none of its groups, and in no module that Armature requires: "+
				"add the group that has it, or leave out the one that imports it", m.Path, name)
			continue
		}
		direct[found] = direct[found] || imported[name]
	}
	if err := errs.Err(); err != nil {
		return nil, nil, err
	}
	file := new(modfile.File)
	if err := file.AddModuleStmt(m.Path); err != nil {
		return nil, nil, err
	}
	if err := file.AddGoStmt(v.goVersion); err != nil {
		return nil, nil, err
	}
	var requirements []*modfile.Require
	for name, isDirect := range direct {
		requirements = append(requirements,
			&modfile.Require{Mod: module.Version{Path: name, Version: v.modules[name]}, Indirect: !isDirect})
	}
	slices.SortFunc(requirements, func(a, b *modfile.Require) int { return strings.Compare(a.Mod.Path, b.Mod.Path) })
	file.SetRequireSeparateIndirect(requirements)
	file.Cleanup()
	goMod, err = file.Format()
	return goMod, v.sumsOf(direct), err
}

// ModuleOf returns the path and the version of the module that has a package. Both are empty if there is none.
func (v *Versions) ModuleOf(pkg string) (modulePath, version string) {
	for name := pkg; name != "."; name = path.Dir(name) {
		if v.modules[name] != "" {
			return name, v.modules[name]
		}
	}
	return "", ""
}

// Sum returns the sum of a module at its version, as in go.sum, or "".
func (v *Versions) Sum(modulePath string) string {
	for _, line := range v.sums {
		if sum, found := strings.CutPrefix(line, modulePath+" "+v.modules[modulePath]+" "); found {
			return sum
		}
	}
	return ""
}

// sumsOf returns the text of a go.sum.
func (v *Versions) sumsOf(modules map[string]bool) []byte {
	var lines []string
	for _, line := range v.sums {
		name, rest, _ := strings.Cut(line, " ")
		version, _, _ := strings.Cut(rest, " ")
		_, required := modules[name]
		if strings.HasSuffix(version, "/go.mod") || required && version == v.modules[name] {
			lines = append(lines, line+"\n")
		}
	}
	slices.Sort(lines)
	return []byte(strings.Join(lines, ""))
}

// packages returns the import paths of the module's packages, and of those that they
// import.
func (m *Module) packages() (own, imported map[string]bool, err error) {
	own, imported = map[string]bool{}, map[string]bool{}
	var errs diag.List
	for name, text := range m.Files {
		if path.Ext(name) != ".go" {
			continue
		}
		own[path.Join(m.Path, path.Dir(name))] = true
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			errs.Merge(err)
			continue
		}
		for _, spec := range file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			errs.Merge(err)
			imported[name] = true
		}
	}
	return own, imported, errs.Err()
}

// Proxy returns the files from which a proxy serves a version of a module, with its
// go.mod. Equal modules give equal bytes.
func (m *Module) Proxy(version string, goMod []byte) (map[string][]byte, error) {
	id := module.Version{Path: m.Path, Version: version}
	if err := module.Check(id.Path, id.Version); err != nil {
		return nil, err
	}
	files := []zip.File{zipFile{"go.mod", goMod}}
	for name, text := range m.Files {
		files = append(files, zipFile{name, text})
	}
	slices.SortFunc(files, func(a, b zip.File) int { return strings.Compare(a.Path(), b.Path()) })
	var archive bytes.Buffer
	if err := zip.Create(&archive, id, files); err != nil {
		return nil, err
	}
	info, err := json.Marshal(map[string]string{"Version": version})
	if err != nil {
		return nil, err
	}
	escaped, err := module.EscapePath(m.Path)
	if err != nil {
		return nil, err
	}
	folder := escaped + "/@v/"
	return map[string][]byte{
		folder + "list":            []byte(version + "\n"),
		folder + version + ".info": append(info, '\n'),
		folder + version + ".mod":  goMod,
		folder + version + ".zip":  archive.Bytes(),
	}, nil
}

// zipFile is a file for package zip.
type zipFile struct {
	name string
	text []byte
}

func (f zipFile) Path() string                 { return f.name }
func (f zipFile) Lstat() (os.FileInfo, error)  { return fileInfo{f}, nil }
func (f zipFile) Open() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(f.text)), nil }

// fileInfo describes a regular file.
type fileInfo struct{ zipFile }

func (f fileInfo) Name() string     { return path.Base(f.name) }
func (f fileInfo) Size() int64      { return int64(len(f.text)) }
func (fileInfo) Mode() os.FileMode  { return 0o644 }
func (fileInfo) ModTime() time.Time { return time.Time{} }
func (fileInfo) IsDir() bool        { return false }
func (fileInfo) Sys() any           { return nil }
