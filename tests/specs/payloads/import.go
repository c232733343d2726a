package payloads

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	azurearm "github.com/Azure/azure-sdk-for-go/sdk/azcore/arm"
	"github.com/armature-dev/armature/cli/types"
	"github.com/armature-dev/armature/internal/night"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/reference"
	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

// CheckImport sends each request below a folder to a stand-in for ARM, imports the
// resource, and checks that the request of the manifest is the one that was sent, with
// what the stand-in shows beside that.
// The stand-in takes the requests that are valid: expected is the same as for Check.
// By day it imports every tenth of many.
func CheckImport(t *testing.T, root string, expected Count, groups ...func(*runtime.Scheme) error) {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range groups {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	examples, _, err := find(root, scheme)
	if err != nil {
		t.Fatal(err)
	}
	server, err := armtest.New(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	url, err := server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	program, err := types.New(nil, groups...)
	if err != nil {
		t.Fatal(err)
	}
	program.SetErr(io.Discard)
	taken := 0
	all := night.Is() || len(examples) < 100
	for i, x := range examples {
		if !all && i%10 != 0 {
			continue
		}
		if _, err := azurearm.ParseResourceID(x.url()); err != nil { // for {scope} some have just a word
			x.Path = "/subscriptions/s" + x.Path[strings.LastIndex(x.Path, "/providers/"):]
		}
		if x.put(server, x.body()) != "" {
			continue
		}
		taken++
		if err := x.checkImport(program, t.TempDir(), url, scheme); err != nil {
			t.Errorf("%s: %v", x.File, err)
		}
		server.Remove(x.url())
	}
	if want := expected.Requests - expected.Invalid; all && taken != want {
		t.Errorf("imported %d resources, expected %d", taken, want)
	}
}

func (x *example) checkImport(program *cobra.Command, folder, url string, scheme *runtime.Scheme) error {
	program.SetArgs([]string{"import", x.url(), "--out=" + folder, "--version=" + x.kind.gvk.Version, "--arm-endpoint=" + url})
	if err := program.Execute(); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil || len(files) != 1 {
		return fmt.Errorf("found the files %q, expected one: %v", files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		return err
	}
	object, err := scheme.New(x.kind.gvk)
	if err != nil {
		return err
	}
	if err := yaml.UnmarshalStrict(text, object); err != nil {
		return err
	}
	// What the example has, as the types have it: the rest is in a list of exceptions.
	original, err := scheme.New(x.kind.gvk)
	if err != nil {
		return err
	}
	kept := secrets{}
	spec := original.(conversion.KubernetesResource).GetSpec()
	if _, err := (arm.Decoder{KeepSecret: kept.keep}).Decode(x.body(), spec); err != nil {
		return nil // which is in that list too
	}
	want, err := arm.Encode(context.Background(), spec, kept)
	if err != nil {
		return err
	}
	resource := object.(conversion.KubernetesResource)
	values := itself{secrets{}, x.kind.gvk.GroupKind(), resource.GetName(), x.url()}
	for path, value := range kept {
		values.secrets[strings.Trim(notInKey.ReplaceAllString(path, "-"), "-")] = value
	}
	request, err := arm.NewRequest(context.Background(), resource.GetSpec().(arm.ARMTransformer), resource.GetName(), values)
	switch {
	case err != nil:
		return fmt.Errorf("%w in\n%s", err, text)
	case !strings.EqualFold(request.ID, x.url()):
		return fmt.Errorf("the manifest is of %s, expected %s", request.ID, x.url())
	}
	shown, err := membersOf(url + arm.URL(x.url(), x.APIVersion))
	if err != nil {
		return err
	}
	differences := slices.DeleteFunc(compare(parse(want), parse(request.Body)), func(difference string) bool {
		path, more := strings.CutSuffix(difference, ": came from nowhere")
		return more && shown[path]
	})
	if len(differences) > 0 {
		return fmt.Errorf("the manifest would change %q:\n%s", differences, text)
	}
	return nil
}

// membersOf reads a resource, and returns the paths of all that it has, as compare writes them. ARM
// adds to what it was sent, and the stand-in does where an answer requires it.
func membersOf(url string) (paths map[string]bool, err error) {
	answer, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	paths = map[string]bool{}
	var walk func(path string, value any)
	walk = func(path string, value any) {
		paths[path] = true
		switch value := value.(type) {
		case map[string]any:
			for name, member := range value {
				walk(strings.TrimPrefix(path+"."+name, "."), member)
			}
		case []any:
			for i, element := range value {
				walk(fmt.Sprintf("%s[%d]", path, i), element)
			}
		}
	}
	walk("", parse(text))
	return paths, nil
}

// itself resolves the references of one resource: those to itself.
type itself struct {
	secrets
	schema.GroupKind
	name, id string
}

func (i itself) ResourceID(ctx context.Context, to reference.Resource) (string, error) {
	if to == (reference.Resource{Group: i.Group, Kind: i.Kind, Name: i.name}) {
		return i.id, nil
	}
	return i.secrets.ResourceID(ctx, to)
}

// notInKey matches characters that a key of a Secret cannot have.
var notInKey = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)
