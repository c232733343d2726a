package recovery_test

import (
	"context"
	"fmt"

	"github.com/armature-dev/armature/apis/crm/scheme"
	"github.com/armature-dev/armature/apis/crm/v20190909"
	hub "github.com/armature-dev/armature/apis/crm/v20211111storage"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/conversion"
	"k8s.io/apimachinery/pkg/runtime"
)

// A reconciler watches the stored version and speaks to ARM in the version that
// the resource is written for.
func Example() {
	all := runtime.NewScheme()
	if err := scheme.AddToScheme(all); err != nil {
		panic(err)
	}
	stored := &hub.Person{}
	created := &v20190909.Person{Spec: v20190909.Person_Spec{LegalName: ptr("Ada Lovelace"), FamilyName: ptr("Lovelace")}}
	if err := created.ConvertTo(stored); err != nil {
		panic(err)
	}

	spec, err := conversion.GetVersionedSpec(stored, all) // 1: what to send
	if err != nil {
		panic(err)
	}
	body, err := arm.Encode(context.Background(), spec, nil)
	if err != nil {
		panic(err)
	}
	fmt.Printf("PUT ?api-version=%s %s\n", spec.(interface{ ARMResource() arm.Resource }).ARMResource().APIVersion, body)

	status, err := conversion.NewEmptyVersionedStatus(stored, all) // 2: what to read the answer into
	if err != nil {
		panic(err)
	}
	answer := `{"name": "ada", "properties": {"legalName": "Ada Lovelace", "provisioningState": "Succeeded"}}`
	if _, err := arm.Decode([]byte(answer), status); err != nil {
		panic(err)
	}
	if err := stored.SetStatus(status); err != nil { // 3: at the stored version
		panic(err)
	}
	fmt.Printf("%T: %s\n", stored, *stored.Status.ProvisioningState)
	// Output:
	// PUT ?api-version=2019-09-09 {"properties":{"familyName":"Lovelace","legalName":"Ada Lovelace"}}
	// *v20211111storage.Person: Succeeded
}
