package armtest

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// complete adds to the body of a resource the properties that the schema of answers
// requires and that no client has sent, with values that satisfy the schema. It returns
// the violations that remain.
func (o *operation) complete(body map[string]any) (unfit []string, err error) {
	schema, err := o.compileAnswer()
	if err != nil {
		return nil, err
	}
	attempts := map[string]int{} // by path, how many values have been tried there
	for range 1000 {
		err := schema.Validate(withoutNull(body))
		var invalid *jsonschema.ValidationError
		if !errors.As(err, &invalid) {
			return nil, err
		}
		unfit = nil
		progress := false
		for _, e := range leaves(invalid) {
			if !repair(body, e, attempts) {
				unfit = append(unfit, strings.Join(e.InstanceLocation, ".")+": "+e.ErrorKind.LocalizedString(printer))
			} else {
				progress = true
			}
		}
		if !progress {
			slices.Sort(unfit)
			return slices.Compact(unfit), nil
		}
	}
	return []string{"after 1000 attempts the body still does not satisfy the schema"}, nil
}

// repair changes one value of a body to mend an error, and reports whether it could. It changes
// only values that no client has sent.
func repair(body map[string]any, e *jsonschema.ValidationError, attempts map[string]int) bool {
	if missing, ok := e.ErrorKind.(*kind.Required); ok {
		at, ok := valueAt(body, e.InstanceLocation).(map[string]any)
		if !ok {
			return false
		}
		for _, name := range missing.Missing {
			at[name] = candidates[0]
			attempts[strings.Join(append(slices.Clone(e.InstanceLocation), name), "/")] = 1
		}
		return true
	}
	place := strings.Join(e.InstanceLocation, "/")
	tried := attempts[place]
	if tried == 0 || len(e.InstanceLocation) == 0 {
		return false // a client has sent it
	}
	value := any(nil)
	switch problem := e.ErrorKind.(type) {
	case *kind.Enum:
		value = problem.Want[0]
	default:
		if tried == len(candidates) {
			return false
		}
		value = candidates[tried]
	}
	attempts[place]++
	last := len(e.InstanceLocation) - 1
	switch in := valueAt(body, e.InstanceLocation[:last]).(type) {
	case map[string]any:
		in[e.InstanceLocation[last]] = deepCopy(value)
		return true
	}
	return false
}

// candidates are values to try for a property that is missing: mostly one of them fits.
var candidates = []any{
	"", "00000000-0000-0000-0000-000000000000", "2020-01-01T00:00:00Z", "a", "https://a.example/", 1, false,
	map[string]any{}, []any{}, 0, "1",
}

// valueAt returns the value at a path, or nil.
func valueAt(value any, place []string) any {
	for _, step := range place {
		switch in := value.(type) {
		case map[string]any:
			value = in[step]
		case []any:
			at, err := strconv.Atoi(step)
			if err != nil || at >= len(in) {
				return nil
			}
			value = in[at]
		default:
			return nil
		}
	}
	return value
}
