package arm

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/runtime/reference"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

func TestEncode(t *testing.T) {
	t.Run("a body is as ARM has it", bodies)
	t.Run("an error names the place", namesPlace)
	t.Run("an error has nothing of a secret", hidesSecret)
	t.Run("names need a Resolver", needsResolver)
	t.Run("a Resolver hears of which types a reference may be", tellsTypes)
	t.Run("a tag that means nothing is an error", unknownTag)
}

func bodies(t *testing.T) {
	for _, row := range []struct {
		reason string
		value  any
		want   string
	}{
		{"nothing is sent for nothing", &House_Spec{}, `{}`},
		{"name and owner are in the URL", &House_Spec{AzureName: p("n"), Owner: &reference.Owner{Name: "g"}}, `{}`},
		{"conditions are Kubernetes' own", &House_Status{Id: p("x")}, `{"id":"x"}`},
		{"a tag tells the name", &House_Spec{OdataType: p("x")}, `{"@odata.type":"x"}`},
		{"and what lies in properties", &House_Spec{Location: p("here"), Doors: p(int64(2))},
			`{"location":"here","properties":{"doors":2}}`},
		{"a property may be called name in ARM", &House_Spec{Name2: p("x")}, `{"properties":{"name":"x"}}`},
		{"zero is not absent", &House_Spec{Doors: p(int64(0)), Sold: p(false), Color: p(color(""))},
			`{"properties":{"color":"","doors":0,"sold":false}}`},
		{"empty is not absent", &House_Spec{Tags: map[string]string{}, Pets: []Pet{}, Inside: &House_Spec{}},
			`{"tags":{},"properties":{"inside":{},"pets":[]}}`},
		{"keys are sorted, so that a body is the same each time", &House_Spec{Tags: map[string]string{"b": "2", "a": "1", "c": ""}},
			`{"tags":{"a":"1","b":"2","c":""}}`},
		{"integers are exact", &House_Spec{Doors: p(int64(math.MaxInt64))}, `{"properties":{"doors":9223372036854775807}}`},
		{"and numbers", &House_Spec{Height: p(0.1)}, `{"properties":{"height":0.1}}`},
		{"large ones have an exponent", &House_Spec{Height: p(1e300)}, `{"properties":{"height":1e+300}}`},
		{"strings are escaped where they must be", &House_Spec{Location: p("a\"b\\\n\u2028é<&>")},
			"{\"location\":\"a\\\"b\\\\\\n\\u2028é\\u003c\\u0026\\u003e\"}"},
		{"keys are escaped", &House_Spec{Tags: map[string]string{`"`: "x"}}, `{"tags":{"\"":"x"}}`},
		{"untyped JSON goes as it is, numbers exact", &House_Spec{Any: p(raw(`{"n": 12345678901234567890.10, "z": null}`))},
			`{"properties":{"any":{"n":12345678901234567890.10,"z":null}}}`},
		{"an element may be null", &House_Spec{Raws: []apiextensionsv1.JSON{{}, raw("null")}}, `{"properties":{"raws":[null,null]}}`},
		{"an ARM id goes as it is", &House_Spec{Street: &reference.Resource{ARMID: "/subscriptions/x"}},
			`{"properties":{"streetId":"/subscriptions/x"}}`},
		{"a name is resolved, in lists and maps too",
			&House_Spec{Streets: map[string][]reference.Resource{"a": {{Group: "G", Kind: "K", Name: "n"}}}},
			`{"properties":{"streets":{"a":["/subscriptions/s/resourceGroups/g/providers/G/K/n"]}}}`},
		{"a role has its id in all tenants", &House_Spec{Role: &reference.RoleDefinition{WellKnownName: "Contributor"}},
			`{"properties":{"roleId":"/providers/Microsoft.Authorization/roleDefinitions/b24988ac-6180-42a0-ab88-20f7382dd24c"}}`},
		{"a role in another case", &House_Spec{Role: &reference.RoleDefinition{WellKnownName: "contributor"}},
			`{"properties":{"roleId":"/providers/Microsoft.Authorization/roleDefinitions/b24988ac-6180-42a0-ab88-20f7382dd24c"}}`},
		{"a role may have its own id", &House_Spec{Role: &reference.RoleDefinition{ARMID: "/roles/x"}},
			`{"properties":{"roleId":"/roles/x"}}`},
		{"a role may be an object in the cluster", &House_Spec{Role: &reference.RoleDefinition{Group: "G", Kind: "K", Name: "n"}},
			`{"properties":{"roleId":"/subscriptions/s/resourceGroups/g/providers/G/K/n"}}`},
		{"a secret is its value", &House_Spec{Key: &reference.Secret{Name: "s", Key: "k"}}, `{"properties":{"key":"value of k"}}`},
		{"a secret that is no string is JSON", &House_Spec{Keys: &reference.Secret{Name: "json", Key: "{\n \"front\": [1.50, \"<é>\"]}\n"}},
			`{"properties":{"keyRing":{"front":[1.50,"<é>"]}}}`},
		{"a secret may be any JSON", &House_Spec{Codes: &reference.Secret{Name: "json", Key: "17"},
			Keys: &reference.Secret{Name: "json", Key: `"a"`}},
			`{"codes":17,"properties":{"keyRing":"a"}}`},
		{"additional properties lie beside the others",
			&House_Spec{Shelf: &Shelf{Wood: p("oak"), Rest: map[string]string{"b": "2", "a": "1"}}},
			`{"properties":{"shelf":{"wood":"oak","a":"1","b":"2"}}}`},
		{"a variant lies beside what all have", &House_Spec{Pet: &Pet{Name: p("Tom"), Cat: &Cat{Lives: p(int64(9))}}},
			`{"properties":{"pet":{"kind":"Cat","lives":9,"name":"Tom"}}}`},
		{"properties may be empty", &House_Spec{Empty: &Nothing{}}, `{"properties":{}}`},
		{"properties with a value are not empty", &House_Spec{Empty: &Nothing{}, Sold: p(true)}, `{"properties":{"sold":true}}`},
		{"an empty variant is its discriminator", &House_Spec{Pets: []Pet{{Dog: &Dog{}}}},
			`{"properties":{"pets":[{"kind":"Microsoft.Dog"}]}}`},
		{"no variant, no discriminator", &House_Spec{Pet: &Pet{}}, `{"properties":{"pet":{}}}`},
		{"a variant in properties", &Job_Spec{Until: p("May"), Paint: &Cat{Lives: p(int64(1))}},
			`{"properties":{"type":"Paint","lives":1,"until":"May"}}`},
		{"a variant of the whole has properties of its own", &Deal_Spec{Date: p("May"), Rent: &Rent{Plan: p("x"), Month: p(int64(3))}},
			`{"kind":"Rent","plan":"x","properties":{"month":3,"date":"May"}}`},
		{"what a Status keeps of an unknown variant",
			&House_Status{Pets: []Pet_Status{{Name: p("Tom"), Other: p(raw(`{"kind":"Fish","name":"Tom","fins":2}`))}}},
			`{"properties":{"pets":[{"kind":"Fish","fins":2,"name":"Tom"}]}}`},
	} {
		got, err := Encode(context.Background(), row.value, fake{})
		if err != nil || string(got) != row.want {
			t.Errorf("%s:\n got %s, %v\nwant %s", row.reason, got, err, row.want)
		}
	}
}

