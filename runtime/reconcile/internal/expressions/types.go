package expressions

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
)

// provider knows the types of a kind. Their values are maps.
type provider struct {
	types.Provider
	fields map[string]map[string]*types.FieldType // by the names of types, and of fields
}

func (p *provider) FindStructType(name string) (*types.Type, bool) {
	if p.fields[name] != nil {
		return types.NewTypeTypeWithParam(types.NewObjectType(name)), true
	}
	return p.Provider.FindStructType(name)
}

func (p *provider) FindStructFieldNames(name string) (names []string, found bool) {
	fields := p.fields[name]
	if fields == nil {
		return p.Provider.FindStructFieldNames(name)
	}
	for field := range fields {
		names = append(names, field)
	}
	return names, true
}

func (p *provider) FindStructFieldType(name, field string) (*types.FieldType, bool) {
	fields := p.fields[name]
	if fields == nil {
		return p.Provider.FindStructFieldType(name, field)
	}
	t, found := fields[field]
	return t, found
}

// NewValue makes nothing: [Program.check] refuses what would call it.
func (p *provider) NewValue(string, map[string]ref.Val) ref.Val {
	return types.WrapErr(errors.New("no objects are made"))
}

// declare returns a type with some fields.
func (p *provider) declare(name string, fields map[string]*types.Type) *types.Type {
	p.fields[name] = map[string]*types.FieldType{}
	for field, t := range fields {
		p.fields[name][field] = &types.FieldType{Type: t}
	}
	return types.NewObjectType(name)
}

// object returns the type of objects of a kind.
func (p *provider) object(spec, status reflect.Type) *types.Type {
	texts := cel.MapType(cel.StringType, cel.StringType)
	return p.declare("Object", map[string]*types.Type{
		"apiVersion": cel.StringType,
		"kind":       cel.StringType,
		"metadata": p.declare("Metadata", map[string]*types.Type{
			"name": cel.StringType, "namespace": cel.StringType, "uid": cel.StringType, "labels": texts, "annotations": texts}),
		"spec":   p.typeOf(spec),
		"status": p.declare("Status", p.fieldsOf(status, ofOperator)),
	})
}

// outputs returns the type of the outputs of a kind that are right.
func (p *provider) outputs(name string, k Kind, isRight func(arm.Output) bool) *types.Type {
	fields := map[string]*types.Type{}
	for _, o := range k.Outputs {
		if isRight(o) {
			fields[o.Name] = k.typeOf(o)
		}
	}
	return p.declare(name, fields)
}

// typeOf returns the type of an output.
func (k Kind) typeOf(o arm.Output) *types.Type {
	if o.Base64 {
		return cel.BytesType
	}
	if o.Action == "" {
		switch o.KindIn(k.Status) {
		case reflect.Bool:
			return cel.BoolType
		case reflect.Int64:
			return cel.IntType
		case reflect.Float64:
			return cel.DoubleType
		}
	}
	return cel.StringType
}

// Output returns the value of an output as an expression has it, given its text.
func (k Kind) Output(o arm.Output, text []byte) (value any, err error) {
	switch k.typeOf(o) {
	case cel.BytesType:
		return text, nil
	case cel.BoolType:
		return strconv.ParseBool(string(text))
	case cel.IntType:
		return strconv.ParseInt(string(text), 10, 64)
	case cel.DoubleType:
		return strconv.ParseFloat(string(text), 64)
	}
	return string(text), nil
}

// ofOperator reports whether a field of a Status has what the operator says itself. That may follow from the value of
// an expression, which is not made of it.
func ofOperator(f reflect.StructField) bool {
	return f.Type == reflect.TypeFor[[]metav1.Condition]() || f.Name == "ObservedGeneration"
}

func nothing(reflect.StructField) bool { return false }

// fieldsOf returns the types of the fields of a struct but for some.
func (p *provider) fieldsOf(t reflect.Type, but func(reflect.StructField) bool) map[string]*types.Type {
	fields := map[string]*types.Type{}
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() && !but(f) {
			if name, _ := nameOf(f); name != "" {
				fields[name] = p.typeOf(f.Type)
			}
		}
	}
	return fields
}

