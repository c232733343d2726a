package roundtrip

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/armature-dev/armature/runtime/propertybag"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type everything struct {
	Text     *string
	Integer  *int64
	Number   *float64
	Flag     *bool
	Color    *color
	Any      *apiextensionsv1.JSON
	List     []string
	Map      map[string]string
	MapList  map[string][]everything
	Pet      *pet
	Self     *everything
	Bag      propertybag.Bag
	Created  metav1.Time
	required string // not exported: to be left alone
}

type color string

var colors = []color{"red", "green"}

type pet struct {
	Name *string
	Cat  *everything `arm:"kind=Cat"`
	Dog  *everything `arm:"kind=Dog"`
}

// fillsAwkwardValues checks that everything occurs which gofuzz alone does not
// make. A test that never meets it would prove nothing about it.
func fillsAwkwardValues(t *testing.T) {
	seen := map[string]int{}
	for seed := range int64(100) {
		object := &everything{}
		filler := newVocabulary(nil, []any{colors}, nil).filler(seed, 0)
		filler.Fill(object)
		if object.required != "" {
			t.Fatal("an unexported field was filled")
		}
		full := filler.absent == 0
		look(t, seen, reflect.ValueOf(object).Elem(), 0)
		if full {
			seen["full object"]++
		}
	}
	for _, what := range []string{
		"full object",
		"nil []string", "empty []string", "[]string of 3",
		"nil map[string]string", "empty map[string]string", "map[string]string of 3",
		"empty []roundtrip.everything", "[]roundtrip.everything of 3",
		"nil *string", "nil *roundtrip.pet",
		"string with quotes", "string with control characters", "string with a 4-byte rune", "empty string",
		"largest int64", "smallest int64", "int64 that no float64 holds",
		"-0.0", "1e308", "smallest float64",
		"color red", "color green",
		"JSON of kind {", "JSON of kind [", "JSON of kind \"", "JSON of kind number", "JSON of kind t",
		"cat", "dog", "no variant", "recursion", "bag", "nil propertybag.Bag",
	} {
		if seen[what] == 0 {
			t.Errorf("no object has: %s", what)
		}
	}
	if n := seen["both variants"]; n > 0 {
		t.Errorf("%d unions have two variants", n)
	}
	t.Log(seen)
}

// look counts the features of a value.
func look(t *testing.T, seen map[string]int, v reflect.Value, depth int) {
	if !v.CanSet() {
		return
	}
	if depth > 60 {
		t.Fatal("an object is too deep")
	}
	switch x := v.Interface().(type) {
	case apiextensionsv1.JSON:
		if !json.Valid(x.Raw) {
			t.Fatalf("%q is no JSON", x.Raw)
		}
		kind := string(x.Raw[:1])
		if strings.Trim(kind, "-0123456789") == "" {
			kind = "number"
		}
		seen["JSON of kind "+kind]++
		return
	case color:
		seen["color "+string(x)]++
	case pet:
		switch {
		case x.Cat != nil && x.Dog != nil:
			seen["both variants"]++
		case x.Cat != nil:
			seen["cat"]++
		case x.Dog != nil:
			seen["dog"]++
		default:
			seen["no variant"]++
		}
	case propertybag.Bag:
		if x != nil {
			seen["bag"]++
		}
	case everything:
		if x.Self != nil {
			seen["recursion"]++
		}
	}
	name := v.Type().String()
	switch v.Kind() {
	case reflect.String:
		s := v.String()
		switch {
		case s == "":
			seen["empty string"]++
		case strings.Contains(s, `"`):
			seen["string with quotes"]++
		case strings.Contains(s, "\x00"):
			seen["string with control characters"]++
		case len(s) >= 4 && utf8.RuneLen([]rune(s)[0]) == 4:
			seen["string with a 4-byte rune"]++
		}
	case reflect.Int64:
		switch v.Int() {
		case math.MaxInt64:
			seen["largest int64"]++
		case math.MinInt64:
			seen["smallest int64"]++
		case 1<<53 + 1:
			seen["int64 that no float64 holds"]++
		}
	case reflect.Float64:
		switch f := v.Float(); {
		case f == 0 && math.Signbit(f):
			seen["-0.0"]++
		case f == 1e308:
			seen["1e308"]++
		case f == math.SmallestNonzeroFloat64:
			seen["smallest float64"]++
		}
	case reflect.Pointer:
		if v.IsNil() {
			seen["nil "+name]++
		} else {
			look(t, seen, v.Elem(), depth+1)
		}
	case reflect.Slice:
		count(seen, v)
		for i := range v.Len() {
			look(t, seen, v.Index(i), depth+1)
		}
	case reflect.Map:
		count(seen, v)
		for _, key := range v.MapKeys() {
			element := reflect.New(v.Type().Elem()).Elem()
			element.Set(v.MapIndex(key))
			look(t, seen, element, depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			look(t, seen, v.Field(i), depth+1)
		}
	}
}

func count(seen map[string]int, v reflect.Value) {
	name := v.Type().String()
	switch {
	case v.IsNil():
		seen["nil "+name]++
	case v.Len() == 0:
		seen["empty "+name]++
	case v.Len() == 3:
		seen[name+" of 3"]++
	}
}

func fillsTheSameFromOneSeed(t *testing.T) {
	a, b := &everything{}, &everything{}
	NewFiller(7).Fill(a)
	NewFiller(7).Fill(b)
	if !reflect.DeepEqual(a, b) {
		t.Error("two objects of one seed differ")
	}
}
