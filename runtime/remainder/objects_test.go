package remainder

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/propertybag"
)

// account1 is like a generated storage type.
type account1 struct {
	Amount  *int64              `json:"amount,omitempty"`
	Any     *json.RawMessage    `json:"any,omitempty"`
	Bag     propertybag.Bag     `json:"$propertyBag,omitempty"`
	Blob    *account1           `json:"blob,omitempty"`
	File    *account1           `json:"file,omitempty"`
	Enabled *bool               `json:"enabled,omitempty"`
	Name    *string             `json:"name,omitempty"`
	Part    *account1           `json:"part,omitempty"`
	Parts   map[string]account1 `json:"parts,omitzero"`
	Ratio   *float64            `json:"ratio,omitempty"`
	Rules   []account1          `json:"rules,omitzero"`
	Since   *time.Time          `json:"since,omitempty"`
	Version string              `json:"version,omitempty"`
	Zones   []string            `json:"zones,omitzero"`
}

// halves has the parts of a resource that are compared: its Spec and its Status.
type halves struct {
	Spec   any `json:"spec"`
	Status any `json:"status"`
}

func randomAccount(r *rand.Rand, depth int) *account1 {
	a := &account1{}
	some := func(set func()) {
		if r.IntN(3) > 0 {
			set()
		}
	}
	text := func() string { return fmt.Sprint("T", r.IntN(100)) }
	some(func() { i := r.Int64(); a.Amount = &i })
	some(func() { raw := json.RawMessage(fmt.Sprintf(`{"x":[%d,1.50,null]}`, r.IntN(9))); a.Any = &raw })
	some(func() {
		a.Bag = propertybag.Bag{
			text(): {Version: "1", Value: json.RawMessage(`"` + text() + `"`)},
			text(): {Version: "2", Value: json.RawMessage(`{"list":[null,1.50]}`)},
			text(): {Source: json.RawMessage(`"damaged"`)},
		}
	})
	some(func() { b := r.IntN(2) == 0; a.Enabled = &b })
	some(func() { s := text(); a.Name = &s })
	some(func() { f := r.Float64(); a.Ratio = &f })
	some(func() { s := time.Unix(r.Int64N(1e9), 0).UTC(); a.Since = &s })
	some(func() { a.Version = text() })
	some(func() {
		a.Zones = []string{}
		for range r.IntN(4) {
			a.Zones = append(a.Zones, text())
		}
	})
	if depth == 0 {
		return a
	}
	some(func() { a.Part = randomAccount(r, depth-1) })
	some(func() { a.Blob = randomAccount(r, depth-1) })
	some(func() { a.File = randomAccount(r, depth-1) })
	some(func() {
		a.Parts = map[string]account1{}
		for range r.IntN(3) {
			a.Parts[text()] = *randomAccount(r, depth-1)
		}
	})
	some(func() {
		a.Rules = []account1{}
		for range r.IntN(4) {
			a.Rules = append(a.Rules, *randomAccount(r, depth-1))
		}
	})
	return a
}

// change changes a copy at random.
func change(r *rand.Rand, a *account1) *account1 {
	b := &account1{}
	data, _ := json.Marshal(a)
	if err := json.Unmarshal(data, b); err != nil {
		panic(err)
	}
	changeIn(r, b)
	return b
}

func changeIn(r *rand.Rand, a *account1) {
	fresh := reflect.ValueOf(randomAccount(r, 1)).Elem()
	v := reflect.ValueOf(a).Elem()
	for i := range v.NumField() {
		switch r.IntN(8) {
		case 0:
			v.Field(i).SetZero()
		case 1:
			v.Field(i).Set(fresh.Field(i))
		}
	}
	for _, inner := range []*account1{a.Part, a.Blob, a.File} {
		if inner != nil {
			changeIn(r, inner)
		}
	}
	for i := range a.Rules {
		changeIn(r, &a.Rules[i])
	}
	for name, part := range a.Parts {
		changeIn(r, &part)
		a.Parts[name] = part
	}
}

// dropBags removes what JSON trees do not have: they have no bags.
func (a *account1) dropBags() {
	a.Bag = nil
	for _, inner := range []*account1{a.Part, a.Blob, a.File} {
		if inner != nil {
			inner.dropBags()
		}
	}
	for i := range a.Rules {
		a.Rules[i].dropBags()
	}
	for name, part := range a.Parts {
		part.dropBags()
		a.Parts[name] = part
	}
}

