package crds

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/shape"
)

// filler makes random objects that a version of the API allows. It uses only the
// IR: a schema that lacks a property prunes it, and a schema that requires more
// than the IR refuses the object.
type filler struct {
	rand  *rand.Rand
	types map[string]*ir.Type
	// given are the constructs that occurred, so that a test can tell that it
	// has seen what it claims to.
	given map[string]bool
}

func newFiller(v *ir.Version, seed uint64) *filler {
	f := &filler{rand: rand.New(rand.NewPCG(seed, 0)), types: map[string]*ir.Type{}, given: map[string]bool{}}
	for _, t := range v.Types {
		f.types[t.Name] = t
	}
	return f
}

// impossible is the panic for limits that no value satisfies, or none that the
// filler finds.
type impossible struct{}

// depth is how deep a recursive type goes.
const depth = 9

// object fills a type. It leaves out optional properties at random, and all of them
// below depth.
func (f *filler) object(t *ir.Type, level int) any {
	object := map[string]any{}
	var variants []*ir.Property
	for _, p := range t.Properties {
		switch {
		case p.Variant != "":
			variants = append(variants, p)
			continue
		case !p.Required && (level > depth || f.rand.IntN(4) == 0):
			continue
		}
		value := f.property(p, level)
		if value == (impossible{}) {
			if p.Required {
				return impossible{}
			}
			continue
		}
		object[p.Name] = value
	}
	if n := len(variants); n > 0 && !(t.VariantOptional && f.rand.IntN(3) == 0) {
		p := variants[f.rand.IntN(n)]
		value := f.property(p, level)
		if value == (impossible{}) {
			return value
		}
		f.given["variant"] = true
		object[p.Name] = value
	}
	for _, a := range shape.Alternatives(t) {
		if object[a.Property] != nil && object[a.From] != nil {
			f.given["alternative"] = true
			delete(object, []string{a.Property, a.From}[f.rand.IntN(2)])
		}
	}
	return object
}

func (f *filler) property(p *ir.Property, level int) any {
	switch {
	case p.Type.Items != nil:
		return f.list(p, level)
	case p.Type.Map != nil:
		object := map[string]any{}
		for range f.length(level) {
			value := f.value(*p.Type.Map, p.ItemValidation, level+1)
			if value != (impossible{}) {
				object[f.word()] = value
			}
		}
		return object
	}
	return f.value(p.Type, p.Validation, level)
}

// list fills an array. If it has keys, they differ between the elements.
func (f *filler) list(p *ir.Property, level int) any {
	least, most := 0, math.MaxInt
	if v := p.Validation; v != nil && v.MinItems != nil {
		least = int(*v.MinItems)
	}
	if v := p.Validation; v != nil && v.MaxItems != nil {
		most = int(*v.MaxItems)
	}
	elements := []any{}
	seen := map[string]bool{}
	for range min(max(f.length(level), least), most) {
		value := f.value(*p.Type.Items, p.ItemValidation, level+1)
		if value == (impossible{}) {
			continue
		}
		if object, isObject := value.(map[string]any); isObject && len(p.ListKeys) > 0 {
			var key []any
			for _, k := range p.ListKeys {
				key = append(key, object[k])
			}
			text, _ := json.Marshal(key)
			if seen[string(text)] {
				continue
			}
			seen[string(text)] = true
			f.given["keyed list"] = true
		}
		elements = append(elements, value)
	}
	if len(elements) < least {
		return impossible{}
	}
	if len(elements) == 0 {
		f.given["empty list"] = true
	}
	return elements
}

func (f *filler) length(level int) int {
	if level > depth {
		return 0
	}
	return f.rand.IntN(3)
}

func (f *filler) value(r ir.TypeRef, v *ir.Validation, level int) any {
	switch {
	case r.Items != nil:
		return f.list(&ir.Property{Type: r, Validation: v}, level)
	case r.Map != nil:
		return f.property(&ir.Property{Type: r}, level)
	case r.Named != "":
		t := f.types[r.Named]
		if t.Kind == ir.Enum {
			return f.enum(t, v)
		}
		return f.object(t, level+1)
	}
	return f.primitive(r.Primitive, v)
}

func (f *filler) enum(t *ir.Type, v *ir.Validation) any {
	if len(t.Values) == 0 || t.Open && f.rand.IntN(2) == 0 {
		f.given["unknown value of an open enum"] = true
		return f.primitive(t.Base, v)
	}
	f.given["enum"] = true
	value := t.Values[f.rand.IntN(len(t.Values))].Value
	if t.Base == ir.String {
		return value
	}
	var number any
	if err := json.Unmarshal([]byte(value), &number); err != nil {
		panic(err)
	}
	if n, isFloat := number.(float64); isFloat && t.Base == ir.Integer {
		return int64(n)
	}
	return number
}

