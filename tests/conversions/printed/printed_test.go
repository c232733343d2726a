// Package printed checks what armature hook prints: it is compiled into a package of crm.
package printed

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	here "github.com/armature-dev/armature/apis/crm/v20150505storage"
	next "github.com/armature-dev/armature/apis/crm/v20160606storage"
	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/planner"
	"github.com/armature-dev/armature/generator/transform"
)

func TestPrinted(t *testing.T) {
	t.Run("the hooks do nothing", func(t *testing.T) {
		for _, err := range []error{
			(&here.Person_Spec{}).AssignToPerson_Spec(&next.Person_Spec{}),
			(&here.Person_Spec{}).AssignFromPerson_Spec(&next.Person_Spec{}),
			(&here.Person_Status{}).AssignToPerson_Status(&next.Person_Status{}),
			(&here.Person_Status{}).AssignFromPerson_Status(&next.Person_Status{}),
		} {
			if err != nil {
				t.Error(err)
			}
		}
	})
	t.Run("the planner calls all of them", func(t *testing.T) {
		for _, p := range planned(t, found(t)) {
			want := 0
			if p.Name == "v20150505storage" {
				want = 4
			}
			if len(p.Hooks) != want || len(p.Misfits) > 0 {
				t.Errorf("%s: got the hooks %v and the misfits %v, want %d hooks", p.Name, p.Hooks, p.Misfits, want)
			}
		}
	})
}

// found returns the hooks that armhooks finds in the file.
func found(t *testing.T) []plan.HookSource {
	out := t.TempDir() + "/hooks.json"
	verb := exec.Command(filepath.Join(os.Getenv("TEST_SRCDIR"), os.Getenv("ARMHOOKS")), "@"+params(t,
		"--source=v20150505storage=person.go\n--out="+out+"\n--places="+out+".places\n"))
	if text, err := verb.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	hooks, err := plan.DecodeHooks[plan.HookSource](text)
	if err != nil {
		t.Fatal(err)
	}
	return hooks
}

// params returns a file with the arguments of a verb.
func params(t *testing.T, text string) string {
	file := t.TempDir() + "/args"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// planned returns the packages of crm with hooks.
func planned(t *testing.T, hooks []plan.HookSource) []*plan.Package {
	const crm = "../../../apis/crm"
	files, err := filepath.Glob(crm + "/*.ir.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("found no versions: %v", err)
	}
	versions, err := ir.Read(files...)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range versions {
		versions[i] = transform.API(v)
	}
	group, err := config.Read(crm + "/group.yaml")
	if err != nil {
		t.Fatal(err)
	}
	packages, err := planner.Build(planner.Options{
		Group: "crm.azure.armature.dev", Provider: "Contoso.Crm", ImportPrefix: "github.com/armature-dev/armature/apis/crm",
		Patterns: naming.Default, Config: group, Versions: versions, Hooks: hooks,
	})
	if err != nil {
		t.Fatal(err)
	}
	return packages
}