// TestTypedAndUntyped checks that Go types and their JSON lose and restore the same.
func TestTypedAndUntyped(t *testing.T) {
	treeOf := func(value any) any {
		tree, err := treeOf(value)
		if err != nil {
			t.Fatal(err)
		}
		return tree
	}
	applied, dropped := 0, 0
	for seed := range seeds(1000) {
		r := rand.New(rand.NewPCG(2, uint64(seed)))
		stored := randomAccount(r, 2)
		plain, status := change(r, stored), randomAccount(r, 1)
		sent, plainStatus, sentStatus := change(r, plain), change(r, status), change(r, status)
		for _, a := range []*account1{stored, plain, sent, status, plainStatus, sentStatus} {
			a.dropBags()
		}
		h, p, w := halves{stored, status}, halves{plain, plainStatus}, halves{sent, sentStatus}

		lost, want := diff(t, &h, &p, Options{}), diff(t, treeOf(h), treeOf(p), Options{})
		if got, want := annotationOf(t, Note{Object: person, Lost: lost}, Limits{}),
			annotationOf(t, Note{Object: person, Lost: want}, Limits{}); got != want {
			t.Fatalf("seed %d:\n got %s\nwant %s", seed, got, want)
		}

		var tally, wantTally Tally
		merged, wantDropped := apply(t, carried(t, want), treeOf(w), &wantTally)
		_, gotDropped := apply(t, carried(t, want), &w, &tally)
		if text(treeOf(w)) != text(merged) {
			t.Fatalf("seed %d:\n got %s\nwant %s", seed, text(treeOf(w)), text(merged))
		}
		if tally != wantTally || fmt.Sprint(gotDropped) != fmt.Sprint(wantDropped) {
			t.Fatalf("seed %d: counted %+v, want %+v\n got %v\nwant %v", seed, tally, wantTally, gotDropped, wantDropped)
		}
		applied, dropped = applied+tally.Applied, dropped+tally.Dropped
	}
	if applied == 0 || dropped == 0 {
		t.Errorf("%d entries applied, %d dropped", applied, dropped)
	}
}

// upper is a type whose pointer says how it is in JSON.
type upper struct{ Text string }

func (u *upper) MarshalJSON() ([]byte, error) { return json.Marshal(strings.ToUpper(u.Text)) }

func (u *upper) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &u.Text) }

// joined is a map that is a text in JSON.
type joined map[string]string

func (j joined) MarshalJSON() ([]byte, error) { return json.Marshal(fmt.Sprint(map[string]string(j))) }

func (j *joined) UnmarshalJSON([]byte) error { *j = joined{"read": "back"}; return nil }

type Embedded struct {
	Inner string `json:"inner,omitempty"`
}

