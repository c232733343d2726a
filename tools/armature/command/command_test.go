package command

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/spf13/cobra"

	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/crd/crdtest"
	"github.com/armature-dev/armature/tools/armature/program/programtest"
)

const build = "bazel build //:armature-types"

// redisID is the id that the sample of a subnet has in place of a name.
const redisID = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mysample/providers/Contoso.Test/redis/mysample"

// rgOwner is the owner that the sample of a subnet has.
const rgOwner = "  owner:\n    group: storage.azure.armature.dev\n    kind: ResourceGroup\n    name: mysample\n"

// files are those of five groups, two of which have a kind Person. Some have the kinds of the
// examples in the help.
func files(t *testing.T) fs.FS {
	t.Helper()
	all := fstest.MapFS{}
	for folder, group := range map[string]struct {
		name  string
		kinds []crdtest.Kind
	}{
		"0": {"crm.azure.armature.dev", []crdtest.Kind{{Kind: "Person", Plural: "persons"}, {Kind: "Party", Plural: "parties"}}},
		"1": {"cache.azure.armature.dev", []crdtest.Kind{{Kind: "Redis", Plural: "redis", ShortNames: []string{"rds"}}}},
		"2": {"hr.example.com", []crdtest.Kind{{Kind: "Person", Plural: "persons"}}},
		"3": {"storage.azure.armature.dev", []crdtest.Kind{{Kind: "StorageAccount", Plural: "storageaccounts"},
			{Kind: "ResourceGroup", Plural: "resourcegroups", ShortNames: []string{"rg"}}}},
		"4": {"network.azure.armature.dev", []crdtest.Kind{{Kind: "VirtualNetwork", Plural: "virtualnetworks"},
			{Kind: "VirtualNetworkSubnet", Plural: "virtualnetworksubnets", ShortNames: []string{"snet"}}}},
	} {
		for i, k := range group.kinds {
			group.kinds[i].Versions = []string{"v20200101", "v20190101", "v20200101storage"}
			for path, version := range map[string]string{"": "v20200101", "v20190101/": "v20190101"} {
				sample := "apiVersion: " + group.name + "/" + version + "\nkind: " + k.Kind + "\n"
				if k.Kind == "VirtualNetworkSubnet" {
					sample += "spec:\n  cache:\n    armId: " + redisID + "\n" + rgOwner
				}
				all[folder+"/sample/"+path+strings.ToLower(k.Kind)+".yaml"] = &fstest.MapFile{Data: []byte(sample)}
			}
		}
		if group.name == "cache.azure.armature.dev" {
			links, err := json.Marshal(cacheLinks())
			if err != nil {
				t.Fatal(err)
			}
			all[folder+"/"+linksFile] = &fstest.MapFile{Data: links}
		}
		all[folder+"/crds/"+crd.IndexFile] = &fstest.MapFile{Data: crdtest.Files(t, group.name, group.kinds...)[crd.IndexFile]}
	}
	return all
}

// armature runs the command line, and returns what it prints.
func armature(t *testing.T, arguments ...string) (string, error) {
	t.Helper()
	root, err := New(files(t), build)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	root.SetArgs(arguments)
	root.SetOut(&out)
	root.SetErr(io.Discard)
	err = root.ExecuteContext(t.Context())
	return out.String(), err
}

func TestErrors(t *testing.T) {
	for _, test := range []struct{ arguments, want string }{
		{"improt", `there is no command "improt"; did you mean "import"?; armature --help lists them`},
		{"import --out x", "accepts 1 arg(s), received 0: expected armature import ARM-ID --out FOLDER"},
		{"import x --uot y", "unknown flag: --uot: expected armature import ARM-ID --out FOLDER"},
		{"import x", `required flag(s) "out" not set`},
		{"convert -f x --to v20200101", "convert needs the Go types of the groups: found no program "},
		{"identity", `--namespace: found "", expected a name of lower-case letters, digits, hyphens and dots`},
		{"armtest absent", "open absent: no such file or directory"},
		{"armtest EMPTY", ": armtest: found no Swagger document"},
		{"armtest ../../../apis/cache/specs --listen nowhere", "--listen: listen tcp: address nowhere: missing port in address"},
	} {
		arguments := strings.Fields(strings.Replace(test.arguments, "EMPTY", t.TempDir(), 1))
		if _, err := armature(t, arguments...); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("armature %s: %v, want %s", test.arguments, err, test.want)
		}
	}
}

// TestExamples runs the examples in the help of commands, but for those that need a release,
// a cluster, Azure, a program that ends by ctrl-C, or the Go types of groups: these it parses.
func TestExamples(t *testing.T) {
	runs := map[string]bool{"kinds": true, "sample": true, "hook": true, "identity": true, "version": true}
	examples := programtest.Examples(t, func() *cobra.Command {
		root, err := New(files(t), build)
		if err != nil {
			t.Fatal(err)
		}
		return root
	})
	for name, calls := range examples {
		for _, arguments := range calls {
			if !runs[name] {
				continue
			}
			if out, err := armature(t, arguments...); err != nil || out == "" {
				t.Errorf("armature %s: %v\n%s", strings.Join(arguments, " "), err, out)
			}
		}
	}
}

func TestFiles(t *testing.T) {
	damaged := fstest.MapFS{"0/crds/crds.json": &fstest.MapFile{Data: []byte("{}")}}
	if _, err := New(damaged, build); err == nil || !strings.Contains(err.Error(), "0/crds/crds.json: found an index without CRDs") {
		t.Errorf("the error of an index that is none is %v", err)
	}
	out, err := armature(t, "kinds", "rds")
	if err != nil || !strings.Contains(out, "cache.azure.armature.dev  Redis ") {
		t.Errorf("kinds: %v\n%s", err, out)
	}
}
