// Package pets finds pets, at the newest version of the API.
package pets

import (
	v1 "example.com/petshop/apis/pet-shop/v20250901"
)

// Light returns the pets that weigh at most some kilograms. Nobody has weighed the others.
func Light(pets []v1.Pet, kilograms float64) []v1.Pet {
	var light []v1.Pet
	for _, pet := range pets {
		if w := pet.Spec.WeightKg; w != nil && *w <= kilograms {
			light = append(light, pet)
		}
	}
	return light
}