func TestDiff(t *testing.T) {
	type odd struct {
		Embedded
		Upper    upper
		Joined   joined            `json:"joined,omitempty"`
		Numbers  map[int]string    `json:"numbers,omitempty"`
		Plain    map[string]string `json:"plain"`
		Hidden   string            `json:"-"`
		Array    [2]string         `json:"array"`
		Elements []Embedded        `json:"elements,omitempty"`
		Held     any               `json:"held,omitempty"`
		unseen   string
	}
	for _, test := range []struct {
		why           string
		stored, plain odd
		lost          string
	}{
		{"embedded fields are those of the object", odd{Embedded: Embedded{"a"}}, odd{}, `{"inner":["+","a"]}`},
		{"a type with its own JSON", odd{Upper: upper{"a"}}, odd{Upper: upper{"b"}}, `{"Upper":["~","B","A"]}`},
		{"and means the same", odd{Upper: upper{"a"}}, odd{Upper: upper{"A"}}, ``},
		{"a map with its own JSON", odd{Joined: joined{"a": "b"}}, odd{Joined: joined{"a": "c"}},
			`{"joined":["~","map[a:c]","map[a:b]"]}`},
		{"numbers as keys", odd{Numbers: map[int]string{1: "a"}}, odd{Numbers: map[int]string{2: "a"}},
			`{"numbers":{"1":["+","a"],"2":["-","a"]}}`},
		{"null and empty", odd{Plain: map[string]string{}}, odd{}, `{"plain":["~",null,{}]}`},
		{"a key that one lacks", odd{Plain: map[string]string{"a": "1", "b": "2"}},
			odd{Plain: map[string]string{"b": "2", "c": "3"}}, `{"plain":{"a":["+","1"],"c":["-","3"]}}`},
		{"what JSON does not have", odd{Hidden: "a", unseen: "a"}, odd{}, ``},
		{"arrays", odd{Array: [2]string{"a", "b"}}, odd{Array: [2]string{"a", "c"}},
			`{"array":["#","rI2DQruyNi2HmSPaAg0VMw",{"1":["~","c","b"]}]}`},
		{"empty and absent are the same here", odd{Elements: []Embedded{}}, odd{}, ``},
		{"values of several types", odd{Held: Embedded{"a"}}, odd{Held: &odd{Embedded: Embedded{"b"}}},
			`{"held":{"Upper":["-",""],"array":["-#","BFHCBwdZXxuADF4BW6jlQw"],"inner":["~","b","a"],"plain":["-",null]}}`},
	} {
		t.Run(test.why, func(t *testing.T) {
			lost := diff(t, &test.stored, &test.plain, Options{})
			if tree, err := treeOf(&test.stored); err != nil {
				t.Fatal(err)
			} else if got, want := mustDigest(t, &test.stored), mustDigest(t, tree); got != want {
				t.Errorf("digest %s of an object, %s of its tree", got, want)
			}
			var e encoder
			if !lost.Empty() {
				e.node(lost.root)
			}
			if string(e.text) != test.lost {
				t.Errorf("lost %s, want %s", e.text, test.lost)
			}
		})
	}
	t.Run("a value that JSON does not have is an error", func(t *testing.T) {
		type odd struct {
			F func()   `json:"f,omitempty"`
			N *float64 `json:"n,omitempty"`
		}
		infinite := math.Inf(1)
		for want, stored := range map[string]odd{"func()": {F: func() {}}, "+Inf": {N: &infinite}} {
			if _, err := Diff(&stored, &odd{}, Options{}); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", want, err)
			}
		}
	})
	t.Run("a user key named $propertyBag is data", userKeys)
}

func mustDigest(t testing.TB, object any) Digest {
	t.Helper()
	digest, err := DigestOf(object)
	if err != nil {
		t.Fatal(err)
	}
	return digest
}

func TestDigestOf(t *testing.T) {
	t.Run("two objects have one digest exactly if their JSON means the same", randomDigests)
	of := func(text string) Digest {
		raw := []byte(text)
		return mustDigest(t, &account1{Any: (*json.RawMessage)(&raw)})
	}
	shown := of(`{"a":[1,{"b":null}],"c":"é","d":100}`)
	for _, test := range []struct {
		why, json string
		same      bool
	}{
		{"as it was", `{"a":[1,{"b":null}],"c":"é","d":100}`, true},
		{"white space", ` {"a" : [1, {"b":null} ],"c":"é","d":100}`, true},
		{"the order of members", `{"d":100,"c":"é","a":[1,{"b":null}]}`, true},
		{"how a string is written", `{"a":[1,{"b":null}],"c":"\u00e9","d":100}`, true},
		{"how a number is written", `{"a":[1.0,{"b":null}],"c":"é","d":1e2}`, true},
		{"another number", `{"a":[1,{"b":null}],"c":"é","d":100.5}`, false},
		{"a number or a string", `{"a":[1,{"b":null}],"c":"é","d":"100"}`, false},
		{"null or absent", `{"a":[1,{}],"c":"é","d":100}`, false},
		{"the order of elements", `{"a":[{"b":null},1],"c":"é","d":100}`, false},
		{"where something is", `{"a":[1],"b":null,"c":"é","d":100}`, false},
		{"what looks like the end of a string", `{"a":[1,{"b":null}],"c":"é\",\"d\":100"}`, false},
	} {
		t.Run("untyped JSON, "+test.why, func(t *testing.T) {
			if same := of(test.json) == shown; same != test.same {
				t.Errorf("the same digest is %v", same)
			}
		})
	}
}

func randomDigests(t *testing.T) {
	same, others := 0, 0
	for seed := range seeds(1000) {
		r := rand.New(rand.NewPCG(4, uint64(seed)))
		a := randomAccount(r, 2)
		b := a
		for range r.IntN(3) { // most changes hit something that is not there
			b = change(r, b)
		}
		x, err := treeOf(a)
		if err != nil {
			t.Fatal(err)
		}
		y, err := treeOf(b)
		if err != nil {
			t.Fatal(err)
		}
		if mustDigest(t, a) != mustDigest(t, x) {
			t.Fatalf("seed %d: one digest of an object, another of its tree", seed)
		}
		equal := text(x) == text(y)
		if equal != (mustDigest(t, a) == mustDigest(t, b)) {
			t.Fatalf("seed %d: the same JSON is %v, the same digest %v:\n%s\n%s", seed, equal, !equal, text(x), text(y))
		}
		if equal {
			same++
		} else {
			others++
		}
	}
	if few := seeds(100); same < few || others < few {
		t.Errorf("%d are the same, %d are not", same, others)
	}
}

