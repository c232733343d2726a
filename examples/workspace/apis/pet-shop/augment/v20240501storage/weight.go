package v20240501storage

import (
	"math"

	next "example.com/petshop/apis/pet-shop/v20250901storage"
)

// AssignToPet_Spec weighs in kilograms, as the next version does.
func (p *Pet_Spec) AssignToPet_Spec(dst *next.Pet_Spec) error {
	if kg, ok := kilograms(p.WeightGrams); ok {
		dst.WeightKg = &kg
		dst.PropertyBag.Forget("weightGrams", "2024-05-01") // the way back computes it
	}
	return nil
}

// AssignFromPet_Spec weighs in grams.
func (p *Pet_Spec) AssignFromPet_Spec(src *next.Pet_Spec) error {
	if g, ok := grams(src.WeightKg); ok {
		p.WeightGrams = &g
		p.PropertyBag.Forget("weightKg", "2025-09-01")
	}
	return nil
}

// Each of the two undoes the other, or reports that it cannot: then the value stays in the bag.
func kilograms(g *int64) (float64, bool) {
	if g == nil {
		return 0, false
	}
	kg := float64(*g) / 1000
	back, ok := grams(&kg)
	return kg, ok && back == *g
}

func grams(kg *float64) (int64, bool) {
	if kg == nil {
		return 0, false
	}
	g := int64(math.Round(*kg * 1000))
	return g, float64(g)/1000 == *kg
}
