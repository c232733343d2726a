package typefiles

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/plan"
)

// write puts a file into a folder and returns its path.
func write(t *testing.T, folder, name, text string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestInputsThatDoNotBelongTogetherAreRefused(t *testing.T) {
	const good = `{"group": "g", "name": "v1", "importPath": "p/v1", "apiVersion": "2020-01-01", "role": "api", "resources": []}`
	for _, test := range []struct{ reason, ir, plan, want string }{
		{"all is well", `{"apiVersion": "2020-01-01"}`, good, ""},
		{"the IR of another version", `{"apiVersion": "2021-01-01"}`, good, "v.json: it describes version 2021-01-01; "},
		{"the plan of a storage package", `{"apiVersion": "2020-01-01"}`, strings.Replace(good, `"api"`, `"storage"`, 1), `plan.json: the plan is of a package with the role "storage"`},
		{"no IR", `{"apiversions": 1}`, good, "v.json: not an IR of this generator"},
		{"no plan", `{"apiVersion": "2020-01-01"}`, `[]`, "plan.json: not a plan of this generator"},
	} {
		folder := t.TempDir()
		out := func(name string) string { return filepath.Join(folder, "out", name) }
		err := Run([]string{
			"--ir=" + write(t, folder, "v.json", test.ir), "--plan=" + write(t, folder, "plan.json", test.plan),
			"--types=" + out("types.go"), "--register=" + out("register.go"), "--deepcopy=" + out("deepcopy.go"),
		}, plan.API, "ir", "the IR")
		written, _ := filepath.Glob(out("*"))
		switch {
		case test.want == "" && (err != nil || len(written) != 3):
			t.Errorf("%s: %v, wrote %v", test.reason, err, written)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: got %v, want %s", test.reason, err, test.want)
		case test.want != "" && len(written) != 0:
			t.Errorf("%s: wrote %v", test.reason, written)
		}
	}
}