// TestOptionsOf checks what tags say and values do not show.
func TestOptionsOf(t *testing.T) {
	type rule struct {
		Blob *Embedded `json:"blob,omitempty" arm:"kind=Blob"`
		File *Embedded `json:"file,omitempty" arm:"properties/kind=File"`
		Size *int64    `json:"size,omitempty" arm:"properties/sizeInGB"`
	}
	type service struct {
		Rules map[string][]rule `json:"rules,omitzero" listMapKey:"port,protocol"`
		More  []*rule           `json:"more,omitzero" listMapKey:"port,protocol"`
		Again *service          `json:"again,omitempty"`
	}
	want := Options{Keys: [][]string{{"port", "protocol"}}, Unions: [][]string{{"blob", "file"}}}
	for range 2 {
		if got := OptionsOf(&service{}); !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

// TestApplyToTypes is about what the types of Go add to the merge.
func TestApplyToTypes(t *testing.T) {
	for _, test := range []struct{ why, lost, dropped string }{
		{"another type", `{"amount":["+","text"]}`, "amount"},
		{"a fraction is no integer", `{"amount":["+",1.5]}`, "amount"},
		{"a property that the type lacks", `{"wrong":["+",1]}`, "wrong"},
		{"entries within a property that the type lacks", `{"wrong":{"a":["+",1],"b":["+",1]}}`, "wrong.a wrong.b"},
		{"names do not fold", `{"Amount":["+",1]}`, "Amount"},
		{"a property that the type of a value lacks", `{"part":["+",{"wrong":1}]}`, "part"},
		{"a value that is no object", `{"part":["+",[]]}`, "part"},
		{"an object that does not exist", `{"part":{"amount":["+",1]}}`, "part.amount"},
		{"a text is no object", `{"version":{"amount":["+",1]}}`, "version.amount"},
		{"an element that does not fit", `{"zones":["#","7h6Aa1qF6iw",{"1":["+",1]},["0","1"]]}`, "zones[1]"},
		{"an element that does not fit, beside one that was edited",
			`{"zones":["#","7h6Aa1qF6iw",{"0":["~","x","y"],"1":["+",1]},["0","1"]]}`, "zones[0] zones[1]"},
		{"no object at all", `["+",1]`, ""},
		{"deeper than JSON may be", `{"any":["+",` + strings.Repeat("[", 6000) + strings.Repeat("]", 6000) + `]}`, "any"},
	} {
		t.Run(test.why+" is dropped", func(t *testing.T) {
			annotations := map[string]string{annotation.Remainder: `{"format":1,"lost":` + test.lost + `,"object":"` +
				string(person.digest()) + `"}`}
			note, err := Read(annotations, person, nil, nil)
			if err != nil || note.Lost.Empty() {
				t.Errorf("not read, %v", err)
				return
			}
			a := account1{Version: "1", Zones: []string{"a"}}
			before := fmt.Sprint(a)
			tally := Tally{}
			dropped, err := note.Lost.Apply(&a, &tally)
			var paths []string
			for _, entry := range dropped {
				paths = append(paths, entry.Path)
			}
			if got := strings.Join(paths, " "); err != nil || got != test.dropped || tally != (Tally{Dropped: len(dropped)}) ||
				len(dropped) == 0 {
				t.Errorf("dropped %q, %v, %+v", got, err, tally)
			}
			if after := fmt.Sprint(a); after != before {
				t.Errorf("%s became %s", before, after)
			}
		})
	}
	t.Run("a list that is only in another order comes back", func(t *testing.T) {
		one, two := "one", "two"
		stored := account1{Rules: []account1{{Name: &two}, {Name: &one}}}
		plain := account1{Rules: []account1{{Name: &one}, {Name: &two}}}
		lost := carried(t, diff(t, &stored, &plain, Options{}))
		if _, dropped := apply(t, lost, &plain, nil); len(dropped) > 0 || !reflect.DeepEqual(plain, stored) {
			t.Errorf("%v, %+v", dropped, plain)
		}
	})
	t.Run("-0 keeps its sign", func(t *testing.T) {
		type part struct {
			Size *float64 `json:"size,omitempty"`
		}
		minus, p := math.Copysign(0, -1), part{}
		if apply(t, carried(t, diff(t, &part{&minus}, &part{}, Options{})), &p, nil); p.Size == nil || !math.Signbit(*p.Size) {
			t.Errorf("got %v", p.Size)
		}
	})
	t.Run("elements beside a restored one are unchanged", func(t *testing.T) {
		zero, one := math.Copysign(0, -1), int64(1)
		stored := account1{Rules: []account1{{Ratio: &zero}, {Amount: &one}}}
		plain := account1{Rules: []account1{{Ratio: &zero}, {}}}
		lost := carried(t, diff(t, &stored, &plain, Options{}))
		if apply(t, lost, &plain, nil); !reflect.DeepEqual(plain, stored) {
			t.Fatal(plain)
		}
		if !math.Signbit(*plain.Rules[0].Ratio) {
			t.Error("-0 became 0")
		}
	})
	t.Run("a struct in an interface comes back as one", func(t *testing.T) {
		type owner struct {
			Held any `json:"held,omitempty"`
		}
		plain := owner{Embedded{"a"}}
		lost := carried(t, diff(t, &owner{Embedded{"b"}}, &plain, Options{}))
		if apply(t, lost, &plain, nil); !reflect.DeepEqual(plain, owner{Embedded{"b"}}) {
			t.Errorf("got %#v", plain)
		}
	})
	t.Run("untyped JSON beside what is restored keeps its numbers", func(t *testing.T) {
		plain := untyped(`{"big":9007199254740993,"ratio":1.50}`)
		lost := carried(t, diff(t, untyped(`{"big":9007199254740993,"more":1E400,"ratio":1.50}`), plain, Options{}))
		if apply(t, lost, plain, nil); string(*plain.Any) != `{"big":9007199254740993,"more":1E400,"ratio":1.50}` {
			t.Errorf("got %s", *plain.Any)
		}
	})
	t.Run("untyped JSON of which nothing is restored stays byte for byte", func(t *testing.T) {
		lost := carried(t, diff(t, untyped(`{"a":1,"b":2}`), untyped(`{"a":1,"b":3}`), Options{}))
		sent := untyped(`{ "b" : 4.0, "a":1 }`)
		if _, dropped := apply(t, lost, sent, nil); string(*sent.Any) != `{ "b" : 4.0, "a":1 }` || len(dropped) != 1 {
			t.Errorf("got %s, dropped %v", *sent.Any, dropped)
		}
	})
}

// untyped returns an account with untyped JSON.
func untyped(text string) *account1 {
	raw := json.RawMessage(text)
	return &account1{Any: &raw}
}

// BenchmarkObjects is a Go value of about 200 properties that loses 20.
func BenchmarkObjects(b *testing.B) {
	one, name := int64(1), "name"
	part := func(full bool) *account1 {
		a := &account1{Amount: &one, Name: &name, Version: "1", Enabled: new(bool), Ratio: new(float64)}
		if full {
			a.Part = &account1{Amount: &one, Name: &name}
		}
		return a
	}
	stored, plain := &account1{}, &account1{}
	h, p := stored, plain
	for i := range 20 {
		h.Part, p.Part = part(i%2 == 0), part(i%2 == 0)
		h.Blob, p.Blob = part(false), part(false)
		p.Blob.Name = nil
		h, p = h.Part, p.Part
	}
	lost, _ := Diff(stored, plain, Options{})
	annotations, _ := Note{Object: person, Lost: lost}.Write(nil, Limits{}, nil)
	b.Run("nothing lost", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Diff(stored, stored, Options{})
		}
	})
	b.Run("down", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			lost, _ := Diff(stored, plain, Options{})
			Note{Object: person, Lost: lost}.Write(nil, Limits{}, nil)
		}
		b.ReportMetric(float64(len(lost.Entries())), "entries")
	})
	b.Run("up", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			note, _ := Read(annotations, person, nil, nil)
			if dropped, err := note.Lost.Apply(plain, nil); len(dropped) > 0 || err != nil {
				b.Fatal(dropped, err)
			}
			b.StopTimer()
			for p := plain; p.Part != nil; p = p.Part {
				if p.Blob != nil {
					p.Blob.Name = nil
				}
			}
			b.StartTimer()
		}
	})
}

