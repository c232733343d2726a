package armtest

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// complete adds to the body of a resource what the schema of answers requires and
// nobody sent, with values that satisfy it, and returns what it could not make satisfy
// it.
func (o *operation) complete(body map[string]any) (unfit []string, err error) {
	schema, err := o.compileAnswer()
	if err != nil {
		return nil, err
	}
	ours := map[string]int{} // by place, how many values have been tried there
	for range 1000 {
		err := schema.Validate(withoutNull(body))
		var invalid *jsonschema.ValidationError
		if !errors.As(err, &invalid) {
			return nil, err
		}
		unfit = nil
		progress := false
		for _, e := range leaves(invalid) {
			if !mend(body, e, ours) {
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
	return []string{"there is no end to what is missing"}, nil
}

// mend changes a body in one place, so that an error may go.
func mend(body map[string]any, e *jsonschema.ValidationError, ours map[string]int) bool {
	if missing, ok := e.ErrorKind.(*kind.Required); ok {
		at, ok := find(body, e.InstanceLocation).(map[string]any)
		if !ok {
			return false
		}
		for _, name := range missing.Missing {
			at[name] = candidates[0]
			ours[strings.Join(append(slices.Clone(e.InstanceLocation), name), "/")] = 1
		}
		return true
	}
	place := strings.Join(e.InstanceLocation, "/")
	tried := ours[place]
	if tried == 0 || len(e.InstanceLocation) == 0 {
		return false // it was sent
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
	ours[place]++
	last := len(e.InstanceLocation) - 1
	switch in := find(body, e.InstanceLocation[:last]).(type) {
	case map[string]any:
		in[e.InstanceLocation[last]] = deepCopy(value)
		return true
	}
	return false
}

// candidates are values of which one mostly fits.
var candidates = []any{
	"", "00000000-0000-0000-0000-000000000000", "2020-01-01T00:00:00Z", "a", "https://a.example/", 1, false,
	map[string]any{}, []any{}, 0, "1",
}

// find returns the value at a place, or nil.
func find(value any, place []string) any {
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
