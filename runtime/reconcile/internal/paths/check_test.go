package paths

import (
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	for path, want := range map[string]string{
		"spec.size": "", `spec.tags["a,b"]`: "", "spec.tags.a": "", "spec.rules[name=web].port": "", "spec.inner.inner.zones": "",
		"spec.rules": "", "spec.rules[name=web]": "", "spec.open": "", `spec.blobs.a`: "", "spec.subnetReference": "",
		"spec.sise":                  "found no property sise in spec, expected a name such as size",
		"spec.login.usr":             "found no property usr in spec.login, expected a name such as user",
		"spec.size.a":                "spec.size has no parts: expected spec.size itself",
		"spec.rules.a":               "spec.rules is a list: expected spec.rules[name=…], or spec.rules itself",
		"spec.rules[name=web].prot":  "found no property prot in spec.rules[name=web], expected a name such as port",
		"spec.zones[name=a]":         "the elements of spec.zones have no names: expected spec.zones itself",
		"spec.shelves[name=a]":       "the elements of spec.shelves have no names",
		"spec.tags[name=a]":          "spec.tags is no list, which spec.tags[name=a] would be a part of",
		"spec.open.a":                "spec.open has no type, so its parts cannot be told apart: expected spec.open itself",
		"spec.password":              "spec.password is a secret, which ARM does not show",
		"spec.password.name":         "spec.password has no parts",
		"spec.subnetReference.armId": "spec.subnetReference has no parts",
		"spec.azureName":             "spec.azureName is not sent to ARM",
		"spec.owner.name":            "spec.owner.name is not sent to ARM",
		"tags":                       "in the path tags: found",
	} {
		err := Check(&shop{}, path)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %v, want %s", path, err, want)
		}
	}
}
