// Package linereader is a reader of a made-up format. The tests register it, to
// show that a new format takes one folder and one line. Its main type is
// [Reader].
//
// A document has one word a line that says what the line describes:
//
//	lines
//	resource Contoso.Shop/orders
//	request note string
//	response state string
package linereader

import (
	"fmt"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/ir"
)

// Reader is the [documents.Reader] of lines.
type Reader struct{}

// Format returns "lines".
func (Reader) Format() string { return "lines" }

// Mark describes the first line.
func (Reader) Mark() string { return `lines (first line "lines")` }

// Recognizes reports whether the first line is "lines".
func (Reader) Recognizes(name string, text []byte) bool {
	return strings.HasPrefix(string(text), "lines\n")
}

// Read implements [documents.Reader].
func (Reader) Read(in documents.Input) (*ir.Version, error) {
	v := &ir.Version{Provider: in.Provider, APIVersion: in.APIVersion}
	var errs diag.List
	for _, name := range in.RootNames() {
		text, err := in.Text(name)
		if err != nil {
			errs.Addf(name, 0, 0, "%v", err)
			continue
		}
		var request, response *ir.Type
		for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
			switch words := strings.Fields(line); {
			case i == 0:
			case len(words) == 2 && words[0] == "resource":
				kind := in.Exports[words[1]]
				request, response = &ir.Type{Name: kind, Kind: ir.Object}, &ir.Type{Name: kind + "Response", Kind: ir.Object}
				v.Types = append(v.Types, request, response)
				v.Resources = append(v.Resources, &ir.Resource{
					Type: words[1], Kind: kind, Scopes: []ir.Scope{ir.ResourceGroup}, Spec: request.Name, Status: response.Name,
				})
			case len(words) == 3 && words[0] == "request":
				request.Properties = append(request.Properties, property(words[1], words[2]))
				response.Properties = append(response.Properties, property(words[1], words[2]))
			case len(words) == 3 && words[0] == "response":
				p := property(words[1], words[2])
				p.ReadOnly = true
				response.Properties = append(response.Properties, p)
			default:
				v.Notes = append(v.Notes, ir.Note{
					Kind: ir.Skipped, File: name, Pointer: fmt.Sprintf("/%d", i), Reason: fmt.Sprintf("the line %q is not known", line),
				})
			}
		}
	}
	v.Sort()
	return v, errs.Err()
}

// Types implements [documents.Reader].
func (Reader) Types(in documents.Input) (map[string][]string, error) {
	types := map[string][]string{}
	for _, name := range in.RootNames() {
		text, err := in.Text(name)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			if words := strings.Fields(line); len(words) == 2 && words[0] == "resource" {
				types[name] = append(types[name], words[1])
			}
		}
	}
	return types, nil
}

func property(arm, primitive string) *ir.Property {
	return &ir.Property{ARM: arm, Type: ir.TypeRef{Primitive: ir.Primitive(primitive)}}
}
