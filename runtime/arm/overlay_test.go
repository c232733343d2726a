package arm

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/armature-dev/armature/runtime/reference"
)

// A cluster has what generated types have. Its Status has what only ARM writes.
type (
	clusterSpec struct {
		AzureName *string               `json:"azureName,omitempty" arm:"-,name"`
		Owner     *reference.Owner      `json:"owner,omitempty"`
		Location  *string               `json:"location,omitempty"`
		Tags      map[string]string     `json:"tags,omitzero"`
		Sku       *sku                  `json:"sku,omitempty"`
		Pools     []pool                `json:"pools,omitzero" arm:"properties/agentPools" listMapKey:"name"`
		Zones     []string              `json:"zones,omitzero" arm:"properties/zones"`
		Any       *apiextensionsv1.JSON `json:"any,omitempty" arm:"properties/any"`
		Password  *reference.Secret     `json:"password,omitempty" arm:"properties/adminPassword"`
		Beast     *beast                `json:"beast,omitempty" arm:"properties/beast"`
		Parts     map[string]sku        `json:"parts,omitzero" arm:"properties/parts"`
	}
	sku struct {
		Name *string `json:"name,omitempty"`
		Tier *string `json:"tier,omitempty"`
	}
	pool struct {
		Name  string            `json:"name"`
		Count *int64            `json:"count,omitempty" arm:"properties/count"`
		Token *reference.Secret `json:"token,omitempty" arm:"properties/token"`
	}
	beast struct {
		Cat   *cat                  `json:"cat,omitempty" arm:"kind=Cat"`
		Other *apiextensionsv1.JSON `json:"other,omitempty" arm:"kind=*"`
	}
	cat struct {
		Lives *int64  `json:"lives,omitempty"`
		Fur   *string `json:"fur,omitempty"`
	}
	clusterStatus struct {
		ID       *string      `json:"id,omitempty"`
		Location *string      `json:"location,omitempty"`
		Fqdn     *string      `json:"fqdn,omitempty" arm:"properties/fqdn"`
		Sku      *skuStatus   `json:"sku,omitempty"`
		Pools    []poolStatus `json:"pools,omitzero" arm:"properties/agentPools"`
		Beast    *beastStatus `json:"beast,omitempty" arm:"properties/beast"`
	}
	skuStatus struct {
		Name *string `json:"name,omitempty"`
		Size *string `json:"size,omitempty"`
	}
	poolStatus struct {
		Name    string  `json:"name"`
		Count   *int64  `json:"count,omitempty" arm:"properties/count"`
		Version *string `json:"version,omitempty" arm:"properties/version"`
	}
	beastStatus struct {
		Cat *catStatus `json:"cat,omitempty" arm:"kind=Cat"`
	}
	catStatus struct {
		Lives  *int64 `json:"lives,omitempty"`
		Asleep *bool  `json:"asleep,omitempty"`
	}
)

func (*clusterSpec) ARMResource() Resource {
	return Resource{Type: "Contoso.Homes/clusters", APIVersion: "2020-02-02"}
}

