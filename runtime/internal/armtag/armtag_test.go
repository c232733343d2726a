package armtag

import (
	"reflect"
	"testing"
)

func TestOf(t *testing.T) {
	for _, test := range []struct {
		name string
		tag  reflect.StructTag
		want Tag
	}{
		{"a field without the key has its JSON name", `json:"a,omitempty"`, Tag{Name: "a"}},
		{"a name", `json:"a" arm:"A"`, Tag{Name: "A"}},
		{"a property of properties", `json:"a" arm:"properties/A"`, Tag{Name: "A", Nested: true}},
		{"a map of all names", `json:"a" arm:"*"`, Tag{Name: "*", Spread: true}},
		{"a variant", `json:"cat" arm:"kind=Cat"`, Tag{Name: "kind=Cat", Discriminator: "kind", Variant: "Cat"}},
		{"any other variant in properties", `json:"other" arm:"properties/kind=*"`, Tag{Name: "kind=*", Nested: true, Discriminator: "kind", Variant: "*"}},
		{"a secret with JSON", `json:"keys" arm:",json"`, Tag{Name: "keys", Encoding: "json"}},
		{"a secret with JSON and a name", `json:"keys" arm:"Keys,json"`, Tag{Name: "Keys", Encoding: "json"}},
		{"a secret with bytes", `json:"file" arm:"properties/file,base64"`, Tag{Name: "file", Nested: true, Encoding: "base64"}},
		{"a secret with bytes for URLs", `json:"file" arm:",base64url"`, Tag{Name: "file", Encoding: "base64url"}},
		{"unknown to ARM", `json:"bag" arm:"-"`, Tag{Unknown: true}},
		{"the name in Azure", `json:"azureName" arm:"-,name"`, Tag{Unknown: true, AzureName: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := Of(reflect.StructField{Name: "A", Tag: test.tag}); got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}
