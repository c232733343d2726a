package arm

import (
	"errors"
	"strconv"
	"strings"
)

// path is the path to the value that a codec is reading or writing.
type path struct {
	root     string
	steps    []step
	depth    int
	exceeded bool
}

// step is a property, an element or an entry.
type step struct {
	name  string
	index int // of an element, or else noIndex or isKey
}

const (
	noIndex = -1
	isKey   = -2
)

func (p *path) push(name string)   { p.steps = append(p.steps, step{name, noIndex}) }
func (p *path) pushKey(key string) { p.steps = append(p.steps, step{key, isKey}) }
func (p *path) pushIndex(i int)    { p.steps = append(p.steps, step{"", i}) }
func (p *path) pop()               { p.steps = p.steps[:len(p.steps)-1] }

// String returns a text such as spec.rules[2].tags["a b"]. A very long one is cut.
func (p *path) String() string {
	return p.text(func(s step) string {
		if s.index == isKey {
			return "[" + strconv.Quote(s.name) + "]"
		}
		return "[" + strconv.Itoa(s.index) + "]"
	})
}

// property returns a text such as spec.rules[].tags[], which is the same for all elements and
// all keys.
func (p *path) property() string { return p.text(func(step) string { return "[]" }) }

// text joins the steps. other returns the text of a step that is not a property.
func (p *path) text(other func(step) string) string {
	const maxSteps = 40
	var b strings.Builder
	b.WriteString(p.root)
	for i, s := range p.steps {
		if i == maxSteps {
			b.WriteString("…")
			break
		}
		switch {
		case s.index != noIndex:
			b.WriteString(other(s))
		case b.Len() > 0:
			b.WriteString("." + s.name)
		default:
			b.WriteString(s.name)
		}
	}
	return b.String()
}

// rootOf returns the first element of a path into a Spec or Status.
func rootOf(value any) string {
	if _, isSpec := value.(ARMTransformer); isSpec {
		return "spec"
	}
	return "status"
}

// join is like [errors.Join], but keeps only the first errors and counts the others.
func join(errs ...error) error {
	const maxErrors = 20
	if len(errs) > maxErrors {
		errs = append(errs[:maxErrors:maxErrors], errors.New("and "+strconv.Itoa(len(errs)-maxErrors)+" more"))
	}
	return errors.Join(errs...)
}
