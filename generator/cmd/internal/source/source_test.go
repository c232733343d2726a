package source

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/plan"
)

// write writes a file into a folder and returns its path.
func write(t *testing.T, folder, name, text string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRun(t *testing.T) {
	const (
		api     = `{"group": "g", "name": "v1", "importPath": "p/v1", "apiVersion": "2020-01-01", "role": "api", "resources": []}`
		version = `{"apiVersion": "2020-01-01"}`
	)
	storage := strings.Replace(api, `"api"`, `"storage"`, 1)
	linked := strings.Replace(storage, `[]`,
		`[], "neighbours": [{"name": "v2storage", "importPath": "p/v2storage", "apiVersion": "2021-01-01"}]`, 1)
	for _, test := range []struct {
		behaviour, ir, plan string
		role                plan.Role
		flags               []string
		want                string
	}{
		{"the files of an API package are written", version, api, plan.API, nil, ""},
		{"the files of a storage package are written", version, linked, plan.Storage,
			[]string{"--dir=apis/g", "--neighbour=v2storage"}, ""},
		{"the IR of another version is refused", `{"apiVersion": "2021-01-01"}`, api, plan.API, nil,
			"v.json: it describes version 2021-01-01, but "},
		{"the plan of another role is refused", version, storage, plan.API, nil,
			`plan.json: the plan is of a package with the role "storage"`},
		{"a file that is not an IR is named", `{"apiversions": 1}`, api, plan.API, nil, "v.json: not an IR of this generator"},
		{"a file that is not a plan is named", version, `[]`, plan.API, nil, "plan.json: not a plan of this generator"},
		{"a lock that lacks a link is refused", version, linked, plan.Storage, []string{"--dir=apis/g"},
			"apis/g/lock.bzl: the lock says that v1 converts with none, and the plan that it converts with v2storage; write the lock anew with: ./bazelw run //apis/g:lock.update"},
		{"a lock with another link is refused", version, linked, plan.Storage, []string{"--dir=apis/g", "--neighbour=v3storage"},
			"apis/g/lock.bzl: the lock says that v1 converts with v3storage, and the plan that it converts with v2storage; "},
	} {
		t.Run(test.behaviour, func(t *testing.T) {
			folder := t.TempDir()
			args := append([]string{
				"--ir=" + write(t, folder, "v.json", test.ir), "--plan=" + write(t, folder, "plan.json", test.plan),
			}, test.flags...)
			files := slices.Concat(Types, Conversions)
			for _, f := range files {
				args = append(args, "--"+f.Flag+"="+filepath.Join(folder, "out", f.Flag+".go"))
			}
			err := Run(args, Verb{Role: test.role, VersionFlag: "ir", VersionUsage: "the IR", Files: files})
			written, _ := filepath.Glob(filepath.Join(folder, "out", "*"))
			switch {
			case test.want == "" && (err != nil || len(written) != len(files)):
				t.Errorf("%v, wrote %v", err, written)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("got %v, want %s", err, test.want)
			case test.want != "" && len(written) != 0:
				t.Errorf("wrote %v", written)
			}
		})
	}
}
