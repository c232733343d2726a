package armschema_test

import (
	"os"
	"testing"

	"github.com/armature-dev/armature/generator/armschema"
	"github.com/armature-dev/armature/generator/ir"
)

// Whatever a document holds, Load answers with a version that keeps its
// promises, or with errors.
func FuzzLoad(f *testing.F) {
	for _, g := range goldens(&testing.T{}) {
		for _, root := range g.roots {
			f.Add(g.files[root])
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := armschema.Load(armschema.Input{
			Provider: "Contoso.Shop", APIVersion: "2020-01-01", Roots: []string{"shop.json"}, Exports: shop,
			Read: func(name string) ([]byte, error) {
				if name == "shop.json" {
					return text, nil
				}
				return nil, os.ErrNotExist
			},
		})
		if err != nil {
			return
		}
		checkVersion(t, v)
		if _, err := ir.Encode(v); err != nil {
			t.Error(err)
		}
	})
}
