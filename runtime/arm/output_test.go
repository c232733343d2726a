package arm

import (
	"reflect"
	"strings"
	"testing"
)

func TestOutput(t *testing.T) {
	const answer = `{"primaryKey": "a/b==", "count": 12345678901234567890, "on": true, "none": null, "file": "AAH/", "inner": {"Host": "h"},
		"keys": [{"keyName": "key1", "value": "one"}, {"KeyName": "KEY2", "Value": "two"}, {"keyName": "a.b", "value": "dots"}]}`
	for _, row := range []struct{ reason, path, want, err string }{
		{"a text", "primaryKey", "a/b==", ""},
		{"a number as it is written", "count", "12345678901234567890", ""},
		{"a boolean", "on", "true", ""},
		{"deeper", "inner.Host", "h", ""},
		{"ARM has no case", "Inner.host", "h", ""},
		{"an element by its index", "keys[0].value", "one", ""},
		{"an element by a property", "keys[keyName=key2].value", "two", ""},
		{"an element whose name has a dot", "keys[keyName=a.b].value", "dots", ""},
		{"nothing", "secondaryKey", "", "there is no secondaryKey"},
		{"null", "none", "", "there is no none"},
		{"an element too far", "keys[3].value", "", "there is no keys[3].value"},
		{"no such element", "keys[keyName=key3].value", "", "there is no keys[keyName=key3].value"},
		{"a map as JSON", "inner.*", `{"Host":"h"}`, ""},
		{"a map that is not there", "outer.*", "", "there is no map at outer.*"},
		{"no map", "keys.*", "", "there is no map at keys.*"},
		{"no list", "inner[0]", "", "there is no inner[0]"},
		{"an object", "inner", "", "inner is an object or a list"},
	} {
		got, err := Output{Path: row.path}.Value([]byte(answer))
		if row.err == "" && (err != nil || string(got) != row.want) ||
			row.err != "" && (err == nil || !strings.Contains(err.Error(), row.err)) {
			t.Errorf("%s: got %q, %v", row.reason, got, err)
		}
	}
	if got, err := (Output{Path: "*"}).Value([]byte(`{"b": 1.50, "a": "x"}`)); err != nil || string(got) != `{"a":"x","b":1.50}` {
		t.Errorf("a whole answer: got %s, %v", got, err)
	}
	if got, err := (Output{Path: "file", Base64: true}).Value([]byte(answer)); err != nil || string(got) != "\x00\x01\xff" {
		t.Errorf("decoded: got %q, %v", got, err)
	}
	for _, text := range []string{answer, `"canary`} {
		_, err := Output{Path: "on", Base64: true}.Value([]byte(strings.ReplaceAll(text, "true", `"canary!"`)))
		if err == nil || strings.Contains(err.Error(), "canary") {
			t.Errorf("of %s: error %v, want one without the value", text, err)
		}
	}
}

func TestKindIn(t *testing.T) {
	type status struct {
		Id    *string          `json:"id,omitempty"`
		Port  *int64           `json:"port,omitempty"`
		On    *bool            `json:"on,omitempty"`
		Load  *float64         `json:"load,omitempty"`
		Count map[string]int64 `json:"count,omitempty"`
		Inner *struct{ X any } `json:"inner,omitempty"`
		Nodes []struct {
			Port *int64 `json:"port,omitempty"`
		} `json:"nodes,omitempty"`
	}
	for path, want := range map[string]reflect.Kind{
		"id": reflect.String, "port": reflect.Int64, "on": reflect.Bool, "load": reflect.Float64, "Port": reflect.Int64,
		"count.a": reflect.Int64, "nodes[0].port": reflect.Int64, "nodes[name=a].port": reflect.Int64,
		"count.*": reflect.Invalid, "inner": reflect.Invalid, "nodes": reflect.Invalid, "id.more": reflect.Invalid,
		"other": reflect.Invalid, "port[0]": reflect.Invalid,
	} {
		if got := (Output{Path: path}).KindIn(reflect.TypeFor[status]()); got != want {
			t.Errorf("%s: got %v, want %v", path, got, want)
		}
	}
}
