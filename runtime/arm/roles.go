package arm

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/armature-dev/armature/runtime/reference"
)

// roles has the ids of the built-in role definitions of Azure that are most often assigned
// for access to resources. Their names and ids are the same in all tenants.
var roles = map[string]string{
	"AcrPull":                                     "7f951dda-4ed3-4680-a7ca-43fe172d538d",
	"AcrPush":                                     "8311e382-0749-4cb8-b61a-304f252e45ec",
	"Azure Event Hubs Data Owner":                 "f526a384-b230-433a-b45c-95f59c4a2dec",
	"Azure Event Hubs Data Receiver":              "a638d3c7-ab3a-418d-83e6-5f17a39d4fde",
	"Azure Event Hubs Data Sender":                "2b629674-e913-4c01-ae53-ef4638d8f975",
	"Azure Kubernetes Service Cluster Admin Role": "0ab0b1a8-8aac-4efd-b8c2-3ee1fb270be8",
	"Azure Kubernetes Service Cluster User Role":  "4abbcc35-e782-43d8-92c5-2d3f1bd2253f",
	"Azure Service Bus Data Owner":                "090c5cfd-751d-490a-894a-3ce6f1109419",
	"Azure Service Bus Data Receiver":             "4f6d3b9b-027b-4f4c-9142-0e5a2a2247e0",
	"Azure Service Bus Data Sender":               "69a216fc-b8fb-44d8-bc22-1f3c2cd27a39",
	"Contributor":                                 "b24988ac-6180-42a0-ab88-20f7382dd24c",
	"Key Vault Administrator":                     "00482a5a-887f-4fb3-b363-3b7fe8e74483",
	"Key Vault Reader":                            "21090545-7ca7-4776-b22c-e363652d74d2",
	"Key Vault Secrets Officer":                   "b86a8fe4-44ce-4948-aee5-eccb2c155cd7",
	"Key Vault Secrets User":                      "4633458b-17de-408a-b874-0445c86b69e6",
	"Managed Identity Operator":                   "f1a07417-d97a-45cb-824c-7a7467783830",
	"Monitoring Metrics Publisher":                "3913510d-42f4-4e42-8a64-420c390055eb",
	"Network Contributor":                         "4d97b98b-1d4f-4787-a291-c67834d212e7",
	"Owner":                                       "8e3af657-a8ff-443c-a75c-2fe8c4bcb635",
	"Reader":                                      "acdd72a7-3385-48ef-bd42-f606fba81ae7",
	"Storage Blob Data Contributor":               "ba92f5b4-2d11-453d-a403-e96b0029c9fe",
	"Storage Blob Data Owner":                     "b7e6dc6d-f1e8-4753-8033-0f276bb0955b",
	"Storage Blob Data Reader":                    "2a2b9908-6ea1-4ae2-8e65-a410df84e7d1",
	"Storage Queue Data Contributor":              "974c5e8b-45b9-4653-ba55-5f855dd0fb88",
	"User Access Administrator":                   "18d7d88d-d35e-4fb5-a5c3-7773c20a72d9",
	"Virtual Machine Contributor":                 "9980e02c-c2be-4d73-94e8-173b1dc7cf3c",
}

// wellKnownRole returns the ARM id of a role definition, given its well-known name. The id
// has no subscription, since ARM accepts that at every scope.
func wellKnownRole(ref reference.RoleDefinition) (string, error) {
	if alone := (reference.RoleDefinition{WellKnownName: ref.WellKnownName}); ref != alone {
		return "", fmt.Errorf("found the wellKnownName %q beside an armId or a name, expected one of them", ref.WellKnownName)
	}
	for name, id := range roles {
		switch {
		case strings.EqualFold(name, ref.WellKnownName): // ARM compares names without case
			return "/providers/Microsoft.Authorization/roleDefinitions/" + id, nil
		case strings.EqualFold(normalizeName(name), normalizeName(ref.WellKnownName)):
			return "", fmt.Errorf("found the wellKnownName %q, expected %q", ref.WellKnownName, name)
		}
	}
	return "", fmt.Errorf("the wellKnownName %q is not known, expected one of %s; give any other role by its armId",
		ref.WellKnownName, strings.Join(slices.Sorted(maps.Keys(roles)), ", "))
}

// normalizeName returns a name without spaces, dashes and underscores, which people mistake
// for each other.
func normalizeName(name string) string {
	return strings.NewReplacer(" ", "", "-", "", "_", "").Replace(name)
}