// tenant has all in which a user may name something as bags are named.
type tenant struct {
	Any   *json.RawMessage             `json:"any,omitempty"`
	Bag   propertybag.Bag              `json:"$propertyBag,omitempty"`
	Dog   *string                      `json:"dog,omitempty" arm:"kind=Dog"`
	Cat   *string                      `json:"cat,omitempty" arm:"kind=Cat"`
	Deep  map[string]map[string]string `json:"deep,omitzero"`
	Held  any                          `json:"held,omitempty"`
	Lists map[string][]string          `json:"lists,omitzero"`
	Maps  []map[string]any             `json:"maps,omitzero"`
	Parts map[string]*tenant           `json:"parts,omitzero"`
	Rules []tenant                     `json:"rules,omitzero"`
	Tags  map[string]string            `json:"tags,omitzero"`
}

// userKeys checks that what a user has named as bags are named is data like all
// other, in maps of every kind and in untyped JSON.
func userKeys(t *testing.T) {
	// Each is an object with the user's key, first as it is stored, then as the
	// round trip has it, then as the client has edited that, then what becomes of it.
	objects := []struct{ name, stored, plain, sent, want string }{
		{"an empty object", `{"$propertyBag":{}}`, `{}`, `{}`, `{"$propertyBag":{}}`},
		{"no empty object", `{}`, `{"$propertyBag":{}}`, `{"$propertyBag":{}}`, `{}`},
		{"emptied", `{"$propertyBag":{}}`, `{"$propertyBag":{"a":"1"}}`, `{"$propertyBag":{"a":"1"}}`, `{"$propertyBag":{}}`},
		{"gone", `{"$propertyBag":{"a":"1"}}`, `{"$propertyBag":{"a":"2"}}`, `{}`, `{}`},
		{"a neighbour of its name", `{"$propertyBag":{"x":"1"},"X":{"a":"2"}}`, `{"$propertyBag":{"x":"1"}}`,
			`{"$propertyBag":{"x":"1"}}`, `{"$propertyBag":{"x":"1"},"X":{"a":"2"}}`},
		{"a neighbour of its name, set", `{"$propertyBag":{"x":"1"},"X":{"a":"2"}}`, `{"$propertyBag":{}}`,
			`{"$propertyBag":{"x":"3"}}`, `{"$propertyBag":{"x":"3"},"X":{"a":"2"}}`},
		{"a variant's name", `{"cat":{"a":"1"}}`, `{}`, `{"dog":{"b":"2"}}`, `{"cat":{"a":"1"},"dog":{"b":"2"}}`},
	}
	deeper := []struct{ name, stored, plain, sent, want string }{
		{"a value edited", `{"$propertyBag":{"x":{"p":"1","q":"2"}}}`, `{"$propertyBag":{"x":{"p":"0","q":"2"}}}`,
			`{"$propertyBag":{"x":{"p":"0","q":"3"}}}`, `{"$propertyBag":{"x":{"p":"1","q":"3"}}}`},
		{"a null", `{"$propertyBag":null}`, `{}`, `{}`, `{"$propertyBag":null}`},
	}
	try := func(name, form string, fields ...string) {
		t.Helper()
		var parsed [4]*tenant
		for i, field := range fields {
			parsed[i] = &tenant{}
			if err := json.Unmarshal([]byte(strings.ReplaceAll(form, "%s", field)), parsed[i]); err != nil {
				t.Fatal(err)
			}
		}
		lost := diff(t, parsed[0], parsed[1], OptionsOf(&tenant{}))
		annotation := annotationOf(t, Note{Object: person, Lost: lost}, Limits{})
		got := parsed[2]
		apply(t, carried(t, lost), got, nil)
		a, _ := json.Marshal(got)
		b, _ := json.Marshal(parsed[3])
		if string(a) != string(b) || strings.Contains(annotation, `["dog"]`) { // a variant beside it
			t.Errorf("%s: got %s, want %s, from %s", name, a, b, annotation)
		}
	}
	for _, form := range []string{
		`{"any":%s}`, `{"any":[{"id":1},%s]}`, `{"any":{"$propertyBag":%s}}`, `{"held":%s}`, `{"held":[%s]}`,
		`{"maps":[%s]}`, `{"rules":[{"any":%s}]}`, `{"parts":{"$propertyBag":{"any":%s}}}`,
		`{"maps":[{"id":"1","a":%s},{"id":"2"}]}`, `{"deep":{"a":{"b":"c"}},"any":%s}`,
	} {
		for _, o := range append(objects, deeper...) {
			try(form+", "+o.name, form, o.stored, o.plain, o.sent, o.want)
		}
	}
	for _, form := range []string{`{"deep":%s}`, `{"rules":[{"deep":%s}]}`, `{"parts":{"$propertyBag":{"deep":%s}}}`,
		`{"rules":[{"parts":{"a":{"deep":%s}}}]}`} {
		for _, o := range objects {
			try(form+", "+o.name, form, o.stored, o.plain, o.sent, o.want)
		}
	}
	for _, form := range []string{`{"tags":%s}`, `{"rules":[{"tags":%s}]}`} {
		try(form, form, `{"$propertyBag":"a","x":"b"}`, `{"$propertyBag":"A"}`, `{"$propertyBag":"A","y":"c"}`,
			`{"$propertyBag":"a","x":"b","y":"c"}`)
		try(form, form, `{"a":"b"}`, `{"$propertyBag":""}`, `{"$propertyBag":"","y":"c"}`, `{"a":"b","y":"c"}`)
	}
	try("lists", `{"lists":%s}`, `{"$propertyBag":[]}`, `{"$propertyBag":["a"]}`, `{"$propertyBag":["a"]}`, `{"$propertyBag":[]}`)

	// An object under the user's key has a bag that is one.
	one := `{"tags":{"a":"b"},"$propertyBag":{"x":{"value":{"p":1},"version":"1"}%s}}`
	for _, form := range []string{`{"parts":{"$propertyBag":%s}}`, `{"rules":[{"parts":{"$propertyBag":%s}}]}`} {
		for _, add := range []string{`,"y":{"value":2,"version":"1"}`, ``} {
			try(form, form, strings.ReplaceAll(one, "%s", add), `{"tags":{"a":"b"}}`,
				`{"tags":{"a":"c"},"$propertyBag":{"y":{"value":3,"version":"1"}}}`,
				`{"tags":{"a":"c"},"$propertyBag":{"x":{"value":{"p":1},"version":"1"},"y":{"value":3,"version":"1"}}}`)
		}
		try(form, form, `{}`, `{"$propertyBag":{"y":{"value":3,"version":"1"}}}`, `{"$propertyBag":{"y":{"value":3,"version":"1"}}}`, `{}`)
	}
}