func namesPlace(t *testing.T) {
	loop := &House_Spec{}
	loop.Inside = loop
	for _, row := range []struct {
		reason string
		value  any
		want   string
	}{
		{"two variants", &House_Spec{Pets: []Pet{{}, {Cat: &Cat{}, Dog: &Dog{}}}}, "spec.pets[1]: cat and dog are both set"},
		{"a resource that does not exist", &House_Spec{
			Streets: map[string][]reference.Resource{"a b": {{ARMID: "/x"}, {Kind: "Street", Name: "missing"}}}},
			`spec.streets["a b"][1]: there is no Street missing`},
		{"a resource without an id", &House_Spec{Street: &reference.Resource{Name: "empty"}},
			`spec.streetReference: "empty" has no ARM id`},
		{"an empty reference", &House_Spec{Street: &reference.Resource{}}, "spec.streetReference: neither a name nor an ARM id"},
		{"a role that is known by another name", &House_Spec{Role: &reference.RoleDefinition{WellKnownName: "acr-pull"}},
			`spec.roleReference: found the wellKnownName "acr-pull", expected "AcrPull"`},
		{"an unknown role", &House_Spec{Role: &reference.RoleDefinition{WellKnownName: "Queen"}},
			`spec.roleReference: the wellKnownName "Queen" is not known, expected one of AcrPull, AcrPush, Azure Event Hubs Data Owner,`},
		{"a role by its name and by its id", &House_Spec{Role: &reference.RoleDefinition{WellKnownName: "Owner", ARMID: "/x"}},
			`spec.roleReference: found the wellKnownName "Owner" beside an armId or a name`},
		{"no role", &House_Spec{Role: &reference.RoleDefinition{}}, "spec.roleReference: neither a name nor an ARM id"},
		{"a Secret that does not exist", &House_Spec{Inside: &House_Spec{Key: &reference.Secret{Name: "missing", Key: "k"}}},
			"spec.inside.key: there is no Secret missing"},
		{"a text of a whole Secret", &House_Spec{Inside: &House_Spec{Key: &reference.Secret{Name: "s"}}},
			`spec.inside.key: the reference to the Secret "s" has no key, expected one, as the property is a text in ARM`},
		{"bytes of a whole Secret", &House_Spec{Deed: &reference.Secret{Name: "s"}},
			`spec.deed: the reference to the Secret "s" has no key`},
		{"a secret that is no JSON", &House_Spec{Inside: &House_Spec{Keys: &reference.Secret{Name: "s", Key: "k"}}},
			`spec.inside.keys: the value of the key "k" in the Secret "s" is not JSON, at byte 1`},
		{"a secret of JSON that does not exist", &House_Spec{Codes: &reference.Secret{Name: "missing"}},
			"spec.codes: there is no Secret missing"},
		{"no number", &House_Spec{Height: p(math.NaN())}, "spec.height: found NaN"},
		{"no JSON", &House_Spec{Any: p(raw("{"))}, "spec.any: the value is not JSON"},
		{"a name that is taken", &House_Spec{Shelf: &Shelf{Rest: map[string]string{"wood": "x"}}},
			`spec.shelf.additionalProperties["wood"]: there is a property of this name`},
		{"a value that holds itself", loop, "objects are nested more than 200 deep"},
		{"all errors at once", &House_Spec{Height: p(math.Inf(1)), Street: &reference.Resource{}}, "spec.streetReference"},
		{"no pointer", House_Spec{}, "found arm.House_Spec, expected a pointer to a struct"},
	} {
		got, err := Encode(context.Background(), row.value, fake{})
		if err == nil || !strings.Contains(err.Error(), row.want) || got != nil {
			t.Errorf("%s: got %q and %.2000v, want an error with %q", row.reason, got, err, row.want)
		}
		if err != nil && len(err.Error()) > 2000 {
			t.Errorf("%s: an error of %d bytes", row.reason, len(err.Error()))
		}
	}
}