func TestOverlay(t *testing.T) {
	for _, row := range []struct {
		what, shown, body, want string
		drops                   []string
	}{
		{"what the Spec does not name stays, and what only ARM writes goes",
			`{"id":"/x","name":"x","type":"T","etag":"1","systemData":{},"location":"westeurope","sku":{"name":"S1","tier":"S","size":"big"},
			"properties":{"fqdn":"x.example","provisioningState":"Succeeded","zones":["1"],"novel":{"a":1.50}}}`,
			`{"location":"westeurope","sku":{"name":"S2"}}`,
			`{"location":"westeurope","sku":{"name":"S2","tier":"S"},"properties":{"zones":["1"],"novel":{"a":1.50}}}`, nil},
		{"maps are merged, and lists without keys replaced",
			`{"tags":{"a":"1","b":"2"},"properties":{"zones":["1","2"],"parts":{"x":{"name":"n","tier":"t"},"y":{}}}}`,
			`{"tags":{"b":"3"},"properties":{"zones":["3"],"parts":{"x":{"name":"m"}}}}`,
			`{"tags":{"a":"1","b":"3"},"properties":{"zones":["3"],"parts":{"x":{"name":"m","tier":"t"},"y":{}}}}`, nil},
		{"elements with keys are merged, whatever the case of the key",
			`{"properties":{"agentPools":[{"name":"System","properties":{"count":3,"version":"1.30","novel":1}},{"name":"other"}]}}`,
			`{"properties":{"agentPools":[{"name":"new"},{"name":"system","properties":{"count":4}}]}}`,
			`{"properties":{"agentPools":[{"name":"system","properties":{"count":4,"novel":1}},{"name":"other"},{"name":"new"}]}}`, nil},
		{"a list in which a key is missing or comes twice is replaced",
			`{"properties":{"agentPools":[{"name":"a"},{"name":"A"}]}}`, `{"properties":{"agentPools":[{"name":"b"}]}}`,
			`{"properties":{"agentPools":[{"name":"b"}]}}`, nil},
		{"names in another case are the same",
			`{"Location":"westeurope","Properties":{"Zones":["1"],"FQDN":"x"}}`, `{"location":"eastus"}`,
			`{"location":"eastus","Properties":{"Zones":["1"]}}`, nil},
		{"a variant is merged with the same one, and another replaces it",
			`{"properties":{"beast":{"kind":"Cat","lives":9,"fur":"grey","asleep":true}}}`,
			`{"properties":{"beast":{"kind":"Cat","lives":8}}}`,
			`{"properties":{"beast":{"kind":"Cat","lives":8,"fur":"grey"}}}`, nil},
		{"another variant", `{"properties":{"beast":{"kind":"Cat","lives":9}}}`, `{"properties":{"beast":{"kind":"Dog","barks":true}}}`,
			`{"properties":{"beast":{"kind":"Dog","barks":true}}}`, nil},
		{"of a variant that the version does not know everything stays",
			`{"properties":{"beast":{"kind":"Dog","barks":true,"asleep":true}}}`, `{}`,
			`{"properties":{"beast":{"kind":"Dog","barks":true,"asleep":true}}}`, nil},
		{"JSON of any content is replaced", `{"properties":{"any":{"a":1,"b":2}}}`, `{"properties":{"any":{"a":3}}}`,
			`{"properties":{"any":{"a":3}}}`, nil},
		{"what is dropped goes, unless the Spec sets it",
			`{"tags":{"a":"1","b":"2"},"sku":{"name":"S1","tier":"S"},"properties":{"zones":["1"],"agentPools":[{"name":"a"},{"name":"b"}]}}`,
			`{"sku":{"name":"S2"}}`, `{"tags":{"a":"1"},"sku":{"name":"S2"},"properties":{"agentPools":[{"name":"a"}]}}`,
			[]string{`spec.tags.b`, "spec.sku.tier", "spec.sku.name", "spec.zones", "spec.pools[name=b]"}},
		{"an object of which nothing is left goes", `{"properties":{"fqdn":"x"}}`, `{"location":"eastus"}`, `{"location":"eastus"}`, nil},
	} {
		t.Run(row.what, func(t *testing.T) {
			drops := func(path string) bool { return slices.Contains(row.drops, path) }
			o := Overlay{Spec: &clusterSpec{}, Status: &clusterStatus{}, Drops: drops}
			got, err := o.Lay([]byte(row.shown), []byte(row.body))
			if err != nil {
				t.Fatal(err)
			}
			var is, want any
			if json.Unmarshal(got.Body, &is) != nil || json.Unmarshal([]byte(row.want), &want) != nil || !reflect.DeepEqual(is, want) {
				t.Errorf("got  %s\nwant %s", got.Body, row.want)
			}
		})
	}
	o := Overlay{Spec: &clusterSpec{}, Status: &clusterStatus{}, Drops: func(string) bool { return false }}
	t.Run("secrets that neither has are named", func(t *testing.T) {
		got, err := o.Lay([]byte(`{"properties":{"agentPools":[{"name":"a","properties":{}},{"name":"b","properties":{"token":"t"}}]}}`), []byte(`{}`))
		if want := "spec.password spec.pools[name=a].token"; err != nil || strings.Join(got.MissingSecrets, " ") != want {
			t.Errorf("got %q, %v, want %s", got.MissingSecrets, err, want)
		}
		got, err = o.Lay([]byte(`{}`), []byte(`{"properties":{"adminPassword":"s"}}`))
		if err != nil || got.MissingSecrets != nil {
			t.Errorf("got %q, %v", got.MissingSecrets, err)
		}
	})
	t.Run("numbers stay as they are written", func(t *testing.T) {
		got, err := o.Lay([]byte(`{"properties":{"novel":12345678901234567890,"other":1.50}}`), []byte(`{}`))
		if err != nil || !strings.Contains(string(got.Body), "12345678901234567890") || !strings.Contains(string(got.Body), "1.50") {
			t.Errorf("got %s, %v", got.Body, err)
		}
	})
	t.Run("what is no object is an error", func(t *testing.T) {
		for _, text := range []string{``, `[]`, `null`, `{`} {
			if _, err := o.Lay([]byte(text), []byte(`{}`)); err == nil {
				t.Errorf("%q: got no error", text)
			}
		}
	})
}
