package roundtrip

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/armature-dev/armature/runtime/propertybag"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// shrinkingTime is the most time for making a failure smaller.
const shrinkingTime = 10 * time.Second

// Shrink makes the objects and edits for which a law fails as small as it can within
// a time, and returns the error of the smallest.
func (t *Trial) Shrink(law Law, limit time.Duration) error {
	t.inputs = slices.Clone(t.inputs) // other pairs have them too
	for i, input := range t.inputs {
		t.inputs[i] = input.DeepCopyObject()
	}
	err := t.Try(law)
	s := &shrinker{
		until: time.Now().Add(limit),
		fails: func() bool {
			smaller := t.Try(law)
			if smaller != nil {
				err = smaller
			}
			return smaller != nil
		},
	}
	for s.smaller = err != nil; s.smaller; {
		s.smaller = false
		for _, input := range t.inputs {
			s.value(reflect.ValueOf(input).Elem(), func() {})
		}
		for _, e := range t.edits {
			if e != nil && e.value.IsValid() {
				s.value(e.value, func() {})
			}
		}
	}
	return err
}

// Describe returns the objects and edits that a law was tried on, as JSON.
func (t *Trial) Describe() string {
	var all strings.Builder
	for _, input := range t.inputs {
		data, err := json.Marshal(input)
		if err != nil {
			data = fmt.Appendf(nil, "%+v", input)
		}
		const most = 4000
		if len(data) > most {
			data = fmt.Appendf(data[:most:most], "... (%d bytes)", len(data))
		}
		fmt.Fprintf(&all, "%T: %s\n", input, data)
	}
	for _, e := range t.edits {
		if e != nil {
			fmt.Fprintf(&all, "edit: %s\n", e)
		}
	}
	return strings.TrimSuffix(all.String(), "\n")
}

// shrinker makes values smaller while a law fails for them.
type shrinker struct {
	until   time.Time
	fails   func() bool
	smaller bool // something was made smaller
}

// value makes a value smaller, and then the values within it. If the value is an
// element of a map, commit writes it to the map.
func (s *shrinker) value(v reflect.Value, commit func()) {
	if !v.CanSet() || time.Now().After(s.until) {
		return
	}
	if v.IsZero() || s.try(v, reflect.Zero(v.Type()), commit) {
		return
	}
	switch v.Interface().(type) {
	case metav1.Time, apiextensionsv1.JSON, json.RawMessage:
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		s.value(v.Elem(), commit)
	case reflect.Struct:
		for i := range v.NumField() {
			s.value(v.Field(i), commit)
		}
	case reflect.Slice:
		s.slice(v, commit)
	case reflect.Map:
		_, isBag := v.Interface().(propertybag.Bag)
		for _, key := range sortedKeys(v) {
			if isBag && v.Len() == 1 {
				return // an empty bag is nil
			}
			element := deepCopy(v.MapIndex(key))
			if v.SetMapIndex(key, reflect.Value{}); s.commit(commit) {
				continue
			}
			put := func() { v.SetMapIndex(key, element); commit() }
			put()
			s.value(element, put)
		}
	case reflect.String:
		for size := len([]rune(v.String())) / 2; size > 0; size /= 2 {
			for runes := []rune(v.String()); len(runes) > size &&
				s.try(v, reflect.ValueOf(string(runes[:len(runes)-size])).Convert(v.Type()), commit); {
				runes = []rune(v.String())
			}
		}
		s.try(v, reflect.ValueOf("a").Convert(v.Type()), commit)
	case reflect.Int64:
		s.try(v, reflect.ValueOf(int64(1)).Convert(v.Type()), commit)
	case reflect.Float64:
		s.try(v, reflect.ValueOf(float64(1)).Convert(v.Type()), commit)
	}
}

func (s *shrinker) slice(v reflect.Value, commit func()) {
	s.try(v, reflect.MakeSlice(v.Type(), 0, 0), commit)
	for i := v.Len() - 1; i >= 0 && v.Len() > 1; i-- {
		rest := reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()), v.Slice(0, i))
		s.try(v, reflect.AppendSlice(rest, v.Slice(i+1, v.Len())), commit)
	}
	if v.Type().Elem().Kind() != reflect.Uint8 {
		for i := range v.Len() {
			s.value(v.Index(i), commit)
		}
	}
}

// try replaces a value by a smaller one if the law still fails with it.
func (s *shrinker) try(v, smaller reflect.Value, commit func()) bool {
	before := reflect.New(v.Type()).Elem()
	before.Set(v)
	if reflect.DeepEqual(before.Interface(), smaller.Interface()) {
		return false
	}
	if v.Set(smaller); s.commit(commit) {
		return true
	}
	v.Set(before)
	commit()
	return false
}

func (s *shrinker) commit(commit func()) bool {
	commit()
	failed := time.Now().Before(s.until) && s.fails()
	s.smaller = s.smaller || failed
	return failed
}