// Parsers quote what they cannot read, and errors go to conditions and logs.
func hidesSecret(t *testing.T) {
	for _, value := range []string{"", "~", "~~~~", `{"password":"~~~~"`, `{"password":~~~~}`, `{"~~~~"}`, "{} ~~~~",
		`{"password":"~\x"}`, "\"~\xff\""} {
		resolver := values(value)
		_, err := Encode(context.Background(), &House_Spec{Keys: &reference.Secret{Name: "s", Key: "k"}}, resolver)
		if err == nil || !strings.HasPrefix(err.Error(), "spec.keys: ") {
			t.Errorf("%q: got %v, want an error that names the place", value, err)
		}
		if err != nil && (strings.Contains(err.Error(), "~") || strings.Contains(err.Error(), "password")) {
			t.Errorf("%q: the error tells the secret: %v", value, err)
		}
	}
}

func TestSecretText(t *testing.T) {
	t.Run("a text that is no UTF-8 is refused", func(t *testing.T) {
		spec := &House_Spec{Inside: &House_Spec{Key: &reference.Secret{Name: "s", Key: "k"}}}
		body, err := Encode(context.Background(), spec, values("canary\xff\xfe"))
		const want = `spec.inside.key: the value of the key "k" in the Secret "s" is no UTF-8, at byte 6; expected text, as it is ` +
			`sent as a string`
		if err == nil || err.Error() != want {
			t.Errorf("got %s, %v, want %s", body, err, want)
		}
	})
	t.Run("U+FFFD itself is text", func(t *testing.T) {
		body, err := Encode(context.Background(), &House_Spec{Key: &reference.Secret{Name: "s", Key: "k"}}, values("\ufffd"))
		if want := "{\"properties\":{\"key\":\"\ufffd\"}}"; err != nil || string(body) != want {
			t.Errorf("got %s, %v, want %s", body, err, want)
		}
	})
}

func TestSecretBytes(t *testing.T) {
	const deed, seal = "\x00\xff\xfe", "\xfb\xff"
	const body = `{"seal":"-_8","properties":{"deed":"AP/+"}}`
	resolver := func(ref reference.Secret) string { return map[string]string{"deed": deed, "seal": seal}[ref.Key] }
	spec := &House_Spec{Deed: &reference.Secret{Name: "s", Key: "deed"}, Seal: &reference.Secret{Name: "s", Key: "seal"}}
	t.Run("bytes are sent in the encoding of the property", func(t *testing.T) {
		got, err := Encode(context.Background(), spec, byKey{fake{}, resolver})
		if err != nil || string(got) != body {
			t.Errorf("got %s, %v, want %s", got, err, body)
		}
	})
	kept := map[string]string{}
	decoder := Decoder{KeepSecret: func(path, value string) (reference.Secret, error) {
		kept[path] = value
		return reference.Secret{Name: "s", Key: path}, nil
	}}
	t.Run("and are decoded before they are kept", func(t *testing.T) {
		ignored, err := decoder.Decode([]byte(body), &House_Spec{})
		want := map[string]string{"properties.deed": deed, "seal": seal}
		if err != nil || !maps.Equal(kept, want) || len(ignored.Misfits) != 0 {
			t.Errorf("got %q, %v, %v", kept, ignored, err)
		}
	})
	t.Run("text that encodes nothing is left out and not shown", func(t *testing.T) {
		var spec House_Spec
		ignored, err := decoder.Decode([]byte(`{"properties":{"deed":"canary!"}}`), &spec)
		if err != nil || spec.Deed != nil {
			t.Fatalf("got %v, %v", spec.Deed, err)
		}
		const want = "properties.deed: found a text that is not encoded in Base64, expected bytes"
		if len(ignored.Misfits) != 1 || ignored.Misfits[0].String() != want {
			t.Errorf("got %v, want %s", ignored.Misfits, want)
		}
	})
}

