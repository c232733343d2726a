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

	v2019 "github.com/armature-dev/armature/apis/crm/v1beta20190909"
	v2020 "github.com/armature-dev/armature/apis/crm/v1beta20201010"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reference"
)

// A Person of 2019-09-09 has no residentialAddress, which 2020-10-10 needs. So
// it must be sent at its own version, whatever the hub is.
func TestAPersonIsTakenAtItsOwnVersionOnly(t *testing.T) {
	server, err := armtest.New(os.DirFS(filepath.Join("..", "..", "apis", "crm", "specs")))
	if err != nil {
		t.Fatal(err)
	}
	at, err := server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	text := func(s string) *string { return &s }
	owner := &reference.Owner{ARMID: "/subscriptions/s/resourceGroups/g"}
	for _, row := range []struct {
		reason string
		spec   arm.ARMTransformer
		status int
		answer string
	}{
		{"at its own version", &v2019.Person_Spec{Owner: owner, Id: text("1"), LegalName: text("Amara Okafor"), FamilyName: text("Okafor"), KnownAs: text("Amara")}, http.StatusCreated, `"legalName":"Amara Okafor"`},
		{"at a later one", &v2020.Person_Spec{Owner: owner, Id: text("1"), LegalName: text("Amara Okafor"), FamilyName: text("Okafor"), KnownAs: text("Amara")}, http.StatusBadRequest, "residentialAddress"},
	} {
		request, err := arm.NewRequest(context.Background(), row.spec, "amara", nil)
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
		if err != nil || response.StatusCode != row.status || !strings.Contains(string(answer), row.answer) {
			t.Errorf("%s: got %d %s, %v; want %d %s", row.reason, response.StatusCode, answer, err, row.status, row.answer)
		}
	}
}
