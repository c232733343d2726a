package conversion

import (
	"reflect"

	"github.com/armature-dev/armature/runtime/propertybag"
)

// emptyNote is the name of the note in the bag of an object into which a conversion
// has moved a property: without that, the object is there and empty.
const emptyNote = "$empty"

// At returns the object that place points to, for a property that moves into it. It
// makes a new one if there is none. If there is an empty one, it notes in its bag that
// the source, which has the shape of an ARM API version, has an empty one too:
// otherwise [Without] would take it for one that is there for its properties alone.
func At[T any](place **T, version string) *T {
	switch {
	case *place == nil:
		*place = new(T)
	case reflect.ValueOf(**place).IsZero():
		bagOf(*place).Note(emptyNote, version)
	}
	return *place
}

// Without returns an object without the properties that take moves elsewhere, or nil if
// it consists of these. Take gets a copy, and sets the properties to nil there.
func Without[T any](in *T, take func(rest *T)) *T {
	if in == nil {
		return nil
	}
	rest := new(T)
	*rest = *in
	take(rest)
	if !reflect.ValueOf(*rest).IsZero() {
		bag := bagOf(rest)
		if _, noted := (*bag)[emptyNote]; noted {
			*bag = bag.DeepCopy()
			delete(*bag, emptyNote)
			if len(*bag) == 0 {
				*bag = nil
			}
		}
		return rest
	}
	if reflect.ValueOf(*in).IsZero() {
		return rest
	}
	return nil
}

// bagOf returns the bag of an object of a storage version.
func bagOf[T any](object *T) *propertybag.Bag {
	return reflect.ValueOf(object).Elem().FieldByName(propertybag.Field).Addr().Interface().(*propertybag.Bag)
}