// nameOf returns the name of a field, "" if it has none, and whether a zero value is left out.
func nameOf(f reflect.StructField) (name string, omits bool) {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "-" {
		return "", true
	}
	return name, strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero")
}

// typeOf returns the type of the values of a type of Go. What writes its JSON itself may be anything.
func (p *provider) typeOf(t reflect.Type) *types.Type {
	if writesItself(t) {
		return cel.DynType
	}
	switch t.Kind() {
	case reflect.Pointer:
		return p.typeOf(t.Elem())
	case reflect.Bool:
		return cel.BoolType
	case reflect.Int, reflect.Int32, reflect.Int64:
		return cel.IntType
	case reflect.Float64:
		return cel.DoubleType
	case reflect.String:
		return cel.StringType
	case reflect.Slice:
		return cel.ListType(p.typeOf(t.Elem()))
	case reflect.Map:
		return cel.MapType(cel.StringType, p.typeOf(t.Elem()))
	case reflect.Struct:
		name := t.String()
		if p.fields[name] == nil {
			p.fields[name] = map[string]*types.FieldType{} // for a type that is in itself
			p.declare(name, p.fieldsOf(t, nothing))
		}
		return types.NewObjectType(name)
	}
	return cel.DynType
}

func writesItself(t reflect.Type) bool {
	return t.Kind() != reflect.Pointer && reflect.PointerTo(t).Implements(reflect.TypeFor[json.Marshaler]())
}

// Self returns an object as expressions have it. Its Spec and its Status are pointers to structs.
func Self(apiVersion, kind string, object metav1.Object, spec, status any) (map[string]any, error) {
	var c converter
	metadata := map[string]any{"name": object.GetName(), "namespace": object.GetNamespace(), "uid": string(object.GetUID()),
		"labels": own(object.GetLabels()), "annotations": own(object.GetAnnotations())}
	value := map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": metadata,
		"spec":   c.object(reflect.ValueOf(spec).Elem(), nothing),
		"status": c.object(reflect.ValueOf(status).Elem(), ofOperator)}
	return value, c.err
}

// own returns labels or annotations without those of Armature, which the operator may change.
func own(all map[string]string) map[string]any {
	kept := map[string]any{}
	for name, value := range all {
		if !strings.HasPrefix(name, annotation.Domain+"/") {
			kept[name] = value
		}
	}
	return kept
}

// converter converts values of Go to those of [provider.typeOf].
type converter struct{ err error }

// value returns a value, or nil if there is none.
func (c *converter) value(v reflect.Value) any {
	if writesItself(v.Type()) {
		return c.any(v.Interface())
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return c.value(v.Elem())
	case reflect.Bool:
		return v.Bool()
	case reflect.Int, reflect.Int32, reflect.Int64:
		return v.Int()
	case reflect.Float64:
		return v.Float()
	case reflect.String:
		return v.String()
	case reflect.Slice:
		all := []any{}
		for i := range v.Len() {
			all = append(all, c.value(v.Index(i)))
		}
		return all
	case reflect.Map:
		all := map[string]any{}
		for key, value := range v.Seq2() {
			all[key.String()] = c.value(value)
		}
		return all
	case reflect.Struct:
		return c.object(v, nothing)
	}
	return c.any(v.Interface())
}

// object returns the fields of a struct that are set, but for some.
func (c *converter) object(v reflect.Value, but func(reflect.StructField) bool) map[string]any {
	all := map[string]any{}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, omits := nameOf(f)
		if !f.IsExported() || name == "" || but(f) || omits && v.Field(i).IsZero() {
			continue
		}
		all[name] = c.value(v.Field(i))
	}
	return all
}

// any returns the value that the JSON of a value has.
func (c *converter) any(of any) (value any) {
	text, err := json.Marshal(of)
	if err == nil {
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		err = decoder.Decode(&value)
	}
	if err != nil && c.err == nil {
		c.err = err
	}
	return numbers(value)
}

// numbers returns a value of JSON with numbers of Go.
func numbers(value any) any {
	switch value := value.(type) {
	case json.Number:
		if n, err := value.Int64(); err == nil {
			return n
		}
		f, _ := value.Float64()
		return f
	case []any:
		for i := range value {
			value[i] = numbers(value[i])
		}
	case map[string]any:
		for name := range value {
			value[name] = numbers(value[name])
		}
	}
	return value
}