func (f *filler) primitive(p ir.Primitive, v *ir.Validation) any {
	if v == nil {
		v = &ir.Validation{}
	}
	f.given[string(p)] = true
	switch p {
	case ir.String:
		return f.text(v)
	case ir.Integer:
		n := f.number(v, 1)
		if n == (impossible{}) {
			return n
		}
		return int64(n.(float64))
	case ir.Number:
		return f.number(v, 0.25)
	case ir.Boolean:
		return f.rand.IntN(2) == 0
	case ir.Secret, ir.SecretJSON:
		return map[string]any{"name": f.word(), "key": f.word()}
	case ir.Value:
		return map[string]any{"group": f.word(), "kind": f.word(), "name": f.word(), "output": f.word()}
	case ir.Reference, ir.AnyOwner:
		return map[string]any{"group": f.word(), "kind": f.word(), "name": f.word(), "armId": f.word()}
	case ir.RoleDefinition:
		return map[string]any{"group": f.word(), "kind": f.word(), "name": f.word(), "armId": f.word(), "wellKnownName": f.word()}
	case ir.Owner:
		return map[string]any{"name": f.word(), "armId": f.word()}
	case ir.OperatorSpec: // both kinds have the output key
		return map[string]any{
			"secrets":    map[string]any{"key": map[string]any{"name": f.word(), "key": f.word()}},
			"configMaps": map[string]any{},
			"expressions": map[string]any{
				"url": map[string]any{"secret": f.word(), "key": f.word(), "value": f.word()}},
			"secretMetadata": map[string]any{
				f.word(): map[string]any{"type": "Opaque", "labels": map[string]any{f.word(): f.word()}, "annotations": map[string]any{}}},
		}
	case ir.Generation:
		return int64(f.rand.IntN(5))
	case ir.Conditions:
		return []any{map[string]any{"type": "Ready", "status": "True", "reason": "Done", "message": "", "observedGeneration": int64(2),
			"lastTransitionTime": "2021-01-01T00:00:00Z"}}
	}
	return []any{f.word(), int64(7), 0.5, true, []any{int64(1), map[string]any{"a": nil}},
		map[string]any{"x": map[string]any{"y": f.word()}}}[f.rand.IntN(6)]
}

// number returns a number between the limits.
func (f *filler) number(v *ir.Validation, step float64) any {
	if v.MultipleOf != nil {
		step = *v.MultipleOf
	}
	low := -100 * step
	switch {
	case v.Minimum != nil:
		low = *v.Minimum
	case v.Maximum != nil:
		low = *v.Maximum - 100*step
	}
	first := math.Ceil(low / step)
	for _, n := range []float64{first + float64(f.rand.IntN(50)), first + 1, first} {
		value := n * step
		tooLow := v.Minimum != nil && (value < *v.Minimum || v.ExclusiveMinimum && value == *v.Minimum)
		tooHigh := v.Maximum != nil && (value > *v.Maximum || v.ExclusiveMaximum && value == *v.Maximum)
		if !tooLow && !tooHigh {
			return value
		}
	}
	return impossible{}
}

// text returns a string that matches a validation.
func (f *filler) text(v *ir.Validation) any {
	least, most := int64(0), int64(math.MaxInt64)
	if v.MinLength != nil {
		least = *v.MinLength
	}
	if v.MaxLength != nil {
		most = *v.MaxLength
	}
	if v.Pattern == "" {
		text := f.word()
		for int64(len(text)) < least {
			text += "x"
		}
		return text[:min(int64(len(text)), most)]
	}
	pattern := regexp.MustCompile(v.Pattern)
	tree, err := syntax.Parse(v.Pattern, syntax.Perl)
	if err != nil {
		panic(err)
	}
	for try := range 200 {
		var text strings.Builder
		f.match(&text, tree.Simplify(), try/2)
		n := int64(len([]rune(text.String())))
		if n >= least && n <= most && pattern.MatchString(text.String()) {
			f.given["pattern"] = true
			return text.String()
		}
	}
	f.given["pattern without a match: "+v.Pattern] = true
	return impossible{}
}

// match writes a text that a pattern matches. It repeats a part of the pattern at
// most a given number of times.
func (f *filler) match(out *strings.Builder, r *syntax.Regexp, repeat int) {
	times := func(least, most int) {
		if most < 0 || most > least+repeat {
			most = least + repeat
		}
		for range least + f.rand.IntN(most-least+1) {
			f.match(out, r.Sub[0], repeat)
		}
	}
	switch r.Op {
	case syntax.OpLiteral:
		out.WriteString(string(r.Rune))
	case syntax.OpCharClass:
		if len(r.Rune) > 0 {
			i := 2 * f.rand.IntN(len(r.Rune)/2)
			low, high := max(r.Rune[i], ' '), min(r.Rune[i+1], '~')
			if low > high {
				low, high = r.Rune[i], r.Rune[i]
			}
			out.WriteRune(low + f.rand.Int32N(high-low+1))
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		out.WriteByte(byte('a' + f.rand.IntN(26)))
	case syntax.OpStar:
		times(0, -1)
	case syntax.OpPlus:
		times(1, -1)
	case syntax.OpQuest:
		times(0, 1)
	case syntax.OpRepeat:
		times(r.Min, r.Max)
	case syntax.OpAlternate:
		f.match(out, r.Sub[f.rand.IntN(len(r.Sub))], repeat)
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range r.Sub {
			f.match(out, sub, repeat)
		}
	}
}

func (f *filler) word() string {
	var text strings.Builder
	for range 1 + f.rand.IntN(8) {
		text.WriteByte(byte('a' + f.rand.IntN(26)))
	}
	return text.String()
}