// byKey is a Resolver with a value for each key.
type byKey struct {
	fake
	value func(reference.Secret) string
}

func (r byKey) SecretValue(_ context.Context, ref reference.Secret) (string, error) {
	return r.value(ref), nil
}

// typed is a Resolver that refuses references whose types are not the expected ones.
type typed struct{ fake }

func (r typed) ResourceIDOf(ctx context.Context, ref reference.Resource, types []string) (string, error) {
	if !slices.Contains(types, ref.Group+"/"+ref.Kind) {
		return "", fmt.Errorf("%s is none of %s", ref.Kind, strings.Join(types, " and "))
	}
	return r.ResourceID(ctx, ref)
}

func tellsTypes(t *testing.T) {
	river := reference.Resource{Group: "Map", Kind: "River", Name: "n"}
	_, err := Encode(context.Background(), &House_Spec{Street: &river}, typed{})
	if want := "spec.streetReference: River is none of Map/Street and Map/Road"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	for _, spec := range []*House_Spec{
		{Street: &reference.Resource{Group: "Map", Kind: "Road", Name: "n"}},
		{Street: &reference.Resource{ARMID: "/x"}, Streets: map[string][]reference.Resource{"a": {river}}},
	} {
		if _, err := Encode(context.Background(), spec, typed{}); err != nil {
			t.Error(err)
		}
	}
	if _, err := Encode(context.Background(), &House_Spec{Street: &river}, fake{}); err != nil {
		t.Errorf("a Resolver that does not ask for types: %v", err)
	}
}

// values is a Resolver that returns the same value for every secret.
type values string

func (v values) SecretValue(context.Context, reference.Secret) (string, error) { return string(v), nil }

func (values) OwnerID(context.Context, string, string) (string, error) { return "", nil }

func (values) ResourceID(context.Context, reference.Resource) (string, error) { return "", nil }

func needsResolver(t *testing.T) {
	spec := &House_Spec{Key: &reference.Secret{Name: "s", Key: "k"}, Keys: &reference.Secret{Name: "s"},
		Street: &reference.Resource{Name: "n"}}
	_, err := Encode(context.Background(), spec, nil)
	for _, want := range []string{"spec.key: there is no Resolver", "spec.keys: there is no Resolver",
		"spec.streetReference: \"n\" is a name"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func unknownTag(t *testing.T) {
	for _, row := range []struct {
		reason string
		value  any
		want   string
	}{
		{"a type without a form in JSON", &struct {
			A chan int `json:"a"`
		}{}, "chan int"},
		{"32 bits are not in the IR", &struct {
			A int32 `json:"a"`
		}{}, "int32"},
		{"a map by numbers", &struct {
			A map[int]string `json:"a"`
		}{}, "the keys of a JSON object are strings"},
		{"a variant that is no pointer", &struct {
			A Cat `json:"a" arm:"kind=Cat"`
		}{}, "a variant is a pointer"},
		{"two discriminators", &struct {
			A *Cat `json:"a" arm:"kind=Cat"`
			B *Dog `json:"b" arm:"type=Dog"`
		}{}, `"kind" and by "type"`},
		{"fields beside those in properties", &struct {
			A *string `json:"a" arm:"properties/a"`
			B *Cat    `json:"properties"`
		}{}, `other fields lie in "properties"`},
		{"all names but no map", &struct {
			A *Cat `json:"a" arm:"*"`
		}{}, "a map"},
		{"no name", &struct{ A *string }{}, "has a name in JSON"},
		{"JSON that is no secret", &struct {
			A *string `json:"a" arm:",json"`
		}{}, "only a secret"},
		{"bytes that are no secret", &struct {
			A *string `json:"a" arm:",base64"`
		}{}, "only a secret has a value that is base64"},
	} {
		if _, err := Encode(context.Background(), row.value, nil); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: got %v, want %q", row.reason, err, row.want)
		}
		if _, err := Decode([]byte("{}"), row.value); err == nil {
			t.Errorf("%s: no error in Decode", row.reason)
		}
	}
}
