package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// schema is the schema of a value in a CRD.
type schema = apiextensionsv1.JSONSchemaProps

// schemas compares the schemas of a version that both releases serve.
type schemas struct {
	*comparison
	kind, version string
}

// compareSchemas returns what the new schema of a version does not accept that the old
// one did.
func (c *comparison) compareSchemas(kind, version string, was, is *apiextensionsv1.CustomResourceValidation) []Finding {
	if was == nil || is == nil || was.OpenAPIV3Schema == nil || is.OpenAPIV3Schema == nil {
		return nil
	}
	s := &schemas{comparison: &comparison{before: c.before}, kind: kind, version: version}
	s.compare("", was.OpenAPIV3Schema, is.OpenAPIV3Schema)
	return s.comparison.findings
}

func (s *schemas) add(of code, path, format string, args ...any) {
	s.comparison.add(of, s.kind, s.version, strings.TrimPrefix(path, "."), format, args...)
}

// compare compares the schemas at a path, and those below.
func (s *schemas) compare(path string, was, is *schema) {
	if was.Type != is.Type {
		s.add(schemaNarrowed, path, "the type was %s and is %s", orAny(was.Type), orAny(is.Type))
		return
	}
	s.compareValues(path, was, is)
	s.compareLimits(path, was, is)
	if !equality.Semantic.DeepEqual(was.Default, is.Default) {
		s.add(defaultChanged, path, "the default was %s and is %s", text(was.Default), text(is.Default))
	}
	for _, name := range without(is.Required, was.Required) {
		s.add(requiredAdded, path+"."+name, "it is required now")
	}
	for _, name := range slices.Sorted(maps.Keys(was.Properties)) {
		before := was.Properties[name]
		if after, found := is.Properties[name]; found {
			s.compare(path+"."+name, &before, &after)
		} else if !isOpen(is) {
			s.add(propertyGone, path+"."+name, "the property is gone")
		}
	}
	// A Status has its schema at the default version alone. Which version that is matters to
	// nobody who writes: clients write no Status, and what conversions make fits its schema.
	if isOpen(was) && !isOpen(is) && path != ".status" {
		s.add(schemaNarrowed, path, "it does not accept unknown properties any longer")
	}
	if was.Items != nil && was.Items.Schema != nil && is.Items != nil && is.Items.Schema != nil {
		s.compare(path+"[]", was.Items.Schema, is.Items.Schema)
	}
	if a, b := was.AdditionalProperties, is.AdditionalProperties; a != nil && a.Schema != nil && b != nil && b.Schema != nil {
		s.compare(path+"{}", a.Schema, b.Schema)
	}
}

// isOpen reports whether a schema accepts properties that it does not list.
func isOpen(s *schema) bool {
	return s.XPreserveUnknownFields != nil && *s.XPreserveUnknownFields ||
		s.AdditionalProperties != nil && (s.AdditionalProperties.Allows || s.AdditionalProperties.Schema != nil)
}

// compareValues compares which values a schema accepts, apart from their limits.
func (s *schemas) compareValues(path string, was, is *schema) {
	if is.Format != was.Format && is.Format != "" {
		s.add(schemaNarrowed, path, "the format was %s and is %s", orAny(was.Format), is.Format)
	}
	if is.Pattern != was.Pattern && is.Pattern != "" {
		s.add(schemaNarrowed, path, "the pattern was %s and is %s", orAny(was.Pattern), is.Pattern)
	}
	if was.Nullable && !is.Nullable {
		s.add(schemaNarrowed, path, "null is not accepted any longer")
	}
	if !was.UniqueItems && is.UniqueItems {
		s.add(schemaNarrowed, path, "equal items are not accepted any longer")
	}
	before, after := texts(was.Enum), texts(is.Enum)
	switch gone := without(before, after); {
	case len(before) == 0 && len(after) > 0:
		s.add(schemaNarrowed, path, "any value was accepted, now only %s", strings.Join(after, ", "))
	case len(after) > 0 && len(gone) > 0:
		s.add(schemaNarrowed, path, "the value %s is not accepted any longer", strings.Join(gone, ", "))
	}
	for _, conditions := range []struct {
		name    string
		was, is []schema
	}{{"oneOf", was.OneOf, is.OneOf}, {"anyOf", was.AnyOf, is.AnyOf}, {"allOf", was.AllOf, is.AllOf}, {"not", not(was), not(is)}} {
		if len(conditions.is) > 0 && !equality.Semantic.DeepEqual(conditions.was, conditions.is) {
			s.add(schemaNarrowed, path, "the conditions of %s have changed", conditions.name)
		}
	}
	for _, rule := range is.XValidations {
		if !slices.ContainsFunc(was.XValidations, func(r apiextensionsv1.ValidationRule) bool { return r.Rule == rule.Rule }) {
			s.add(schemaNarrowed, path, "the rule is new: %s", rule.Rule)
		}
	}
	if a, b := list(was), list(is); a != b {
		s.add(schemaNarrowed, path, "the list was %s and is %s", a, b)
	}
}

