package emit

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/armature-dev/armature/generator/gofile"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/shape"
)

const armPath = "github.com/armature-dev/armature/runtime/arm"

// armTag returns the part of a field's tag that says how ARM's form of the
// property differs from the Kubernetes one. Package runtime/arm documents it.
func armTag(t *ir.Type, p *ir.Property) string {
	name := p.ARM
	switch {
	case p.Type.Primitive == ir.Generation:
		return notARM
	case p.AzureName:
		name = "-,name"
	case p.Spread:
		name = "*"
	case p.Variant != "":
		name = t.Discriminator + "=" + p.Variant
	case p.Raw:
		name = t.Discriminator + "=*"
	case p.ValueOf != "":
		name = p.ValueOf
	case p.Flattened:
		name = p.ARMName()
	}
	if p.Flattened {
		name = "properties/" + name
	}
	switch {
	case p.ValueOf != "" && p.Type.Items != nil:
		name += ",keys"
	case p.ValueOf != "" && p.CreateOnly:
		name += ",createOnly"
	case p.Type.Primitive == ir.SecretJSON:
		name += ",json"
	case p.Encoding != "":
		name += "," + string(p.Encoding)
	}
	if name == "" {
		return ""
	}
	return " arm:" + strconv.Quote(name)
}

// typesTag returns the part of a reference's tag that says of which ARM types it may be.
func (g *types) typesTag(p *ir.Property) string {
	if g.Role != plan.API || len(p.ResourceTypes) == 0 {
		return ""
	}
	return " armtypes:" + strconv.Quote(strings.Join(p.ResourceTypes, ","))
}

// notARM is the part of a field's tag that marks a field that ARM does not know.
const notARM = ` arm:"-"`

// genARMResource prints the method of a Spec that makes it an ARMTransformer.
func (g *types) genARMResource(f *gofile.File, r shape.Resource) {
	arm := f.Import(armPath)
	fields := []string{"Type: " + strconv.Quote(cmp.Or(r.Shape.ARM, r.ARMType)), "APIVersion: " + strconv.Quote(g.APIVersion)}
	if r.Shape.Parent == "" {
		var scopes []string
		for _, s := range r.Shape.Scopes {
			scopes = append(scopes, arm+"."+strings.ToUpper(string(s[:1]))+string(s[1:]))
		}
		fields = append(fields, "Scope: "+strings.Join(scopes, " | "))
	}
	if r.Shape.FixedName != "" {
		fields = append(fields, "FixedName: "+strconv.Quote(r.Shape.FixedName))
	}
	if r.Shape.GUIDName {
		fields = append(fields, "GUIDName: true")
	}
	if r.Shape.NoDelete {
		fields = append(fields, "NoDelete: true")
	}
	inline := strings.Join(fields, ", ")
	f.P("// ARMResource says what ", r.Kind, " is in Azure.")
	f.P("func (*", r.Shape.Spec, ") ARMResource() ", arm, ".Resource {")
	defer f.P()
	defer f.P("}")
	if len(r.Shape.Outputs)+len(r.Collections) == 0 {
		f.P("return ", arm, ".Resource{", inline, "}")
		return
	}
	f.P("return ", arm, ".Resource{")
	f.P(inline, ",")
	if len(r.Shape.Outputs) > 0 {
		f.P("Outputs: []", arm, ".Output{")
		for _, o := range r.Shape.Outputs {
			text := "{Name: " + strconv.Quote(o.Name)
			if o.Action != "" {
				text += ", Action: " + strconv.Quote(o.Action)
			}
			text += ", Path: " + strconv.Quote(o.Path)
			if o.Base64 {
				text += ", Base64: true"
			}
			f.P(text, "},")
		}
		f.P("},")
	}
	if len(r.Collections) > 0 {
		f.P("Collections: []", arm, ".Collection{")
		for _, c := range r.Collections {
			text := "{Path: " + strconv.Quote(c.Path) + ", Type: " + strconv.Quote(c.Type)
			if c.Flat {
				text += ", Flat: true"
			}
			f.P(text, "},")
		}
		f.P("},")
	}
	f.P("}")
}
