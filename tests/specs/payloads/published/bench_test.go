package published_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	storage "github.com/armature-dev/armature/apis/storage/v20210401"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/tests/specs/published"
)

// plain returns a struct type for a JSON value, as somebody would write it for
// encoding/json who needs nothing but this value. A list has the type of its first
// element.
func plain(value any) reflect.Type {
	switch value := value.(type) {
	case map[string]any:
		var fields []reflect.StructField
		for _, name := range slices.Sorted(maps.Keys(value)) {
			fields = append(fields, reflect.StructField{
				Name: "F" + strings.Map(func(r rune) rune {
					if r == '-' || r == '.' || r == '/' || r == '@' || r == '$' || r == ' ' {
						return '_'
					}
					return r
				}, name),
				Type: reflect.PointerTo(plain(value[name])),
				Tag:  reflect.StructTag(fmt.Sprintf(`json:"%s,omitempty"`, name)),
			})
		}
		return reflect.StructOf(fields)
	case []any:
		return reflect.SliceOf(plain(value[0]))
	case float64:
		return reflect.TypeFor[int64]()
	case nil:
		return reflect.TypeFor[any]()
	}
	return reflect.TypeOf(value)
}

// BenchmarkStorageAccount compares the codec with encoding/json on a plain struct,
// for a body of 6 KB: the example of the 2021-04-01 spec with more network rules.
// The codec may take 1.5 times as long.
func BenchmarkStorageAccount(b *testing.B) {
	for _, direction := range []string{"request", "response"} {
		body := large(b, direction)
		plainType := reflect.New(plain(parsed(b, body))).Interface()
		if err := json.Unmarshal(body, plainType); err != nil {
			b.Fatal(err)
		}
		target := func() any { return &storage.StorageAccount_Status{} }
		if direction == "request" {
			target = func() any { return &storage.StorageAccount_Spec{} }
		}
		value := target()
		if ignored, err := arm.Decode(body, value); err != nil || ignored.Count+len(ignored.Misfits) > 0 {
			b.Fatal(ignored, err)
		}
		again, err := json.Marshal(plainType)
		if err != nil || !reflect.DeepEqual(parsed(b, again), parsed(b, body)) {
			b.Fatal("the plain struct lacks something:", err)
		}
		run := func(name string, f func() error) {
			b.Run(direction+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(body)))
				b.ReportAllocs()
				for b.Loop() {
					if err := f(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		run("encode", func() error { _, err := arm.Encode(context.Background(), value, nil); return err })
		run("encode-plain", func() error { _, err := json.Marshal(plainType); return err })
		run("decode", func() error { _, err := arm.Decode(body, target()); return err })
		run("decode-plain", func() error { return json.Unmarshal(body, reflect.New(reflect.TypeOf(plainType).Elem()).Interface()) })
	}
}

// large returns the body of the example, with network rules that make it 6 KB.
func large(b *testing.B, direction string) []byte {
	text, err := os.ReadFile(filepath.Join(published.Specs(b),
		"storage/resource-manager/Microsoft.Storage/stable/2021-04-01/examples/StorageAccountCreate.json"))
	if err != nil {
		b.Fatal(err)
	}
	example := parsed(b, text).(map[string]any)
	body := example["parameters"].(map[string]any)["parameters"].(map[string]any)
	if direction == "response" {
		body = example["responses"].(map[string]any)["200"].(map[string]any)["body"].(map[string]any)
	}
	properties := body["properties"].(map[string]any)
	var rules []any
	acls := map[string]any{"bypass": "AzureServices", "defaultAction": "Deny"}
	properties["networkAcls"] = acls
	for i := 0; ; i++ {
		rules = append(rules, map[string]any{
			"id":     fmt.Sprintf("/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/res9101/providers/Microsoft.Network/virtualNetworks/net%d/subnets/default", i),
			"action": "Allow",
			"state":  "Succeeded",
		})
		acls["virtualNetworkRules"] = rules
		text, err := json.Marshal(body)
		if err != nil {
			b.Fatal(err)
		}
		if len(text) >= 6000 {
			return bytes.Clone(text)
		}
	}
}

func parsed(b *testing.B, text []byte) any {
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		b.Fatal(err)
	}
	return value
}
