package payloads_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	crm "github.com/armature-dev/armature/apis/crm/scheme"
	v2019 "github.com/armature-dev/armature/apis/crm/v20190909"
	v2020 "github.com/armature-dev/armature/apis/crm/v20201010"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/reference"
	"k8s.io/apimachinery/pkg/runtime"
)

// TestOriginalVersion sends a stored Person to ARM. It was written at 2019-09-09,
// which has no residentialAddress, and 2020-10-10 requires one.
func TestOriginalVersion(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := crm.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	server, err := armtest.New(os.DirFS(filepath.Join("..", "..", "..", "apis", "crm", "specs")))
	if err != nil {
		t.Fatal(err)
	}
	at, err := server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()

	text := func(s string) *string { return &s }
	written := &v2019.Person{Spec: v2019.Person_Spec{
		Owner: &reference.Owner{ARMID: "/subscriptions/s/resourceGroups/g"},
		Id:    text("1"), LegalName: text("Amara Okafor"), FamilyName: text("Okafor"), KnownAs: text("Amara"),
	}}
	hub := written.NewHub()
	if err := written.ConvertTo(hub); err != nil {
		t.Fatal(err)
	}
	stored := hub.(conversion.KubernetesResource)
	original, err := conversion.GetVersionedSpec(stored, scheme)
	if err != nil {
		t.Fatal(err)
	}
	later := &v2020.Person_Spec{}
	if err := stored.GetSpec().ConvertSpecTo(later); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		spec   conversion.ConvertibleSpec
		status int
		answer string
	}{
		{"ARM accepts the Spec at the version that it was written for", original, http.StatusCreated, `"legalName":"Amara Okafor"`},
		{"ARM refuses the Spec at a later version", later, http.StatusBadRequest, "residentialAddress"},
	} {
		t.Run(test.name, func(t *testing.T) {
			request, err := arm.NewRequest(context.Background(), test.spec.(arm.ARMTransformer), "amara", nil)
			if err != nil {
				t.Fatal(err)
			}
			put, err := http.NewRequest(http.MethodPut, at+request.URL(), bytes.NewReader(request.Body))
			if err != nil {
				t.Fatal(err)
			}
			response, err := http.DefaultClient.Do(put)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := io.ReadAll(response.Body)
			response.Body.Close()
			if err != nil || response.StatusCode != test.status || !strings.Contains(string(answer), test.answer) {
				t.Errorf("got %d %s, %v; want %d %s", response.StatusCode, answer, err, test.status, test.answer)
			}
		})
	}
}