// randomTenant has few names and values, so that much is the same twice, and
// what names bags, unions and keys anywhere.
func randomTenant(r *rand.Rand, depth int) *tenant {
	some := func() bool { return r.IntN(3) == 0 }
	name := func() string {
		return []string{"a", "A", "$propertyBag", "id", "name", "cat", "dog", "", "x.y[0]"}[r.IntN(9)]
	}
	text := func() string { return []string{"", "a", "b", strings.Repeat("long", 9)}[r.IntN(4)] }
	var untyped func(depth int) any
	untyped = func(depth int) any {
		switch n := r.IntN(9); {
		case n < 3 && depth > 0:
			object := map[string]any{}
			for range r.IntN(4) {
				object[name()] = untyped(depth - 1)
			}
			return object
		case n < 5 && depth > 0:
			list := []any{}
			for range r.IntN(4) {
				list = append(list, untyped(depth-1))
			}
			return list
		case n == 5:
			return nil
		case n == 6:
			return float64(r.IntN(3)) / 2
		case n == 7:
			return some()
		}
		return text()
	}
	t := &tenant{}
	if some() {
		data, _ := json.Marshal(untyped(3))
		if t.Any = (*json.RawMessage)(&data); string(data) == "null" {
			t.Any = nil // as JSON is read
		}
	}
	for range r.IntN(3) {
		if t.Bag == nil {
			t.Bag = propertybag.Bag{}
		}
		data, _ := json.Marshal(untyped(2))
		t.Bag[name()] = propertybag.Entry{Version: text(), Value: data}
	}
	if s := text(); some() {
		t.Dog = &s
	} else if some() {
		t.Cat = &s
	}
	if some() {
		t.Held = untyped(3)
	}
	if some() {
		t.Deep = map[string]map[string]string{name(): {name(): text()}, name(): {}}
	}
	if some() {
		t.Lists = map[string][]string{name(): {text(), text()}, name(): {}, name(): nil}
	}
	if some() {
		t.Maps = []map[string]any{}
		for range r.IntN(4) {
			t.Maps = append(t.Maps, map[string]any{name(): untyped(2), "id": text()})
		}
	}
	if some() {
		t.Tags = map[string]string{name(): text(), name(): text()}
	}
	if depth > 0 && some() {
		t.Parts = map[string]*tenant{name(): randomTenant(r, depth-1), name(): randomTenant(r, depth-1)}
	}
	if depth > 0 {
		for range r.IntN(4) {
			t.Rules = append(t.Rules, *randomTenant(r, depth-1))
		}
	}
	return t
}

