package published_test

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	batch2021 "github.com/armature-dev/armature/apis/batch/v20210601"
	batch2022 "github.com/armature-dev/armature/apis/batch/v20221001"
	compute "github.com/armature-dev/armature/apis/compute/v20201201"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/reference"
)

// Protected settings are untyped and secret: no Spec may show them, and ARM must
// get them. No published example has any.
func TestProtectedSettings(t *testing.T) {
	const settings = `{"commandToExecute":"login --password s3cret","retries":[1,2.50],"key":null}`
	for _, row := range []struct {
		name       string
		spec       any
		body, path string
	}{
		{"an extension of a machine", &compute.VirtualMachineExtension_Spec{},
			`{"location":"westus","properties":{"protectedSettings":` + settings + `,"settings":{"a":1}}}`, "properties.protectedSettings"},
		{"an extension of a scale set", &compute.VirtualMachineScaleSetExtension_Spec{},
			`{"properties":{"protectedSettings":` + settings + `}}`, "properties.protectedSettings"},
		{"an extension within a scale set", &compute.VirtualMachineScaleSet_Spec{},
			`{"properties":{"virtualMachineProfile":{"extensionProfile":{"extensions":[{"name":"x","properties":{"protectedSettings":` +
				settings + `}}]}}}}`,
			"properties.virtualMachineProfile.extensionProfile.extensions[0].properties.protectedSettings"},
		{"an extension within a pool, which Swagger marks as secret", &batch2021.BatchAccountPool_Spec{},
			`{"properties":{"deploymentConfiguration":{"virtualMachineConfiguration":{"extensions":[{"protectedSettings":` +
				settings + `}]}}}}`,
			"properties.deploymentConfiguration.virtualMachineConfiguration.extensions[0].protectedSettings"},
		{"an extension within a pool, which a JSON schema does not mark", &batch2022.BatchAccountPool_Spec{},
			`{"properties":{"deploymentConfiguration":{"virtualMachineConfiguration":{"extensions":[{"protectedSettings":` +
				settings + `}]}}}}`,
			"properties.deploymentConfiguration.virtualMachineConfiguration.extensions[0].protectedSettings"},
	} {
		t.Run(row.name, func(t *testing.T) {
			kept := keeper{}
			if ignored, err := (arm.Decoder{KeepSecret: kept.keep}).Decode([]byte(row.body), row.spec); err != nil ||
				ignored.Count+len(ignored.Misfits) > 0 {
				t.Errorf("%v, %v ignored", err, ignored)
			}
			if want := (keeper{row.path: settings}); !reflect.DeepEqual(kept, want) {
				t.Errorf("kept %v, want %v", kept, want)
			}
			if shown, err := json.Marshal(row.spec); err != nil || strings.Contains(string(shown), "s3cret") {
				t.Errorf("the Spec shows the secret: %s, %v", shown, err)
			}
			if sent, err := arm.Encode(context.Background(), row.spec, kept); err != nil || !sameJSON(sent, []byte(row.body)) {
				t.Errorf("sent %s, %v; want %s", sent, err, row.body)
			}
		})
	}
}

// keeper has secrets by their places.
type keeper map[string]string

func (k keeper) keep(path, value string) (reference.Secret, error) {
	k[path] = value
	return reference.Secret{Name: "kept", Key: path}, nil
}

func (k keeper) SecretValue(_ context.Context, ref reference.Secret) (string, error) {
	return k[ref.Key], nil
}

func (keeper) OwnerID(context.Context, string, string) (string, error) { return "", nil }

func (keeper) ResourceID(context.Context, reference.Resource) (string, error) { return "", nil }

func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
