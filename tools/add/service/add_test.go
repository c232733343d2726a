package service

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/armature-dev/armature/internal/golden"
	"github.com/armature-dev/armature/tools/specs/layout"
)

// repository writes the repository and the specs of the cases into a folder, and
// returns the two.
func repository(t *testing.T) (root string, specs Specs) {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/repository.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range archive.Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "repository"), Specs(filepath.Join(dir, "specs"))
}

func TestPlan(t *testing.T) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(cases) < 2 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	for _, file := range cases {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		if name == "repository" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			want, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			root, specs := repository(t)
			got := &txtar.Archive{Comment: want.Comment}
			change, err := Plan(request(t, root, specs, string(want.Comment)))
			if err != nil {
				text := strings.ReplaceAll(err.Error(), string(specs), "the specs")
				got.Files = append(got.Files, txtar.File{Name: "error", Data: []byte(text + "\n")})
			} else {
				got.Files = files(change)
			}
			golden.Equal(t, file, string(txtar.Format(got)))
		})
	}
}

// request reads the fields of a request, one in a line.
func request(t *testing.T, root string, specs Specs, text string) Request {
	t.Helper()
	r := Request{Repository: Repository{Root: root}, Specs: specs}
	for line := range strings.Lines(text) {
		field, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch field {
		case "provider":
			r.Provider = value
		case "group":
			r.Group = value
		case "folder":
			r.Folder = value
		case "domain":
			r.Domain = value
		case "importpath":
			r.ImportPath = value
		case "types":
			r.Types = strings.Fields(value)
		case "versions":
			r.Versions = strings.Fields(value)
		default:
			t.Fatalf("the case has the field %q", field)
		}
	}
	return r
}

// files returns what a change prints and writes.
func files(c *Change) []txtar.File {
	var output bytes.Buffer
	c.Print(&output)
	all := []txtar.File{{Name: "output", Data: output.Bytes()}}
	for _, name := range slices.Sorted(maps.Keys(c.Files)) {
		all = append(all, txtar.File{Name: name, Data: c.Files[name]})
	}
	return all
}