func TestRestore(t *testing.T) {
	t.Run("an object that a client writes back unchanged is as it was stored", writtenBack)
	t.Run("an edit of one property costs no other", edited)
	t.Run("a union never has two variants", oneVariant)
}

// writtenBack checks objects of which the round trip makes anything.
func writtenBack(t *testing.T) {
	for seed := range seeds(1000) {
		r := rand.New(rand.NewPCG(3, uint64(seed)))
		stored, plain := randomTenant(r, 2), randomTenant(r, 2)
		if r.IntN(2) == 0 { // much alike
			data, _ := json.Marshal(stored)
			if err := json.Unmarshal(data, plain); err != nil {
				t.Fatal(err)
			}
			other := reflect.ValueOf(randomTenant(r, 2)).Elem()
			for range 3 {
				i := r.IntN(other.NumField())
				reflect.ValueOf(plain).Elem().Field(i).Set(other.Field(i))
			}
			if r := r.IntN(4); r < len(plain.Rules) {
				plain.Rules = append(plain.Rules[:r], plain.Rules[r+1:]...)
			}
		}
		shown, _ := json.Marshal(plain)
		lost, err := Diff(stored, plain, OptionsOf(stored))
		if err != nil {
			t.Fatal(err)
		}
		dropped, err := carried(t, lost).Apply(plain, nil)
		got, _ := json.Marshal(plain)
		if want, _ := json.Marshal(stored); err != nil || string(got) != string(want) || len(dropped) > 0 {
			t.Fatalf("seed %d: got %s, want %s, from %s and %v; %v dropped, %v", seed, got, want, shown, lost.Entries(), dropped, err)
		}
	}
}

