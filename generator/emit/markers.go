package emit

import (
	"strconv"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// printColumns are the columns that kubectl shows for every resource, those with a
// priority only if it is asked for a wide table.
var printColumns = []struct {
	name, kind, path string
	priority         int64
}{
	{"Ready", "string", `.status.conditions[?(@.type=='Ready')].status`, 0},
	{"Reason", "string", `.status.conditions[?(@.type=='Ready')].reason`, 0},
	{"Message", "string", `.status.conditions[?(@.type=='Ready')].message`, 0},
	{"Age", "date", `.metadata.creationTimestamp`, 0},
	// The version in which ARM is spoken to is not that of the table.
	{"ARM Version", "string", `.metadata.annotations.armature\.dev/sent-api-version`, 1},
}

// rootMarkers returns the markers of a resource, without "+".
func (g *goPackage) rootMarkers(r resource) []string {
	markers := []string{"kubebuilder:object:root=true", "kubebuilder:subresource:status"}
	if names := resourceNames(r); len(names) > 0 {
		markers = append(markers, "kubebuilder:resource:"+strings.Join(names, ","))
	}
	for _, c := range printColumns {
		marker := `kubebuilder:printcolumn:name="` + c.name + `",type="` + c.kind + `",JSONPath=` + strconv.Quote(c.path)
		if c.priority > 0 {
			marker += ",priority=" + strconv.FormatInt(c.priority, 10)
		}
		markers = append(markers, marker)
	}
	if r.Deprecated != "" {
		markers = append(markers, "kubebuilder:deprecatedversion:warning="+strconv.Quote(r.Deprecated))
	}
	return markers
}

// storageMarkers returns the markers of a resource in a storage package. Beside
// the marker that leaves a version out of the CRD, controller-tools accepts no
// others.
func storageMarkers(r resource) []string {
	if r.Hub {
		return []string{"kubebuilder:object:root=true", "kubebuilder:subresource:status", "kubebuilder:storageversion"}
	}
	return []string{"kubebuilder:object:root=true", "kubebuilder:skipversion"}
}

// resourceNames returns the names of a resource that do not follow from its kind.
func resourceNames(r resource) []string {
	// The path is always there, because controller-tools has other rules than
	// [naming.Plural].
	all := []string{"path=" + r.Plural}
	if r.Singular != naming.Singular(r.Kind) {
		all = append(all, "singular="+r.Singular)
	}
	if len(r.Categories) > 0 {
		all = append(all, "categories={"+strings.Join(r.Categories, ",")+"}")
	}
	if len(r.ShortNames) > 0 {
		all = append(all, "shortName={"+strings.Join(r.ShortNames, ",")+"}")
	}
	return all
}

// typeMarkers returns the markers of a type below a resource.
func (g *goPackage) typeMarkers(t *ir.Type) []string {
	switch {
	case t.Kind == ir.Enum && !t.Open:
		values := make([]string, len(t.Values))
		for i, v := range t.Values {
			values[i] = literal(t.Base, v.Value)
		}
		return []string{"kubebuilder:validation:Enum=" + strings.Join(values, ";")}
	case t.Kind == ir.Object && g.validates(t):
		one := "ExactlyOneOf="
		if t.VariantOptional {
			one = "AtMostOneOf="
		}
		return []string{"kubebuilder:validation:" + one + strings.Join(variants(t), ";")}
	}
	return nil
}

// validates reports whether a value of the type must be one of its variants. In
// a Status it need not, because services add variants.
func (g *goPackage) validates(t *ir.Type) bool {
	return t.Discriminator != "" && !t.Status && len(variants(t)) > 0
}

// fieldMarkers returns the markers of a field.
func (g *goPackage) fieldMarkers(t *ir.Type, p *ir.Property) []string {
	var markers []string
	add := func(marker string) { markers = append(markers, marker) }
	if p.Required {
		add("kubebuilder:validation:Required")
	}
	if g.cut[stop{t.Name, p.Name}] {
		add("kubebuilder:validation:Schemaless")
		if p.Type.Named != "" {
			add("kubebuilder:validation:Type=object")
		}
		add("kubebuilder:pruning:PreserveUnknownFields")
		return markers
	}
	keys := g.listKeys(p)
	if p.Type.Primitive == ir.Conditions {
		keys = []string{"type"}
	}
	if len(keys) > 0 {
		add("listType=map")
	}
	for _, key := range keys {
		add("listMapKey=" + key)
	}
	for _, rule := range g.outputRules(t, p) {
		add(rule.marker())
	}
	for _, limit := range g.limits(p.Type, p.Validation) {
		add("kubebuilder:validation:" + limit)
	}
	if p.Type.Items != nil {
		for _, limit := range g.limits(*p.Type.Items, p.ItemValidation) {
			add("kubebuilder:validation:items:" + limit)
		}
	}
	return markers
}

// limits returns the validation markers of a value, without their prefix. It
// leaves out limits that have no meaning for the value's type, as [limit] does.
func (g *goPackage) limits(r ir.TypeRef, from *ir.Validation) []string {
	v := g.limit(r, from)
	var all []string
	number := func(name string, value *float64) {
		if value != nil {
			all = append(all, name+"="+strconv.FormatFloat(*value, 'f', -1, 64))
		}
	}
	integer := func(name string, value *int64) {
		if value != nil {
			all = append(all, name+"="+strconv.FormatInt(*value, 10))
		}
	}
	integer("MinLength", v.MinLength)
	integer("MaxLength", v.MaxLength)
	if v.Pattern != "" {
		all = append(all, "Pattern="+raw(v.Pattern))
	}
	number("Minimum", v.Minimum)
	if v.ExclusiveMinimum {
		all = append(all, "ExclusiveMinimum=true")
	}
	number("Maximum", v.Maximum)
	if v.ExclusiveMaximum {
		all = append(all, "ExclusiveMaximum=true")
	}
	number("MultipleOf", v.MultipleOf)
	integer("MinItems", v.MinItems)
	integer("MaxItems", v.MaxItems)
	return all
}

// limit returns the part of a validation that has a meaning for a value of a type.
func (g *goPackage) limit(r ir.TypeRef, v *ir.Validation) ir.Validation {
	switch base := g.base(r); {
	case v == nil:
	case r.Items != nil:
		return ir.Validation{MinItems: v.MinItems, MaxItems: v.MaxItems}
	case base == ir.String:
		return ir.Validation{Pattern: v.Pattern, MinLength: v.MinLength, MaxLength: v.MaxLength}
	case base == ir.Integer || base == ir.Number:
		return ir.Validation{
			Minimum: v.Minimum, ExclusiveMinimum: v.ExclusiveMinimum && v.Minimum != nil,
			Maximum: v.Maximum, ExclusiveMaximum: v.ExclusiveMaximum && v.Maximum != nil,
			MultipleOf: v.MultipleOf,
		}
	}
	return ir.Validation{}
}

// raw quotes a text for Go or a marker, without escapes where possible.
func raw(text string) string {
	if strconv.CanBackquote(text) && naming.Visible(text) == text {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}

// literal returns an enum's value in Go, which is the same in JSON.
func literal(base ir.Primitive, value string) string {
	if base == ir.String {
		return strconv.Quote(value)
	}
	return value
}