func TestWrite(t *testing.T) {
	root, specs := repository(t)
	change, err := Plan(Request{Repository: Repository{Root: root}, Specs: specs, Provider: "Contoso.Shop"})
	if err != nil {
		t.Fatal(err)
	}
	if err := change.Write(root); err != nil {
		t.Fatal(err)
	}
	for name, want := range change.Files {
		if got, err := os.ReadFile(filepath.Join(root, name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	t.Run("a second time it is refused", func(t *testing.T) {
		_, err := Plan(Request{Repository: Repository{Root: root}, Specs: specs, Provider: "Contoso.Shop"})
		if err == nil || !strings.Contains(err.Error(), "apis/contososhop exists") {
			t.Errorf("error = %v", err)
		}
	})
	t.Run("a failure leaves the files as they were", func(t *testing.T) {
		root, specs := repository(t)
		change, err := Plan(Request{Repository: Repository{Root: root}, Specs: specs, Provider: "Contoso.Shop"})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, "apis", "contososhop"), nil, 0o644); err != nil { // where a folder is to be
			t.Fatal(err)
		}
		if err := change.Write(root); err == nil {
			t.Fatal("no error")
		}
		if text, err := os.ReadFile(filepath.Join(root, ".ci", "groups")); err != nil || string(text) != "2\n" {
			t.Errorf(".ci/groups is %q, %v", text, err)
		}
		if left, _ := filepath.Glob(filepath.Join(root, "*.new")); left != nil {
			t.Errorf("left over: %v", left)
		}
	})
}

func TestKinds(t *testing.T) {
	for _, test := range []struct{ armType, want, reason string }{
		{"Microsoft.Network/virtualNetworks", "VirtualNetwork", "the singular"},
		{"Microsoft.Network/virtualNetworks/subnets", "VirtualNetworkSubnet", "what it belongs to comes first"},
		{"Microsoft.Network/virtualNetworks/virtualNetworkPeerings", "VirtualNetworkPeering", "a repetition is left out"},
		{"Microsoft.Network/publicIPAddresses", "PublicIPAddress", "es"},
		{"Microsoft.Network/dnsZones/A", "DnsZoneA", "a segment of one letter"},
		{"Contoso.X/groupVersions", "GroupVersionResource", "what generated packages declare is no kind"},
		{"Microsoft.Cache/redis", "Redis", "a singular in s"},
		{"Microsoft.Compute/diskAccesses", "DiskAccess", "a singular in ss"},
		{"Contoso.X/" + strings.Repeat("long", 10) + "s/" + strings.Repeat("longer", 5) + "s", "Longerlongerlongerlongerlonger",
			"59 characters at most"},
		{"Contoso.X/very" + strings.Repeat("Long", 15) + "Names", strings.Repeat("Long", 13) + "Name",
			"59 characters at most in one segment"},
		{"Contoso.X/" + strings.Repeat("long", 15), "L" + strings.Repeat("ongl", 14) + "on", "59 characters at most in one word"},
	} {
		t.Run(test.reason, func(t *testing.T) {
			if got := Kinds([]string{test.armType})[test.armType]; got != test.want {
				t.Errorf("Kinds(%s) = %s, want %s", test.armType, got, test.want)
			}
		})
	}
	t.Run("two types have two kinds", func(t *testing.T) {
		kinds := Kinds([]string{"Contoso.X/pets/toys", "Contoso.X/petToys"})
		if kinds["Contoso.X/pets/toys"] == kinds["Contoso.X/petToys"] {
			t.Errorf("both are %s", kinds["Contoso.X/petToys"])
		}
	})
}

func TestKindsOfLists(t *testing.T) {
	for _, types := range [][]string{{"Contoso.X/pets", "Contoso.X/petLists"}, {"Contoso.X/pets/lists", "Contoso.X/pets"}} {
		kinds := Kinds(types)
		for _, a := range types {
			for _, b := range types {
				if kinds[a]+"List" == kinds[b] {
					t.Errorf("%s has the kind %s, which is the list of %s", b, kinds[b], a)
				}
			}
		}
	}
}

func TestPrintLongKinds(t *testing.T) {
	const armType = "Contoso.X/veryVeryVeryLongNamesOfServices/whichHaveParts/andAlsoPartsOfParts"
	kinds := Kinds([]string{armType, "Contoso.X/pets"})
	for _, test := range []struct {
		reason string
		isNew  bool
		want   string
	}{
		{"a new group names the limit and both names", true, `
  Pet: Contoso.X/pets
  WhichHavePartAndAlsoPartsOfPart: Contoso.X/veryVeryVeryLongNamesOfServices/whichHaveParts/andAlsoPartsOfParts
    shorter than VeryVeryVeryLongNamesOfServiceWhichHavePartAndAlsoPartsOfPart, which has 61 characters: Kubernetes allows a kind 59`},
		{"a group that exists has chosen its kinds", false, "apis/x: "},
	} {
		t.Run(test.reason, func(t *testing.T) {
			var out strings.Builder
			(&Change{Files: map[string][]byte{"f": nil}, Group: "apis/x", Kinds: kinds, isUpdate: !test.isNew}).Print(&out)
			if !strings.Contains(out.String(), test.want) || strings.Contains(out.String(), "shorter than") != test.isNew {
				t.Errorf("got:\n%s\nwant it to have:\n%s", &out, test.want)
			}
		})
	}
}

func TestPlanEvidence(t *testing.T) {
	root, specs := repository(t)
	older := filepath.Join(string(specs),
		"azure-rest-api-specs/specification/shop/resource-manager/Contoso.Shop/stable/2021-01-01/orders.json")
	text, err := os.ReadFile(older)
	if err != nil {
		t.Fatal(err)
	}
	text = []byte(strings.Replace(string(text), `"printId": {`, `"printId": {"format": "arm-id", `, 1))
	if err := os.WriteFile(older, text, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Run("what another version says of a property counts, and not what others decided about its name", func(t *testing.T) {
		change, err := Plan(Request{
			Repository: Repository{Root: root}, Specs: specs, Provider: "Contoso.Shop",
			Choice: Choice{Types: []string{"orders"}, Versions: []string{"2022-01-01"}},
		})
		if err != nil {
			t.Fatal(err)
		}
		const want = "  Order.printId: reference # orders.json:18 of 2021-01-01\n"
		if yaml := string(change.Files["apis/contososhop/group.yaml"]); !strings.Contains(yaml, want) {
			t.Errorf("got:\n%s\nwant it to have %q", yaml, want)
		}
	})
}

func TestPlanUpdate(t *testing.T) {
	root, specs := repository(t)
	change, err := Plan(Request{
		Repository: Repository{Root: root}, Specs: specs, Provider: "Contoso.Shop",
		Choice: Choice{Types: []string{"orders"}, Versions: []string{"2021-01-01"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := change.Write(root); err != nil {
		t.Fatal(err)
	}
	yaml := filepath.Join(root, "apis", "contososhop", "group.yaml")
	text, err := os.ReadFile(yaml)
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.NewReplacer(
		"  Order.printId: {not: reference, why: \"none in books\"}\n",
		"  Order.printId: # decided by hand\n    not: reference\n    why: its own\n\n",
		"  Order.storeId", "  # Ours.\n  Order.storeId").Replace(string(text))
	decided := strings.NewReplacer("#outputs:", "outputs: # ours", "#  Contoso", "  Contoso", "#    primaryKey: {",
		"    # and shown\n    primaryKey:  {").Replace(edited)
	if err := os.WriteFile(yaml, []byte(edited), 0o644); err != nil {
		t.Fatal(err)
	}
	update := func(group, version string) (*Change, error) {
		return PlanUpdate(Update{Repository: Repository{Root: root}, Specs: specs, Group: group, APIVersion: version})
	}
	t.Run("outputs on which nobody has decided stay so, and only new ones are proposed", func(t *testing.T) {
		change, err := update("contososhop", "2022-01-01")
		if err != nil {
			t.Fatal(err)
		}
		const want = outputQuestion + "#outputs:\n#  Contoso.Shop/orders:\n#    filesAccessKey: {action: listKeys, path: \"files[0].accessKey\", encoding: base64}\n" +
			"#    listSecretsPrimaryKey: {action: listSecrets, path: \"primaryKey\"}\n\n" + removalQuestion + "proposedChanges:\n"
		got := string(change.Files["apis/contososhop/group.yaml"])
		_, added, _ := strings.Cut(got, "#    primaryKey: {action: listKeys, path: \"primaryKey\"}\n")
		if !strings.HasPrefix(added, "\n"+want) {
			t.Errorf("after the earlier proposals group.yaml has %q, want %q", added, "\n"+want)
		}
	})
	if err := os.WriteFile(yaml, []byte(decided), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Run("a version is added and what persons wrote stays", func(t *testing.T) {
		change, err := update("contososhop", "2022-01-01")
		if err != nil {
			t.Fatal(err)
		}
		if err := change.Write(root); err != nil {
			t.Fatal(err)
		}
		golden.Equal(t, "testdata/update.golden", string(txtar.Format(&txtar.Archive{Files: files(change)})))
	})
	t.Run("a second time there is nothing to add", func(t *testing.T) {
		change, err := update("contososhop", "2022-01-01")
		if err != nil || len(change.Files) != 0 {
			t.Errorf("it writes %d files, error = %v", len(change.Files), err)
		}
	})
	factsFile := filepath.Join(root, "apis/contososhop/specs/2022-01-01.facts.json")
	accept := func() *Change {
		t.Helper()
		change, err := PlanUpdate(Update{Repository: Repository{Root: root}, Specs: specs, Group: "contososhop"})
		if err != nil {
			t.Fatal(err)
		}
		return change
	}
	t.Run("facts become what the specs say, and what that breaks is printed", func(t *testing.T) {
		was, err := os.ReadFile(factsFile)
		if err != nil {
			t.Fatal(err)
		}
		const driver = `{"name": "driverId", "type": "string"}`
		old := strings.Replace(string(was), driver, `{"name": "door", "type": "string"},`+"\n  "+driver, 1)
		if old == string(was) {
			t.Fatalf("the facts have no driverId:\n%s", was)
		}
		if err := os.WriteFile(factsFile, []byte(old), 0o644); err != nil {
			t.Fatal(err)
		}
		change := accept()
		var out strings.Builder
		change.Print(&out)
		if got := string(change.Files["apis/contososhop/specs/2022-01-01.facts.json"]); got != string(was) {
			t.Errorf("it writes\n%s\nwant\n%s", got, was)
		}
		for _, want := range []string{"apis/contososhop: the facts of 2022-01-01 are now what the specs say\n", "property-gone",
			"spec.door", "findings break somebody"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("it prints\n%s\nwant %s", &out, want)
			}
		}
		if err := change.Write(root); err != nil {
			t.Fatal(err)
		}
		if change := accept(); len(change.Files) != 0 {
			t.Errorf("a second time it writes %d files", len(change.Files))
		}
	})
	t.Run("what a change of facts means is known where it asks for a mark", func(t *testing.T) {
		const shelf = `"shelfId": {"type": "string", `
		document := filepath.Join(string(specs),
			"azure-rest-api-specs/specification/shop/resource-manager/Contoso.Shop/stable/2022-01-01/orders.json")
		was, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		now := strings.Replace(string(was), shelf, shelf+`"x-ms-mutability": ["create", "read"], `, 1)
		if err := os.WriteFile(document, []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
		change := accept()
		if got := string(change.Files["apis/contososhop/group.yaml"]); !strings.Contains(got, "Order.shelfId: [reference, createOnly]") {
			t.Errorf("group.yaml has no mark:\n%s", got)
		}
		if change.unknown != nil {
			t.Errorf("it is not known: %v", change.unknown)
		}
		if err := os.WriteFile(document, was, 0o644); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("a version whose documents are gone stays what its facts say", func(t *testing.T) {
		const folder = "azure-rest-api-specs/specification/shop/resource-manager/Contoso.Shop/stable/2021-01-01"
		document := filepath.Join(string(specs), folder, "orders.json")
		text, err := os.ReadFile(document)
		if err == nil {
			err = os.Remove(document)
		}
		if err != nil {
			t.Fatal(err)
		}
		if change := accept(); len(change.Files) != 0 {
			t.Errorf("it writes %d files", len(change.Files))
		}
		if err := os.WriteFile(document, text, 0o644); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("documents that lie elsewhere since a move of the pin are followed", func(t *testing.T) {
		const (
			folder = "azure-rest-api-specs/specification/shop/resource-manager/Contoso.Shop/"
			was    = folder + "stable/2021-01-01/orders.json"
		)
		for _, now := range []string{folder + "Orders/stable/2021-01-01/orders.json", folder + "stable/2021-01-01/split.json"} {
			for _, move := range [][2]string{{was, now}, {now, was}} {
				to := filepath.Join(string(specs), move[1])
				err := os.MkdirAll(filepath.Dir(to), 0o755)
				if err == nil {
					err = os.Rename(filepath.Join(string(specs), move[0]), to)
				}
				if err != nil {
					t.Fatal(err)
				}
				if move[1] == was {
					continue
				}
				change := accept()
				named := strings.TrimPrefix(strings.TrimPrefix(now, folder), "stable/")
				if got := string(change.Files["apis/contososhop/BUILD.bazel"]); !strings.Contains(got, named) {
					t.Errorf("moved to %s: BUILD.bazel has\n%s", now, got)
				}
				if change.Files["apis/contososhop/specs/2021-01-01.facts.json"] != nil {
					t.Error("the facts change")
				}
			}
		}
	})
	t.Run("what the newest Swagger says is told anew, but for what a person says and for secrets", func(t *testing.T) {
		const folder = "azure-rest-api-specs/specification/shop/resource-manager/Contoso.Shop/stable/"
		text, err := specs.Read(folder + "2022-01-01/orders.json")
		if err != nil {
			t.Fatal(err)
		}
		newest := filepath.Join(string(specs), folder, "2024-01-01/orders.json")
		if err := os.MkdirAll(filepath.Dir(newest), 0o755); err != nil {
			t.Fatal(err)
		}
		// properties writes the newest Swagger with some properties, and returns those lines of group.yaml
		// that the update changes, and what it prints.
		properties := func(members string) (changed []string, printed string) {
			t.Helper()
			got := strings.NewReplacer(
				`"homeId": {"type": "string"},`+"\n      \"pickup\"", members+`"pickup"`).Replace(string(text))
			if got == string(text) {
				t.Fatal("the specs have no homeId")
			}
			if err := os.WriteFile(newest, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			was, err := os.ReadFile(yaml)
			if err != nil {
				t.Fatal(err)
			}
			change := accept()
			var out strings.Builder
			change.Print(&out)
			is := string(was)
			if text := change.Files["apis/contososhop/group.yaml"]; text != nil {
				is = string(text)
			}
			for line := range strings.Lines(is) {
				if !strings.Contains(string(was), line) {
					changed = append(changed, "+"+line)
				}
			}
			for line := range strings.Lines(string(was)) {
				if !strings.Contains(is, line) {
					changed = append(changed, "-"+line)
				}
			}
			if err := change.Write(root); err != nil {
				t.Fatal(err)
			}
			if change := accept(); len(change.Files) != 0 {
				t.Errorf("a second time it writes %d files", len(change.Files))
			}
			return changed, out.String()
		}
		const (
			fixed   = `"x-ms-mutability": ["create", "read"]`
			home    = `"homeId": {"type": "string", ` + fixed + `}, `
			entry   = "  Order.homeId: createOnly # orders.json:32 of 2024-01-01\n"
			secret  = `"homeId": {"type": "string", "x-ms-secret": true}, `
			noMarks = `"homeId": {"type": "string"}, `
		)
		if got, _ := properties(home); !slices.Equal(got, []string{"+" + entry}) {
			t.Errorf("got %q", got)
		}
		if got, _ := properties(noMarks); !slices.Equal(got, []string{"-" + entry}) {
			t.Errorf("got %q", got)
		}
		byHand := func(old, new string) {
			t.Helper()
			text, err := os.ReadFile(yaml)
			if err == nil && !strings.Contains(string(text), old) {
				t.Fatalf("group.yaml has no %q", old)
			}
			if err == nil {
				err = os.WriteFile(yaml, []byte(strings.Replace(string(text), old, new, 1)), 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		const ours = "  Order.homeId: createOnly # nobody moves house\n"
		byHand("  Order.password:", ours+"  Order.password:")
		if got, _ := properties(noMarks + " "); len(got) > 0 {
			t.Errorf("a person's mark: got %q", got)
		}
		byHand(ours, "")
		// The group has published homeId as text, so a person has to take away the #.
		if got, _ := properties(secret); len(got) != 1 || !strings.HasPrefix(got[0], "+#  Order.homeId: secret # orders.json:") {
			t.Fatalf("got %q", got)
		}
		byHand("#  Order.homeId: secret", "  Order.homeId: secret")
		const stays = "Order.homeId stays a secret, although orders.json:"
		if got, printed := properties(noMarks); len(got) > 0 || !strings.Contains(printed, stays) {
			t.Errorf("a secret: got %q\n%s", got, printed)
		}
		byHand("  Order.homeId: secret # orders.json:32 of 2024-01-01\n", "")
		if err := os.Remove(newest); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("lists that are made by a comprehension are read", func(t *testing.T) {
		file := filepath.Join(root, "apis", "contososhop", "BUILD.bazel")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		const list = `"2021-01-01": [_STABLE + "2021-01-01/orders.json"]`
		made := strings.Replace(string(text), list, `"2021-01-01": [_STABLE + "2021-01-01/" + d for d in ["orders.json"]]`, 1)
		if made == string(text) {
			t.Fatalf("found no %s in\n%s", list, text)
		}
		if err := os.WriteFile(file, []byte(made), 0o644); err != nil {
			t.Fatal(err)
		}
		in := Repository{Root: root}
		after, err := in.readBuild("contososhop")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
		before, err := in.readBuild("contososhop")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before.documents, after.documents); diff != "" {
			t.Error(diff)
		}
	})
	tree := filepath.Join(root, "apis", "tree")
	if err := os.Mkdir(tree, 0o755); err != nil {
		t.Fatal(err)
	}
	const inTree = `arm_service_group(name = "tree", provider = "Contoso.Tree", versions = {"2022-01-01": ["specs/tree.json"]})`
	if err := os.WriteFile(filepath.Join(tree, "BUILD.bazel"), []byte(inTree), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ behavior, group, version, want string }{
		{"a provider whose specs are in the tree", "Contoso.Tree", "2023-01-01",
			"apis/tree/BUILD.bazel: the specs of this group are in the tree; add the version to its versions by hand"},
		{"a group that does not exist", "contososhopp", "2022-01-01", `there is no group contososhopp; did you mean "contososhop"?`},
		{"a version that the specs do not have", "contososhop", "2022-01-02",
			"the specs have no version 2022-01-02 of Contoso.Shop; they have 2021-01-01, 2022-01-01, 2023-01-01-preview"},
		{"a version without the group's types", "contososhop", "2023-01-01-preview",
			"has none of the group's resource types, Contoso.Shop/orders"},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			if _, err := update(test.group, test.version); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error = %v, want %s", err, test.want)
			}
		})
	}
}

// TestUntyped adds a service with large schemas.
// TestUpdateInTree tests that of a group whose specs are in the tree an update writes facts and samples, and proposes
// nothing: all else is a person's.
// TestSuperfluous tests that an update says which corrections an added version does not need.
func TestSuperfluous(t *testing.T) {
	root, specs := repository(t)
	change, err := Plan(Request{Repository: Repository{Root: root}, Specs: specs, Provider: "Contoso.Shop",
		Choice: Choice{Types: []string{"orders"}, Versions: []string{"2021-01-01"}}})
	if err != nil {
		t.Fatal(err)
	}
	const asked, decided = `#  Order.etag: {is: readOnly, why: "its name alone"`, `  Order.etag: {is: readOnly, why: "ARM alone writes it"`
	yaml := string(change.Files["apis/contososhop/group.yaml"])
	if !strings.Contains(yaml, asked) {
		t.Fatalf("group.yaml does not ask for etag:\n%s", yaml)
	}
	change.Files["apis/contososhop/group.yaml"] = []byte(strings.Replace(yaml, asked, decided, 1))
	if err := change.Write(root); err != nil {
		t.Fatal(err)
	}
	update, err := PlanUpdate(Update{Repository: Repository{Root: root}, Specs: specs, Group: "contososhop", APIVersion: "2022-01-01"})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	update.Print(&out)
	const want = "  apis/contososhop/group.yaml: 2022-01-01 says of Order.etag what the correction readOnly says, which is for older versions then\n"
	if !strings.Contains(out.String(), want) {
		t.Errorf("it prints\n%s\nwant\n%s", &out, want)
	}
	if still := "Order.provisioningState what the correction"; strings.Contains(out.String(), still) {
		t.Errorf("it prints\n%s\nbut 2022-01-01 needs that of provisioningState", &out)
	}
}

func TestUpdateInTree(t *testing.T) {
	root, specs := repository(t)
	in := Repository{Root: root}
	change, err := Plan(Request{Repository: in, Specs: specs, Provider: "Contoso.Shop",
		Choice: Choice{Types: []string{"orders"}, Versions: []string{"2021-01-01"}}})
	if err != nil {
		t.Fatal(err)
	}
	const build = "apis/contososhop/BUILD.bazel"
	change.Files[build] = bytes.ReplaceAll(change.Files[build], []byte("    specs = SPECS,\n"), nil)
	facts := "apis/contososhop/specs/2021-01-01.facts.json"
	delete(change.Files, facts)
	if err := change.Write(root); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(root, "apis", "contososhop"), os.DirFS(string(specs))); err != nil {
		t.Fatal(err)
	}
	change, err = PlanUpdate(Update{Repository: in, Group: "contososhop"})
	if err != nil {
		t.Fatal(err)
	}
	if got := slices.Sorted(maps.Keys(change.Files)); !slices.Equal(got, []string{facts}) {
		t.Errorf("it writes %v, want the facts", got)
	}
	if got := change.Undecided; got != (Undecided{}) || len(change.proposals) > 0 {
		t.Errorf("it asks %+v and proposes %v", got, change.proposals)
	}
}

func TestUntyped(t *testing.T) {
	const box = `{"swagger": "2.0",
	"paths": {"/subscriptions/{s}/resourceGroups/{g}/providers/Contoso.Large/boxes/{b}": {"put": {
		"parameters": [{"in": "body", "name": "body", "schema": {"$ref": "#/definitions/Box"}}],
		"responses": {"200": {"schema": {"$ref": "#/definitions/Box"}}}}}},
	"definitions": {
		"Box": {"properties": {"properties": {"properties": {
			"sealed": {"type": "boolean"}, "content": {"$ref": "#/definitions/Content"}}}}},
		"Content": {"properties": {
			"made": {"type": "string", "description": "TEXT"},
			"code": {"type": "string", "readOnly": true, "x-ms-secret": SECRET}}}}}`
	for _, test := range []struct {
		reason       string
		bytes        int // of a description in the Spec
		secret       string
		yaml, output string
	}{
		{
			"a property is untyped where the CRD could not be installed", 1_200_000, "false",
			"\nproperties:\n  Box.content: untyped # saves N of the N bytes of Box, of which N versions fit then; an API server stores N bytes\n",
			"\nuntyped: Box.content, without which the CRD of Box has N bytes; an API server stores N\n",
		},
		{
			"it is proposed where there is little room", 800_000, "false",
			"bytes that an API server stores. A property cannot become untyped once it is stored; take away the # of what need not be in the schema.\n#  Box.content: untyped # saves N of the N bytes of Box",
			"\nuntyped: for you to decide on Box.content; the CRD of Box has N of the N bytes",
		},
		{"never one with a secret", 1_200_000, "true", "exports:\n  Contoso.Large/boxes: {kind: Box}\n", "\nsecret: N by evidence"},
	} {
		t.Run(test.reason, func(t *testing.T) {
			root, specs := repository(t)
			text := strings.NewReplacer("TEXT", strings.Repeat("a", test.bytes), "SECRET", test.secret).Replace(box)
			folder := filepath.Join(string(specs), filepath.FromSlash(layout.SwaggerFolder),
				"large/resource-manager/Contoso.Large/stable/2021-01-01")
			if err := os.MkdirAll(folder, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder, "boxes.json"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			change, err := Plan(Request{Repository: Repository{Root: root}, Specs: specs, Provider: "Contoso.Large"})
			if err != nil {
				t.Fatal(err)
			}
			number := regexp.MustCompile(`\b\d+\b`) // every change of what a CRD has changes its bytes
			yaml := number.ReplaceAllString(string(change.Files["apis/contosolarge/group.yaml"]), "N")
			if !strings.Contains(yaml, test.yaml) || test.secret == "true" && strings.Contains(yaml, "untyped") {
				t.Errorf("group.yaml is\n%s", yaml)
			}
			var output bytes.Buffer
			if change.Print(&output); !strings.Contains(number.ReplaceAllString(output.String(), "N"), test.output) {
				t.Errorf("it prints\n%s", &output)
			}
		})
	}
}

func TestApply(t *testing.T) {
	const (
		file = "apis/contososhop/group.yaml"
		next = "wrote tools/specs/azure-rest-api-specs.sha256\nRead apis/contososhop/group.yaml, and then run: ./bazelw test //apis/contososhop/...\n"
	)
	for _, test := range []struct {
		behavior, answer string
		dryRun, writes   bool
		want             string // the end of what it prints
	}{
		{"a person says yes, and reads what was written and what comes next", "yes\n", false, true, next},
		{"a person says no", "no\n", false, false, "Write these files [yes]: Nothing was written.\n"},
		{"a person gives no answer", "", false, false, "Write these files [yes]: "},
		{"nobody is asked", "-", false, true, next},
		{"a dry run", "-", true, false, "would write tools/specs/azure-rest-api-specs.sha256\n"},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			root, specs := repository(t)
			change, err := Plan(Request{Repository: Repository{Root: root}, Specs: specs, Provider: "Contoso.Shop"})
			if err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			var i *Interview
			if test.answer != "-" {
				i = NewInterview(strings.NewReader(test.answer), &out)
			}
			if err := change.Apply(root, test.dryRun, i, &out); (err != nil) != (test.answer == "") {
				t.Error(err)
			}
			if !strings.HasSuffix(out.String(), test.want) {
				t.Errorf("it prints\n%s\nwant\n%s", &out, test.want)
			}
			if _, err := os.Stat(filepath.Join(root, file)); (err == nil) != test.writes {
				t.Errorf("%s: %v", file, err)
			}
		})
	}
}

func TestAsk(t *testing.T) {
	root, specs := repository(t)
	r := Request{Repository: Repository{Root: root}, Specs: specs, Provider: "contoso.shop"}
	var out bytes.Buffer
	i := NewInterview(strings.NewReader("oders\norders, indices\n2020-01-01\n\nbooks\ncorner\nno\n"), &out)
	if err := i.Ask(&r); err != nil {
		t.Fatal(err)
	}
	change, err := Plan(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := change.Apply(root, false, i, &out); err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, "testdata/ask.golden", out.String())
	if err := i.Ask(&r); err == nil || !strings.Contains(err.Error(), "was not answered: unexpected EOF") {
		t.Errorf("the input ended, and the error is %v", err)
	}
	for answer, want := range map[string]bool{"": true, "y": true, "YES": true, "n": false, "yesterday": false} {
		if yes, err := NewInterview(strings.NewReader(answer+"\n"), &out).Confirm("Write"); yes != want || err != nil {
			t.Errorf("the answer %q is taken for %v, %v", answer, yes, err)
		}
	}
}
