// Package docs_test checks that the docs are true: what they show of Go and
// Starlark is built from this folder.
package docs_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	cachescheme "github.com/armature-dev/armature/apis/cache/scheme"
	old "github.com/armature-dev/armature/apis/cache/v20170201"
	cache "github.com/armature-dev/armature/apis/cache/v20241101"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/conversion"
)

// blocksOf returns the code blocks of one language in a document.
func blocksOf(t *testing.T, document, language string) []string {
	t.Helper()
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, found := range regexp.MustCompile("(?ms)^ *```"+language+"\n(.*?)^ *```$").FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, found[1])
	}
	return blocks
}

func TestOperators(t *testing.T) {
	const page = "docs/write-your-own-operator.md"
	for _, test := range []struct {
		language string
		files    []string
		least    int
	}{
		{"go", []string{"library_test.go", "operator_test.go"}, 6},
		{"starlark", []string{"BUILD.bazel"}, 1},
	} {
		t.Run("all "+test.language+" is in tests/docs", func(t *testing.T) {
			var code strings.Builder
			for _, file := range test.files {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				code.Write(text)
			}
			blocks := blocksOf(t, "../../"+page, test.language)
			if len(blocks) < test.least {
				t.Errorf("%s has %d blocks, expected at least %d", page, len(blocks), test.least)
			}
			for _, block := range blocks {
				for paragraph := range strings.SplitSeq(strings.TrimSpace(block), "\n\n") {
					if !strings.Contains(code.String(), paragraph) {
						t.Errorf("%s shows what is not in %q of tests/docs:\n%s", page, test.files, paragraph)
					}
				}
			}
		})
	}

	t.Run("the manager can be made without a cluster", func(t *testing.T) {
		operator, err := newManager(&rest.Config{Host: "https://127.0.0.1:1"}, "http://127.0.0.1:1")
		if err != nil {
			t.Fatal(err)
		}
		if err := serveConversions(operator); err != nil {
			t.Error(err)
		}
	})
}

func TestConversionPage(t *testing.T) {
	blocks := blocksOf(t, "../../docs/conversion.md", "yaml")
	if len(blocks) != 2 {
		t.Fatalf("docs/conversion.md has %d blocks of YAML, expected an object at two versions", len(blocks))
	}
	var ada cache.Redis
	var shown old.Redis
	for i, object := range []any{&ada, &shown} {
		if err := yaml.UnmarshalStrict([]byte(blocks[i]), object); err != nil {
			t.Fatal(err)
		}
	}
	hub := ada.NewHub()
	var bob old.Redis
	for _, err := range []error{ada.ConvertTo(hub), bob.ConvertFrom(hub)} {
		if err != nil {
			t.Fatal(err)
		}
	}

	t.Run("the old version shows what the page says", func(t *testing.T) {
		if bob.Annotations[annotation.Remainder] == "" {
			t.Error("there is no annotation")
		}
		got := bob
		got.TypeMeta = shown.TypeMeta
		got.Annotations = map[string]string{annotation.Remainder: "…"}
		if diff := cmp.Diff(shown, got); diff != "" {
			t.Errorf("(-page +shown):\n%s", diff)
		}
	})

	t.Run("what it lacks is there after an edit, and goes to ARM at the version of the author", func(t *testing.T) {
		larger := int64(2)
		bob.Spec.Sku.Capacity = &larger
		edited := bob.NewHub()
		if err := bob.ConvertTo(edited); err != nil {
			t.Fatal(err)
		}
		scheme := runtime.NewScheme()
		if err := cachescheme.AddToScheme(scheme); err != nil {
			t.Fatal(err)
		}
		sent, err := conversion.GetVersionedSpec(edited.(conversion.KubernetesResource), scheme)
		if err != nil {
			t.Fatal(err)
		}
		want := ada.Spec.DeepCopy()
		want.Sku.Capacity = &larger
		want.AzureName = sent.(*cache.Redis_Spec).AzureName
		if diff := cmp.Diff(conversion.ConvertibleSpec(want), sent); diff != "" {
			t.Errorf("(-want +sent):\n%s", diff)
		}
	})
}
