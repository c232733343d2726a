package laws

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/armature-dev/armature/runtime/roundtrip"
)

func TestRead(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       *Facts
		wantError  string
	}{
		{"a storage package", `{"storage": true, "bags": {"Home": [{"key": "door", "version": "2020-01-01"}]}}`,
			&Facts{Storage: true, Bags: map[string][]roundtrip.BagEntry{"Home": {{Key: "door", Version: "2020-01-01"}}}}, ""},
		{"the package of an API version", `{
			"waivers": [{"law": "Edit", "property": "Home.door", "reason": "a hook"}],
			"rules": {"Home": {"properties": {"door": {"required": true, "limits": {"pattern": "^a"}}}}}
		}`, &Facts{
			Waivers: []roundtrip.Waiver{{Law: "Edit", Property: "Home.door", Reason: "a hook"}},
			Rules: roundtrip.Rules{"Home": {Properties: map[string]*roundtrip.PropertyRules{
				"door": {Required: true, Limits: &roundtrip.Limits{Pattern: "^a"}},
			}}},
		}, ""},
		{"facts of a newer generator", `{"other": 1}`, nil, "of another version of Armature"},
		{"no facts", "", nil, "the build makes it"},
	} {
		t.Run(test.name, func(t *testing.T) {
			group := t.TempDir()
			file := filepath.Join(group, "v1", File)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if test.text != "" {
				if err := os.WriteFile(file, []byte(test.text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			got, err := Read(group, "v1")
			if test.wantError != "" {
				if err == nil || !strings.Contains(err.Error(), test.wantError) || !strings.Contains(err.Error(), file) {
					t.Errorf("%v, want %s of %s", err, test.wantError, file)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
