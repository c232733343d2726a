package pets

import (
	"testing"

	old "example.com/petshop/apis/pet-shop/v20240501"
	v1 "example.com/petshop/apis/pet-shop/v20250901"
	hub "example.com/petshop/apis/pet-shop/v20250901storage"
	"github.com/armature-dev/armature/runtime/conversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestLight finds a pet that was written at the old version, which weighs in grams.
func TestLight(t *testing.T) {
	grams := int64(1500)
	var given conversion.Convertible = &old.Pet{
		ObjectMeta: metav1.ObjectMeta{Name: "rex"}, Spec: old.Pet_Spec{WeightGrams: &grams},
	}
	stored, pet := &hub.Pet{}, &v1.Pet{}
	if err := given.ConvertTo(stored); err != nil {
		t.Fatal(err)
	}
	if err := pet.ConvertFrom(stored); err != nil {
		t.Fatal(err)
	}
	if light := Light([]v1.Pet{*pet}, 2); len(light) != 1 || light[0].Name != "rex" {
		t.Errorf("found %v, want rex, which weighs 1.5 kg", light)
	}
	if light := Light([]v1.Pet{*pet, {}}, 1); len(light) != 0 {
		t.Errorf("found %v, want none that weighs 1 kg", light)
	}
}
