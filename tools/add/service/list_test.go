package service

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/armature-dev/armature/tools/specs/digests"
	"github.com/armature-dev/armature/tools/specs/layout"
)

// write writes a file, with its folder.
func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestList(t *testing.T) {
	root, specs := repository(t)
	in := Repository{Root: root}
	list := func(want string) {
		t.Helper()
		var out strings.Builder
		if err := List(in, specs, &out); err != nil || out.String() != want {
			t.Errorf("%v, and it prints\n%s\nwant\n%s", err, &out, want)
		}
	}
	const head = "PROVIDER      NEWEST VERSION      GROUP\n"
	const foot = "A provider becomes a group with:  ./bazelw run //tools/add -- PROVIDER\n"
	t.Run("a provider that is no group, and where the others are", func(t *testing.T) {
		list(head + "Contoso.Shop  2023-01-01-preview  none\n" + foot +
			"Azure has more. These fetch one, and the list of all:  ./bazelw run //tools/specs -- --provider PROVIDER\n")
	})
	t.Run("groups, and providers of the index that are not fetched", func(t *testing.T) {
		for _, name := range []string{"shop", "store"} {
			write(t, in.path("apis/"+name+"/BUILD.bazel"), `arm_service_group(name = "shop", provider = "contoso.shop", versions = {})`)
		}
		write(t, specs.path(layout.Index), `{"resources": {"Contoso.Toys/bricks@2024-01-01": {}, "Contoso.Toys/bricks@2025-01-01-preview": {},
			"Contoso.Shop/orders@2026-01-01": {}}}`)
		list(head + "Contoso.Shop  2023-01-01-preview  apis/shop, apis/store\nContoso.Toys  2025-01-01-preview  not fetched\n" + foot +
			"Specs of others are fetched with:  ./bazelw run //tools/specs -- --provider PROVIDER\n")
	})
}

func TestUsable(t *testing.T) {
	root, specs := repository(t)
	in := Repository{Root: root}
	pinned, err := digests.ReadPins(in.Root, layout.Swagger)
	if err != nil || len(pinned) != 1 {
		t.Fatal(pinned, err)
	}
	more := map[string]string{"specification/more.json": strings.Repeat("1", 64)}
	for name, digest := range pinned {
		more[name] = digest
	}
	stamp := specs.path(layout.Swagger + digests.StampSuffix)
	const refused = "is of other pins than those of this repository, or incomplete: of azure-rest-api-specs it lacks the pinned content " +
		"of 1 files, such as specification/books/resource-manager/Contoso.Books/stable/2020-01-01/books.json; " +
		"fetch it with: ./bazelw run //tools/specs -- --dir "
	for _, test := range []struct{ behavior, stamp, want string }{
		{"a checkout with the pinned files", digests.Stamp("abc", pinned), ""},
		{"a checkout with more files", digests.Stamp("abc", more), ""},
		{"a checkout that is not complete", "", refused + string(specs)},
		{"a checkout with another content", strings.ReplaceAll(digests.Stamp("abc", pinned), "0000  ", "0001  "), refused + string(specs)},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			write(t, stamp, test.stamp)
			_, err := Plan(Request{Repository: in, Specs: specs, Provider: "Contoso.Shop"})
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.HasSuffix(err.Error(), test.want)) {
				t.Errorf("error = %v, want %q", err, test.want)
			}
		})
	}
	t.Run("the command for the default folder names none", func(t *testing.T) {
		cache := t.TempDir()
		t.Setenv("XDG_CACHE_HOME", cache)
		t.Setenv("HOME", cache)
		own := filepath.Join(cache, "armature", "specs")
		if err := os.Mkdir(filepath.Dir(own), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, stamp, "")
		if err := os.Rename(string(specs), own); err != nil {
			t.Fatal(err)
		}
		if err := Specs(own).usable(in); err == nil || !strings.HasSuffix(err.Error(), "//tools/specs") {
			t.Errorf("error = %v", err)
		}
	})
}
