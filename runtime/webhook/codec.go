package webhook

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
	kjson "sigs.k8s.io/json"
)

// strict has the options to read JSON as the API server does: names are case-sensitive.
// They refuse duplicate names and invalid UTF-8, which the API server never sends and
// which could be read in two ways. Otherwise the result is that of encoding/json, in half
// the time.
var strict = jsonv2.JoinOptions(
	jsonv1.DefaultOptionsV1(),
	jsonv2.MatchCaseInsensitiveNames(false),
	jsontext.AllowDuplicateNames(false),
	jsontext.AllowInvalidUTF8(false),
	jsonv1.ReportErrorsWithLegacySemantics(false), // because the new errors have the path
)

func decodeStrictly(data []byte, into any) error { return jsonv2.Unmarshal(data, into, strict) }

// decodeUntyped decodes as apimachinery does: a number in an interface becomes an
// int64 or a float64, depending on how it is written.
func decodeUntyped(data []byte, into any) error {
	if !valid(data) {
		return errors.New("invalid JSON, duplicate names or invalid UTF-8")
	}
	return kjson.UnmarshalCaseSensitivePreserveInts(data, into)
}

// decoderOf returns the fastest decoder that is correct for a type.
func decoderOf(t reflect.Type) func([]byte, any) error {
	if hasInterface(t, map[reflect.Type]bool{}) {
		return decodeUntyped
	}
	return decodeStrictly
}

// hasInterface reports whether JSON is decoded into an interface somewhere in t.
func hasInterface(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return hasInterface(t.Elem(), seen)
	case reflect.Struct:
		if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
			return false // decodes itself
		}
		for _, f := range reflect.VisibleFields(t) {
			if f.IsExported() && f.Tag.Get("json") != "-" && hasInterface(f.Type, seen) {
				return true
			}
		}
	}
	return false
}

// decodingError returns an error that says where an object does not have the form of its Go
// type. It does not contain the value there, which may be secret.
func decodingError(err error) error {
	var semantic *jsonv2.SemanticError
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.As(err, &semantic):
		found := "this"
		if semantic.JSONKind != 0 {
			found = nameOfKind(semantic.JSONKind)
		}
		return fmt.Errorf("%scannot read %s as %s", pathPrefix(semantic.JSONPointer), found, nameOfType(semantic.GoType))
	case errors.As(err, &syntactic) && errors.Is(err, jsontext.ErrDuplicateName):
		return fmt.Errorf("%sduplicate name", pathPrefix(syntactic.JSONPointer))
	case errors.As(err, &syntactic):
		return fmt.Errorf("%sinvalid JSON at byte %d", pathPrefix(syntactic.JSONPointer), syntactic.ByteOffset)
	}
	var typeError *json.UnmarshalTypeError
	if errors.As(err, &typeError) && typeError.Field != "" {
		return fmt.Errorf("%s: cannot read this as %s", typeError.Field, nameOfType(typeError.Type))
	}
	return errors.New("it does not fit its Go type")
}

// maxPath is about how many bytes of a path are in a message.
const maxPath = 300

// pathPrefix returns the path of a property and a colon, for the beginning of a message.
func pathPrefix(pointer jsontext.Pointer) string {
	if pointer == "" {
		return ""
	}
	var path strings.Builder
	for token := range pointer.Tokens() {
		if path.Len() > maxPath {
			return path.String() + "…: "
		}
		if len(token) > maxPath {
			token = token[:maxPath] + "…"
		}
		switch _, err := strconv.ParseUint(token, 10, 32); {
		case err == nil && path.Len() > 0:
			path.WriteString("[" + token + "]")
		case token == "" || strings.ContainsAny(token, `.[]" /`):
			path.WriteString("[" + strconv.Quote(token) + "]")
		case path.Len() == 0:
			path.WriteString(token)
		default:
			path.WriteString("." + token)
		}
	}
	return path.String() + ": "
}

func nameOfKind(k jsontext.Kind) string {
	switch k {
	case 'n':
		return "null"
	case 'f', 't':
		return "a boolean"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '{':
		return "an object"
	case '[':
		return "a list"
	}
	return "this"
}

func nameOfType(t reflect.Type) string {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil {
		return "its type"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "a boolean"
	case reflect.String:
		return "a string"
	case reflect.Int, reflect.Int32, reflect.Int64:
		return "an integer"
	case reflect.Float64:
		return "a number"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Slice:
		return "a list"
	}
	return t.String()
}
