package emit

import (
	"strconv"
	"strings"

	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/gofile"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/shape"
)

// rootMarkers returns the markers of a shape.Resource, without "+".
func (g *types) rootMarkers(r shape.Resource) []string {
	markers := []string{"kubebuilder:object:root=true", "kubebuilder:subresource:status"}
	if names := resourceNames(r); len(names) > 0 {
		markers = append(markers, "kubebuilder:resource:"+strings.Join(names, ","))
	}
	for _, c := range crd.Columns {
		marker := `kubebuilder:printcolumn:name="` + c.Name + `",type="` + c.Type + `",JSONPath=` + strconv.Quote(c.JSONPath)
		if c.Priority > 0 {
			marker += ",priority=" + strconv.FormatInt(c.Priority, 10)
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
func storageMarkers(r shape.Resource) []string {
	if r.Hub {
		return []string{"kubebuilder:object:root=true", "kubebuilder:subresource:status", "kubebuilder:storageversion"}
	}
	return []string{"kubebuilder:object:root=true", "kubebuilder:skipversion"}
}

// resourceNames returns the names of a resource that do not follow from its kind.
func resourceNames(r shape.Resource) []string {
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
func (g *types) typeMarkers(t *ir.Type) []string {
	switch {
	case t.Kind == ir.Enum && !t.Open:
		values := make([]string, len(t.Values))
		for i, v := range t.Values {
			values[i] = shape.Literal(t.Base, v.Value)
		}
		return []string{"kubebuilder:validation:Enum=" + strings.Join(values, ";")}
	case t.Kind == ir.Object && shape.IsUnion(t):
		one := "ExactlyOneOf="
		if t.VariantOptional {
			one = "AtMostOneOf="
		}
		return append([]string{"kubebuilder:validation:" + one + strings.Join(shape.Variants(t), ";")}, alternatives(t)...)
	}
	return alternatives(t)
}

// alternatives returns the markers that say that a text and the reference to it are not both set.
func alternatives(t *ir.Type) []string {
	var markers []string
	for _, a := range shape.Alternatives(t) {
		one := "AtMostOneOf="
		if a.Required {
			one = "ExactlyOneOf="
		}
		markers = append(markers, "kubebuilder:validation:"+one+a.Property+";"+a.From)
	}
	return markers
}

// fieldMarkers returns the markers of a field.
func (g *types) fieldMarkers(t *ir.Type, p *ir.Property) []string {
	var markers []string
	add := func(marker string) { markers = append(markers, marker) }
	if p.Required && t.ValueFrom(p) == nil {
		add("kubebuilder:validation:Required")
	}
	if g.stops[crd.Stop{Type: t.Name, Property: p.Name}] {
		add("kubebuilder:validation:Schemaless")
		if p.Type.Named != "" {
			add("kubebuilder:validation:Type=object")
		}
		add("kubebuilder:pruning:PreserveUnknownFields")
		return markers
	}
	keys := g.ListKeys(p)
	if len(keys) > 0 {
		add("listType=map")
	}
	for _, key := range keys {
		add("listMapKey=" + key)
	}
	for _, rule := range crd.OperatorRules(g.Package, t, p) {
		add(ruleMarker(rule))
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

// ruleMarker returns a rule as a marker of a field.
func ruleMarker(r crd.Rule) string {
	marker := "kubebuilder:validation:XValidation:rule=" + strconv.Quote(r.Rule) + ",message=" + strconv.Quote(r.Message)
	if r.FieldPath != "" {
		marker += ",fieldPath=" + strconv.Quote(r.FieldPath)
	}
	return marker
}

// limits returns the validation markers of a value, without their prefix. It
// leaves out limits that have no meaning for the value's type, as [shape.Package.Limits] does.
func (g *types) limits(r ir.TypeRef, from *ir.Validation) []string {
	v := g.Limits(r, from)
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
		all = append(all, "Pattern="+gofile.Quote(v.Pattern))
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
