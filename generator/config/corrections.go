package config

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// IsCorrection reports whether the mark corrects a mistake of a spec.
func (m Mark) IsCorrection() bool {
	row := markOf(m.Name)
	return row != nil && row.corrects
}

// correction is the value of a mark that corrects a spec. Its String is as group.yaml has it.
type correction interface {
	fmt.Stringer
	// faults returns what is wrong with it by itself.
	faults() []string
}

// correction returns the value of the mark, or nil.
func (m Mark) correction() correction {
	switch {
	case m.Limits != nil:
		return m.Limits
	case m.Enum != nil:
		return m.Enum
	case m.Missing != nil:
		return m.Missing
	}
	return nil
}

// into returns where the value of a mark goes that has one.
func (m *Mark) into() any {
	switch row := markOf(m.Name); {
	case m.Name == LimitsMark:
		return &m.Limits
	case m.Name == EnumMark:
		return &m.Enum
	case m.Name == MissingMark:
		return &m.Missing
	case row.isList():
		return &m.Values
	}
	return &m.Type
}

// Limits are the limits of a text or a number, in place of those in the specs. Those that are nil or "" stay as a spec
// has them.
type Limits struct {
	Pattern   string   `yaml:"pattern" json:"pattern,omitempty"`
	MinLength *int64   `yaml:"minLength" json:"minLength,omitempty"`
	MaxLength *int64   `yaml:"maxLength" json:"maxLength,omitempty"`
	Minimum   *float64 `yaml:"minimum" json:"minimum,omitempty"`
	Maximum   *float64 `yaml:"maximum" json:"maximum,omitempty"`
}

// String returns the limits as group.yaml has them.
func (l *Limits) String() string {
	var all []string
	if l.Pattern != "" {
		all = append(all, fmt.Sprintf("pattern: %q", l.Pattern))
	}
	for _, length := range []struct {
		name  string
		value *int64
	}{{"minLength", l.MinLength}, {"maxLength", l.MaxLength}} {
		if length.value != nil {
			all = append(all, fmt.Sprintf("%s: %d", length.name, *length.value))
		}
	}
	for _, bound := range []struct {
		name  string
		value *float64
	}{{"minimum", l.Minimum}, {"maximum", l.Maximum}} {
		if bound.value != nil {
			all = append(all, bound.name+": "+strconv.FormatFloat(*bound.value, 'f', -1, 64))
		}
	}
	return "{" + strings.Join(all, ", ") + "}"
}

func (l *Limits) faults() []string {
	switch {
	case *l == Limits{}:
		return []string{"limits is empty; expected a form such as {minLength: 3, maxLength: 24}"}
	case !new(ir.Validation).SetPattern(l.Pattern):
		return []string{fmt.Sprintf("the pattern %q is no RE2 expression, which the API server reads", l.Pattern)}
	case l.MinLength != nil && l.MaxLength != nil && *l.MinLength > *l.MaxLength,
		l.Minimum != nil && l.Maximum != nil && *l.Minimum > *l.Maximum:
		return []string{"no value is within the limits " + l.String()}
	}
	return nil
}

// NameCorrection has limits of the names of a resource type in Azure, in place of those in the specs.
type NameCorrection struct {
	Pattern   string `yaml:"pattern"`
	MinLength *int64 `yaml:"minLength"`
	MaxLength *int64 `yaml:"maxLength"`
	Why       string `yaml:"why"`
	Source    string `yaml:"source"` // as of [Mark]
}

func (n *NameCorrection) limits() *Limits {
	return &Limits{Pattern: n.Pattern, MinLength: n.MinLength, MaxLength: n.MaxLength}
}

// nameCorrection checks what an export says of names in Azure.
func (c *checker) nameCorrection(entry []any, n *NameCorrection) {
	if n == nil {
		return
	}
	for _, fault := range n.limits().faults() {
		c.errorf(entry, "%s", fault)
	}
	if !isExplained(n.Why, n.Source) {
		c.unexplained(entry, "name", `{maxLength: 24, why: "ARM refuses more", source: "https://…"}`)
	}
}

// isExplained reports whether what corrects a spec has its reason and its source.
func isExplained(why, source string) bool { return why != "" && isSource().MatchString(source) }

// unexplained reports a correction without its reason or its source, and a form that has them.
func (c *checker) unexplained(entry []any, what, form string) {
	c.errorf(entry, "%s corrects a spec, so it needs why, the reason, and source, a public page or a line of a spec; expected a form "+
		"such as %s", what, form)
}

// Enum has values of an enum beside those in the specs.
type Enum struct {
	Values []string `yaml:"values" json:"values,omitempty"`
	// Open reports whether ARM takes other values, too, or is nil for what the specs say.
	Open *bool `yaml:"open" json:"open,omitempty"`
}

// String returns the values as group.yaml has them.
func (e *Enum) String() string {
	var all []string
	if len(e.Values) > 0 {
		var values []string
		for _, v := range e.Values {
			values = append(values, strconv.Quote(v))
		}
		all = append(all, "values: ["+strings.Join(values, ", ")+"]")
	}
	if e.Open != nil {
		all = append(all, fmt.Sprintf("open: %v", *e.Open))
	}
	return "{" + strings.Join(all, ", ") + "}"
}

func (e *Enum) faults() []string {
	if len(e.Values) == 0 && e.Open == nil {
		return []string{`enum is empty; expected a form such as {values: ["8.4"]}, or {open: true}`}
	}
	return nil
}

// Missing describes a property that no spec has.
type Missing struct {
	Type     string `yaml:"type" json:"type"`
	Required bool   `yaml:"required" json:"required,omitempty"`
	Since    string `yaml:"since" json:"since"` // the ARM API version from which on ARM has it
}

var missingType = form(`^(\[\]|map\[string\])*(string|integer|number|boolean|any)$`)

// String returns the property as group.yaml has it.
func (m *Missing) String() string {
	required := ""
	if m.Required {
		required = ", required: true"
	}
	return fmt.Sprintf("{type: %q%s, since: %q}", m.Type, required, m.Since)
}

func (m *Missing) faults() []string {
	var all []string
	if !missingType().MatchString(m.Type) {
		all = append(all, fmt.Sprintf("the type of what is missing is %q; expected string, integer, number, boolean or any, "+
			"or a form such as []string or map[string]string", m.Type))
	}
	if _, err := naming.ParseVersion(m.Since); err != nil {
		all = append(all, "since: "+err.Error())
	}
	return all
}