// not returns the condition that must not hold, if there is one.
func not(s *schema) []schema {
	if s.Not == nil {
		return nil
	}
	return []schema{*s.Not}
}

// list says how server-side apply merges a list or a map.
func list(s *schema) string {
	kind := "atomic"
	if s.XListType != nil {
		kind = *s.XListType
	}
	if s.XMapType != nil {
		kind = *s.XMapType
	}
	if len(s.XListMapKeys) > 0 {
		kind += " by " + strings.Join(s.XListMapKeys, ", ")
	}
	return kind
}

// compareLimits compares the limits of numbers and sizes.
func (s *schemas) compareLimits(path string, was, is *schema) {
	for _, limit := range []struct {
		name    string
		was, is *float64
		less    bool // whether a smaller limit accepts more
	}{
		{"minimum", was.Minimum, is.Minimum, true},
		{"maximum", was.Maximum, is.Maximum, false},
		{"minLength", number(was.MinLength), number(is.MinLength), true},
		{"maxLength", number(was.MaxLength), number(is.MaxLength), false},
		{"minItems", number(was.MinItems), number(is.MinItems), true},
		{"maxItems", number(was.MaxItems), number(is.MaxItems), false},
		{"minProperties", number(was.MinProperties), number(is.MinProperties), true},
		{"maxProperties", number(was.MaxProperties), number(is.MaxProperties), false},
	} {
		if limit.is != nil && (limit.was == nil || *limit.is != *limit.was && (*limit.is > *limit.was) == limit.less) {
			s.add(schemaNarrowed, path, "%s was %s and is %v", limit.name, orNone(limit.was), *limit.is)
		}
	}
	if is.ExclusiveMinimum && !was.ExclusiveMinimum && same(was.Minimum, is.Minimum) {
		s.add(schemaNarrowed, path, "the minimum itself is not accepted any longer")
	}
	if is.ExclusiveMaximum && !was.ExclusiveMaximum && same(was.Maximum, is.Maximum) {
		s.add(schemaNarrowed, path, "the maximum itself is not accepted any longer")
	}
	if is.MultipleOf != nil && (was.MultipleOf == nil || *was.MultipleOf != *is.MultipleOf) {
		s.add(schemaNarrowed, path, "multipleOf was %s and is %v", orNone(was.MultipleOf), *is.MultipleOf)
	}
}

func same(a, b *float64) bool { return a != nil && b != nil && *a == *b }

// number returns a size as the limits of numbers are.
func number(n *int64) *float64 {
	if n == nil {
		return nil
	}
	f := float64(*n)
	return &f
}

func orNone(n *float64) string {
	if n == nil {
		return "none"
	}
	return fmt.Sprint(*n)
}

func orAny(text string) string {
	if text == "" {
		return "any"
	}
	return text
}

// text returns the JSON of a value, or "none".
func text(value *apiextensionsv1.JSON) string {
	if value == nil {
		return "none"
	}
	return string(value.Raw)
}

func texts(values []apiextensionsv1.JSON) []string {
	var all []string
	for i := range values {
		all = append(all, text(&values[i]))
	}
	return all
}
