package service

import (
	"testing"

	"github.com/armature-dev/armature/generator/ir"
)

func TestOutputEntries(t *testing.T) {
	action := func(name string, values ...ir.ActionValue) ir.Action {
		return ir.Action{Resource: "Contoso.Shop/orders", Name: name, Secret: true, Values: values}
	}
	for _, test := range []struct {
		behavior string
		action   ir.Action
		want     string
	}{
		{"a value in a list", action("listKeys", ir.ActionValue{Path: "keys[].value", Secret: true}),
			`keysValue: {action: listKeys, path: "keys[0].value"}`},
		{"a map as a whole", action("listKeys", ir.ActionValue{Path: "properties.*", Secret: true}),
			`properties: {action: listKeys, path: "properties.*"}`},
		{"a map of objects as a whole", action("listKeys", ir.ActionValue{Path: "sites.*.key", Secret: true, Base64: true}),
			`sites: {action: listKeys, path: "sites.*"}`},
		{"an answer that is a map", action("config/web/listKeys", ir.ActionValue{Path: "*", Secret: true}),
			`listKeys: {action: config/web/listKeys, path: "*"}`},
		{"a value of any type", action("listKeys", ir.ActionValue{Path: "file", Secret: true, Any: true}),
			`file: {action: listKeys, path: "file"}, with encoding: base64 if it is encoded, which the specs do not say`},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			want := "#  Contoso.Shop/orders:\n#    " + test.want + "\n"
			if got, _ := outputEntries(nil, []*ir.Version{{Actions: []ir.Action{test.action}}}, nil); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}
