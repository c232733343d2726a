// Package layout knows where the checkouts of the published specs have their documents, and what the place of
// a document says of it. Its main functions are [Of] and [Providers.Unknown].
package layout

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/naming"
)

// The folders of the checkouts, and those of their documents.
const (
	Swagger = "azure-rest-api-specs"
	Types   = "bicep-types-az"
	Schemas = "arm-json-schema"

	SwaggerFolder = Swagger + "/specification"
	TypesFolder   = Types + "/generated"
	SchemaFolder  = Schemas + "/schemas"

	// Index lists the resource types of the bicep types, with their versions.
	Index = TypesFolder + "/index.json"
)

// Checkouts are the folders of the checkouts.
func Checkouts() []string { return []string{Swagger, Types, Schemas} }

// Place is what the name of a document says.
type Place struct {
	Provider, APIVersion string
	// Service is the folder of the service, or "" for a JSON schema.
	Service string
	// Document is what the document has in common with those of other versions.
	Document string
}

// Of returns the place of the document of that name, which begins with the folder of the checkout. It reports whether
// the document describes a version of a provider: examples, and files that only others refer to, do not.
func Of(name string) (Place, bool) {
	parts := strings.Split(name, "/")
	n := len(parts)
	var p Place
	switch {
	case n < 4 || path.Ext(name) != ".json":
		return p, false
	case strings.HasPrefix(name, SwaggerFolder+"/"):
		// <service>/resource-manager/<provider>/…/stable/<version>/<document>, or the same with preview
		if n < 8 || parts[3] != "resource-manager" || parts[n-3] != "stable" && parts[n-3] != "preview" {
			return p, false
		}
		p = Place{parts[4], parts[n-2], parts[2], path.Join(append(slices.Clone(parts[:n-3]), parts[n-1])...)}
	case strings.HasPrefix(name, TypesFolder+"/"):
		// <service>/<provider>/<version>/types.json
		if n < 5 || parts[n-1] != "types.json" {
			return p, false
		}
		p = Place{parts[n-3], parts[n-2], parts[2], path.Join(append(slices.Clone(parts[:n-2]), parts[n-1])...)}
	case strings.HasPrefix(name, SchemaFolder+"/"):
		// <version>/<provider>.json, or <version>/<provider>.<part>.json
		words := strings.Split(parts[n-1], ".")
		if n != 4 || len(words) < 3 {
			return p, false
		}
		p = Place{strings.Join(words[:2], "."), parts[2], "", parts[n-1]}
	}
	_, err := naming.ParseVersion(p.APIVersion)
	return p, err == nil
}

// Providers has what documents describe, by the provider in lower case.
type Providers map[string]*Provider

// Provider is a provider with its documents.
type Provider struct {
	Name     string              // as the first document spells it
	Versions map[string][]string // the documents of each API version
	Services map[string]bool     // the folders with some of its documents
}

// Add adds a document, if it describes a version of a provider.
func (p Providers) Add(name string) {
	place, ok := Of(name)
	if !ok {
		return
	}
	folded := strings.ToLower(place.Provider)
	if p[folded] == nil {
		p[folded] = &Provider{Name: place.Provider, Versions: map[string][]string{}, Services: map[string]bool{}}
	}
	p[folded].Versions[place.APIVersion] = append(p[folded].Versions[place.APIVersion], name)
	if place.Service != "" {
		p[folded].Services[place.Service] = true
	}
}

// part matches the number of a folder of bicep types that has a part of a service.
var part = regexp.MustCompile(`_[0-9]+$`)

// Unknown returns the end of a message about a provider that is not among these: which provider has the resource types
// of a folder of that name, as microsoft.network has those of dns, and which provider may be meant.
func (p Providers) Unknown(name string) string {
	organization, own, _ := strings.Cut(name, ".")
	var names []string
	for _, folded := range slices.Sorted(maps.Keys(p)) {
		provider := p[folded]
		for service := range provider.Services {
			folder := strings.ReplaceAll(part.ReplaceAllString(service, ""), "-", "")
			if strings.EqualFold(folder, own) {
				return fmt.Sprintf("; the resource types in the folder %s are those of %s", service, provider.Name)
			}
		}
		// What comes before the dot makes any two names alike.
		if o, rest, _ := strings.Cut(provider.Name, "."); strings.EqualFold(o, organization) {
			names = append(names, rest)
		}
	}
	if best := diag.Nearest(own, names); best != "" {
		return fmt.Sprintf("; did you mean %q?", organization+"."+best)
	}
	return ""
}

// ReadIndex returns the versions of each resource type that the index of the bicep types lists.
func ReadIndex(text []byte) (map[string][]string, error) {
	var index struct{ Resources map[string]any }
	if err := json.Unmarshal(text, &index); err != nil {
		return nil, fmt.Errorf("%s: %w", Index, err)
	}
	versions := map[string][]string{}
	for name := range index.Resources {
		armType, version, found := strings.Cut(name, "@")
		if _, err := naming.ParseVersion(version); !found || err != nil {
			return nil, fmt.Errorf("%s: found the resource %q; expected a resource type, @ and an API version", Index, name)
		}
		versions[armType] = append(versions[armType], version)
	}
	for _, list := range versions {
		slices.SortFunc(list, naming.CompareVersions)
	}
	return versions, nil
}

// Newest returns the newest stable one of some versions, which are in order, and
// the previews newer than it, or the newest preview if there is no stable one.
func Newest(versions []string) []string {
	for i := len(versions) - 1; i >= 0; i-- {
		if v, err := naming.ParseVersion(versions[i]); err == nil && !v.Preview() {
			return versions[i:]
		}
	}
	return versions[len(versions)-1:]
}
