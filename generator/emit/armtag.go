package emit

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/armature-dev/armature/generator/gofile"
	"github.com/armature-dev/armature/generator/ir"
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
	case p.Flattened:
		name = p.ARMName()
	}
	if p.Flattened {
		name = "properties/" + name
	}
	if p.Type.Primitive == ir.SecretJSON {
		name += ",json"
	}
	if name == "" {
		return ""
	}
	return " arm:" + strconv.Quote(name)
}

// notARM is the part of a field's tag that marks a field that ARM does not know.
const notARM = ` arm:"-"`

// genARMResource prints the method of a Spec that makes it an ARMTransformer.
func (g *types) genARMResource(f *gofile.File, r shape.Resource) {
	arm := f.Import(armPath)
	of := "Type: " + strconv.Quote(cmp.Or(r.Shape.ARM, r.ARMType)) + ", APIVersion: " + strconv.Quote(g.APIVersion)
	if r.Shape.Parent == "" {
		var scopes []string
		for _, s := range r.Shape.Scopes {
			scopes = append(scopes, arm+"."+strings.ToUpper(string(s[:1]))+string(s[1:]))
		}
		of += ", Scope: " + strings.Join(scopes, " | ")
	}
	if r.Shape.FixedName != "" {
		of += ", FixedName: " + strconv.Quote(r.Shape.FixedName)
	}
	if len(r.Shape.Outputs) > 0 {
		var outputs []string
		for _, o := range r.Shape.Outputs {
			output := "{Name: " + strconv.Quote(o.Name)
			if o.Action != "" {
				output += ", Action: " + strconv.Quote(o.Action)
			}
			output += ", Path: " + strconv.Quote(o.Path)
			if o.Base64 {
				output += ", Base64: true"
			}
			outputs = append(outputs, output+"}")
		}
		of += ", Outputs: []" + arm + ".Output{" + strings.Join(outputs, ", ") + "}"
	}
	f.P("// ARMResource says what ", r.Kind, " is in Azure.")
	f.P("func (*", r.Shape.Spec, ") ARMResource() ", arm, ".Resource {")
	f.P("return ", arm, ".Resource{", of, "}")
	f.P("}")
	f.P()
}
