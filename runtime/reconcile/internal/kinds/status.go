package kinds

import (
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ConditionsOf returns the conditions in the Status, which every kind has.
func ConditionsOf(r Resource) *[]metav1.Condition {
	return FieldOf[[]metav1.Condition](r.GetStatus(), "Conditions")
}

// ObservedGenerationOf returns a pointer to the Status's field for the generation that the conditions
// describe, which every kind has.
func ObservedGenerationOf(r Resource) **int64 {
	return FieldOf[*int64](r.GetStatus(), "ObservedGeneration")
}

// FieldOf returns a pointer to a field of the struct that of points to, or nil if the struct has no such
// field of type T.
func FieldOf[T any](of any, name string) *T {
	v := reflect.ValueOf(of)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return nil
	}
	f := v.Elem().FieldByName(name)
	if !f.IsValid() || !f.CanSet() {
		return nil
	}
	field, _ := f.Addr().Interface().(*T)
	return field
}
