package expressions

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// functions are the names of those in [library]. They are called as the functions of API servers and of CEL's own
// extensions that do the same, but no value that they make is longer than [MaxResult]: replace and join can make one
// that is as long as the product of two others, before anything counts its costs.
var functions = []string{"lowerAscii", "upperAscii", "trim", "replace", "split", "join", "base64.encode", "base64.decode", "json.encode"}

var library = []cel.EnvOption{
	member("lowerAscii", nil, cel.StringType, func(args []string) (ref.Val, error) {
		return text(mapASCII(args[0], 'A', 'Z', 'a'-'A'))
	}),
	member("upperAscii", nil, cel.StringType, func(args []string) (ref.Val, error) {
		return text(mapASCII(args[0], 'a', 'z', 'A'-'a'))
	}),
	member("trim", nil, cel.StringType, func(args []string) (ref.Val, error) { return text(strings.TrimSpace(args[0])) }),
	member("replace", []*cel.Type{cel.StringType, cel.StringType}, cel.StringType, func(args []string) (ref.Val, error) {
		grows := len(args[2]) - len(args[1])
		if n := strings.Count(args[0], args[1]); grows > 0 && n > (MaxResult-len(args[0]))/grows {
			return nil, errTooLong
		}
		return text(strings.ReplaceAll(args[0], args[1], args[2]))
	}),
	member("split", []*cel.Type{cel.StringType}, cel.ListType(cel.StringType), func(args []string) (ref.Val, error) {
		if len(args[0]) > MaxResult {
			return nil, errTooLong
		}
		return types.DefaultTypeAdapter.NativeToValue(strings.Split(args[0], args[1])), nil
	}),
	cel.Function("join",
		cel.MemberOverload("list_join", []*cel.Type{cel.ListType(cel.StringType)}, cel.StringType,
			cel.UnaryBinding(func(list ref.Val) ref.Val { return join(list, "") })),
		cel.MemberOverload("list_join_string", []*cel.Type{cel.ListType(cel.StringType), cel.StringType}, cel.StringType,
			cel.BinaryBinding(func(list, by ref.Val) ref.Val { return join(list, string(by.(types.String))) }))),
	cel.Function("base64.encode", cel.Overload("base64_encode_bytes", []*cel.Type{cel.BytesType}, cel.StringType,
		cel.UnaryBinding(func(value ref.Val) ref.Val {
			return orError(text(base64.StdEncoding.EncodeToString(value.(types.Bytes))))
		}))),
	cel.Function("base64.decode", cel.Overload("base64_decode_string", []*cel.Type{cel.StringType}, cel.BytesType,
		cel.UnaryBinding(func(value ref.Val) ref.Val {
			decoded, err := base64.StdEncoding.DecodeString(string(value.(types.String)))
			return orError(types.Bytes(decoded), err)
		}))),
	cel.Function("json.encode", cel.Overload("json_encode_dyn", []*cel.Type{cel.DynType}, cel.StringType,
		cel.UnaryBinding(func(value ref.Val) ref.Val {
			w := &writer{}
			err := w.value(value)
			return orError(types.String(w.buffer.String()), err)
		}))),
}

// member returns a function that is called on a text.
func member(name string, more []*cel.Type, result *cel.Type, do func([]string) (ref.Val, error)) cel.EnvOption {
	return cel.Function(name, cel.MemberOverload("string_"+name, append([]*cel.Type{cel.StringType}, more...), result,
		cel.FunctionBinding(func(args ...ref.Val) ref.Val {
			var texts []string
			for _, arg := range args {
				texts = append(texts, string(arg.(types.String)))
			}
			return orError(do(texts))
		})))
}

// orError returns a value, or an error as CEL has it.
func orError(value ref.Val, err error) ref.Val {
	if err != nil {
		return types.WrapErr(err)
	}
	return value
}

// text returns a text that is not too long.
func text(s string) (ref.Val, error) {
	if len(s) > MaxResult {
		return nil, errTooLong
	}
	return types.String(s), nil
}

func mapASCII(s string, from, to, by rune) string {
	return strings.Map(func(r rune) rune {
		if from <= r && r <= to {
			return r + by
		}
		return r
	}, s)
}

// join joins the texts in a list.
func join(list ref.Val, by string) ref.Val {
	var b strings.Builder
	for i, it := 0, list.(traits.Lister).Iterator(); it.HasNext() == types.True; i++ {
		s, isText := it.Next().(types.String)
		if !isText {
			return types.NewErr("no such overload")
		}
		if i > 0 {
			b.WriteString(by)
		}
		if b.WriteString(string(s)); b.Len() > MaxResult {
			return types.WrapErr(errTooLong)
		}
	}
	return types.String(b.String())
}

// sizeOf returns how many bytes or elements values have.
func sizeOf(values ...ref.Val) (n uint64) {
	for _, value := range values {
		switch value := value.(type) {
		case types.String: // not its Size, which counts characters
			n += uint64(len(value))
		case traits.Sizer:
			n += uint64(max(value.Size().(types.Int), 0))
		}
	}
	return n
}

// maxNesting is how deep the maps and lists of a value may be that becomes JSON.
const maxNesting = 100

// writer writes a value as JSON, the members of a map in the order of their names.
type writer struct {
	buffer bytes.Buffer
	depth  int
}

func (w *writer) value(value ref.Val) error {
	if w.depth++; w.depth > maxNesting {
		return errTooLong
	}
	defer func() { w.depth-- }()
	switch value := value.(type) {
	case traits.Mapper:
		return w.object(value)
	case traits.Lister:
		w.buffer.WriteByte('[')
		for i, it := 0, value.Iterator(); it.HasNext() == types.True; i++ {
			if i > 0 {
				w.buffer.WriteByte(',')
			}
			if err := w.value(it.Next()); err != nil {
				return err
			}
		}
		w.buffer.WriteByte(']')
	case types.Null:
		return w.scalar(nil)
	case types.Timestamp, types.Duration:
		return w.scalar(value.ConvertToType(types.StringType).Value())
	case types.Bool, types.Bytes, types.Double, types.Int, types.String, types.Uint:
		return w.scalar(value.Value())
	default:
		return fmt.Errorf("no JSON has a value of type %s", value.Type().TypeName())
	}
	return w.limit()
}

func (w *writer) object(m traits.Mapper) error {
	var names []string
	for it := m.Iterator(); it.HasNext() == types.True; {
		name, isText := it.Next().(types.String)
		if !isText {
			return fmt.Errorf("the names in an object of JSON are texts")
		}
		names = append(names, string(name))
	}
	slices.Sort(names)
	w.buffer.WriteByte('{')
	for i, name := range names {
		if i > 0 {
			w.buffer.WriteByte(',')
		}
		if err := w.scalar(name); err != nil {
			return err
		}
		w.buffer.WriteByte(':')
		if err := w.value(m.Get(types.String(name))); err != nil {
			return err
		}
	}
	w.buffer.WriteByte('}')
	return w.limit()
}

// scalar writes a value of Go.
func (w *writer) scalar(value any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // a connection string may have an ampersand
	if err := encoder.Encode(value); err != nil {
		return err
	}
	w.buffer.Write(bytes.TrimSuffix(text.Bytes(), []byte("\n")))
	return w.limit()
}

func (w *writer) limit() error {
	if w.buffer.Len() > MaxResult {
		return errTooLong
	}
	return nil
}