// edited checks objects of which the round trip makes anything, and properties of
// which a client makes anything.
func edited(t *testing.T) {
	for seed := range seeds(1000) {
		r := rand.New(rand.NewPCG(4, uint64(seed)))
		stored, plain, sent, other := randomTenant(r, 1), randomTenant(r, 1), &tenant{}, randomTenant(r, 1)
		lost, err := Diff(stored, plain, OptionsOf(stored))
		if err != nil {
			t.Fatal(err)
		}
		data, _ := json.Marshal(plain)
		if err := json.Unmarshal(data, sent); err != nil {
			t.Fatal(err)
		}
		property := []string{"Any", "Held", "Deep", "Lists", "Maps", "Parts", "Rules", "Tags"}[r.IntN(8)]
		of := func(o *tenant) reflect.Value { return reflect.ValueOf(o).Elem().FieldByName(property) }
		of(sent).Set(of(other))
		if _, err := carried(t, lost).Apply(sent, nil); err != nil {
			t.Fatal(err)
		}
		of(sent).SetZero()
		of(stored).SetZero()
		got, _ := json.Marshal(sent)
		if want, _ := json.Marshal(stored); string(got) != string(want) {
			t.Fatalf("seed %d: got %s, want %s, from %s and %v", seed, got, want, data, lost.Entries())
		}
	}
}

// oneVariant checks objects of which the round trip and the client make anything.
func oneVariant(t *testing.T) {
	var check func(seed uint64, o *tenant)
	check = func(seed uint64, o *tenant) {
		if o.Cat != nil && o.Dog != nil {
			t.Fatalf("seed %d: cat %q and dog %q", seed, *o.Cat, *o.Dog)
		}
		for i := range o.Rules {
			check(seed, &o.Rules[i])
		}
		for _, part := range o.Parts {
			check(seed, part)
		}
	}
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(6, seed))
		stored, plain, sent := randomTenant(r, 1), randomTenant(r, 1), randomTenant(r, 1)
		lost := diff(t, stored, plain, OptionsOf(stored))
		apply(t, carried(t, lost), sent, nil)
		check(seed, sent)
	}
}
