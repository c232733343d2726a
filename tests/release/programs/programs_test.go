// Package programs runs the programs of a release as somebody does who has downloaded them.
package programs

import (
	"cmp"
	"debug/buildinfo"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/runtime/version"
	"github.com/armature-dev/armature/tools/publish/programs"
)

// most is the greatest size of armature, which has no Go types of groups.
const most = 60 << 20

// file returns a program of the platform. The build names it in a variable.
func file(t *testing.T, variable string) string {
	t.Helper()
	name := os.Getenv(variable)
	if name == "" {
		t.Fatalf("%s is not set: run the test with ./bazelw test, which builds the programs", variable)
	}
	return filepath.Join("..", "..", "..", name)
}

// platform returns the platform that the build names, or the one of the machine.
func platform() string {
	return cmp.Or(strings.ReplaceAll(os.Getenv("PLATFORM"), "_", "-"), host)
}

const host = runtime.GOOS + "-" + runtime.GOARCH

// TestPrograms looks at the headers of the programs.
func TestPrograms(t *testing.T) {
	for _, variable := range []string{"ARMATURE", "TYPES"} {
		t.Run(variable+" for "+platform(), func(t *testing.T) {
			file := file(t, variable)
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if is, err := programs.Platform(text); err != nil || is != platform() {
				t.Errorf("it is for %s, %v; want %s", is, err, platform())
			}
			info, err := buildinfo.ReadFile(file)
			if err != nil || info.GoVersion != runtime.Version() {
				t.Errorf("it was built with %v, %v; want %s", info, err, runtime.Version())
			}
			if variable == "ARMATURE" && len(text) > most {
				t.Errorf("it has %d bytes, want at most %d", len(text), most)
			}
		})
	}
}

// install copies programs into a folder.
func install(t *testing.T, from map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, file := range from {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// run runs a program, and returns what it prints, errors included.
func run(program string, arguments ...string) (string, error) {
	out, err := exec.Command(program, arguments...).CombinedOutput()
	return string(out), err
}

func TestHost(t *testing.T) {
	if platform() != host {
		t.Skipf("the programs are for %s", platform())
	}
	armature, types := file(t, "ARMATURE"), file(t, "TYPES")
	convert := []string{"convert", "-f", "testdata/redis.yaml", "--to", "2020-06-01"}
	t.Run("armature says its version", func(t *testing.T) {
		if out, err := run(filepath.Join(install(t, map[string]string{"armature": armature}), "armature"), "version"); err != nil ||
			out != version.String()+"\n" {
			t.Errorf("%q, %v, want %s", out, err, version.String())
		}
	})
	t.Run("alone it says which file of the release has the types", func(t *testing.T) {
		out, err := run(filepath.Join(install(t, map[string]string{"armature": armature}), "armature"), convert...)
		want := "armature-types-" + version.String() + "-" + host + ".tar.gz of the release"
		if err == nil || !strings.Contains(out, want) {
			t.Errorf("%v, want %s in\n%s", err, want, out)
		}
	})
	for _, name := range []string{"armature", "kubectl-armature"} {
		t.Run(name+" finds the types beside itself", func(t *testing.T) {
			dir := install(t, map[string]string{name: armature, "armature-types": types})
			out, err := run(filepath.Join(dir, name), convert...)
			if err != nil || !strings.Contains(out, "apiVersion: cache.azure.armature.dev/v20200601\n") {
				t.Errorf("%v:\n%s", err, out)
			}
		})
	}
	t.Run("as a plugin of kubectl its help says so, also that of the types", func(t *testing.T) {
		dir := install(t, map[string]string{"kubectl-armature": armature, "armature-types": types})
		for _, command := range []string{"version", "convert"} {
			out, err := run(filepath.Join(dir, "kubectl-armature"), command, "--help")
			if err != nil || !strings.Contains(out, "\n  kubectl armature "+command) || strings.Contains(out, "\n  armature ") {
				t.Errorf("%v:\n%s", err, out)
			}
		}
		if out, err := run(filepath.Join(dir, "kubectl-armature"), "convert", "-f", "-", "--to", "none", "more"); err == nil ||
			!strings.Contains(out, "kubectl armature convert --help has examples") {
			t.Errorf("%v:\n%s", err, out)
		}
	})
	t.Run("it completes the words of a shell", func(t *testing.T) {
		dir := install(t, map[string]string{"armature": armature})
		out, err := run(filepath.Join(dir, "armature"), "__complete", "ser")
		if err != nil || !slices.Contains(strings.Split(strings.ReplaceAll(out, "\t", "\n"), "\n"), "serve") {
			t.Errorf("%v:\n%s", err, out)
		}
	})
}
