package service

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/readers"
	"github.com/armature-dev/armature/internal/bazel"
)

// Specs is a folder with the published specs, as ARMATURE_SPECS names it. It has
// one or more of the checkouts azure-rest-api-specs, bicep-types-az and arm-json-schema.
type Specs string

// ErrNoSpecs is the error of a command that needs published specs where there are none.
var ErrNoSpecs = errors.New("there are no published specs: " + bazel.RunOwn("//tools/specs") + " makes a checkout, and ARMATURE_SPECS " +
	"names another one")

const (
	swaggerCheckout = "azure-rest-api-specs"
	typesCheckout   = "bicep-types-az"
	schemaCheckout  = "arm-json-schema"
	swaggerFolder   = swaggerCheckout + "/specification"
	typesFolder     = typesCheckout + "/generated"
	schemaFolder    = schemaCheckout + "/schemas"
)

// Version is one API version of a provider.
type Version struct {
	APIVersion string
	// Types has the resource types that each document describes. Names of documents
	// are relative to the folder of the specs.
	Types map[string][]string
}

// Read returns the content of a document.
func (s Specs) Read(name string) ([]byte, error) { return os.ReadFile(s.path(name)) }

// path returns the place of a document.
func (s Specs) path(name string) string { return filepath.Join(string(s), filepath.FromSlash(name)) }

// Provider returns the name of a provider as the specs spell it, and its
// documents by API version.
func (s Specs) Provider(name string) (string, map[string][]string, error) {
	versions := map[string][]string{}
	all, err := s.providers(func(provider, version, doc string) {
		if strings.EqualFold(provider, name) {
			versions[version] = append(versions[version], doc)
		}
	})
	provider := all[strings.ToLower(name)]
	switch {
	case err != nil:
		return "", nil, err
	case len(all) == 0:
		return "", nil, fmt.Errorf("%s has none of %s, %s and %s: name a folder that holds the checkouts in "+
			"ARMATURE_SPECS; %s makes one", s, swaggerFolder, typesFolder, schemaFolder, bazel.RunOwn("//tools/specs"))
	case provider == "":
		if provider, armType, isType := strings.Cut(name, "/"); isType && all[strings.ToLower(provider)] != "" {
			return "", nil, fmt.Errorf("%s is a resource type, expected a provider: write %s --types=%s",
				name, all[strings.ToLower(provider)], armType)
		}
		return "", nil, fmt.Errorf("these specs lack the provider %s: tools/specs makes a checkout with what its pins.json lists%s",
			name, alike(name, slices.Collect(maps.Values(all))))
	}
	for _, docs := range versions {
		slices.Sort(docs)
	}
	if provider == strings.ToLower(provider) {
		spelled, err := s.spelling(provider, versions)
		return spelled, versions, err
	}
	return provider, versions, nil
}

// alike returns a question about the provider of the same organization that a name may stand
// for. What comes before the dot makes any two names alike.
func alike(name string, providers []string) string {
	organization, own, _ := strings.Cut(name, ".")
	var names []string
	for _, p := range providers {
		if o, rest, _ := strings.Cut(p, "."); strings.EqualFold(o, organization) {
			names = append(names, rest)
		}
	}
	slices.Sort(names)
	best := diag.Nearest(own, names)
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", organization+"."+best)
}

// Providers returns the names of all providers in lower case, sorted.
func (s Specs) Providers() ([]string, error) {
	all, err := s.providers(func(string, string, string) {})
	return slices.Sorted(maps.Keys(all)), err
}

// providers calls add for each document, and returns the providers by their names in
// lower case.
func (s Specs) providers(add func(provider, version, doc string)) (map[string]string, error) {
	all := map[string]string{}
	visit := func(provider, version, doc string) {
		if _, err := naming.ParseVersion(version); err != nil {
			return
		}
		if folded := strings.ToLower(provider); all[folded] == "" {
			all[folded] = provider
		}
		add(provider, version, doc)
	}
	// Bicep types are last, because their folders are in lower case.
	for _, walk := range []func(func(provider, version, doc string)) error{s.walkSwagger, s.walkSchemas, s.walkTypes} {
		if err := walk(visit); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// spelling returns the name of a provider as the types of its newest version have it.
func (s Specs) spelling(provider string, docs map[string][]string) (string, error) {
	newest := slices.MaxFunc(slices.Collect(maps.Keys(docs)), naming.CompareVersions)
	v, err := s.Version(provider, newest, docs[newest])
	if err != nil {
		return "", err
	}
	for _, doc := range slices.Sorted(maps.Keys(v.Types)) {
		for _, t := range v.Types[doc] {
			return t[:len(provider)], nil
		}
	}
	return provider, nil
}

// walkSwagger calls add for each document of azure-rest-api-specs, whose path is
// <service>/resource-manager/<provider>/…/stable/<version>/<document>, or the same
// with preview.
func (s Specs) walkSwagger(add func(provider, version, doc string)) error {
	root := filepath.Join(string(s), filepath.FromSlash(swaggerFolder))
	services, err := os.ReadDir(root)
	if err != nil {
		return ifExists(err)
	}
	for _, service := range services {
		base := filepath.Join(root, service.Name(), "resource-manager")
		err := filepath.WalkDir(base, func(file string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return ifExists(err)
			case entry.IsDir() && entry.Name() == "examples":
				return filepath.SkipDir
			case entry.IsDir() || path.Ext(file) != ".json":
				return nil
			}
			rel, err := filepath.Rel(base, file)
			if err != nil {
				return err
			}
			parts := strings.Split(filepath.ToSlash(rel), "/")
			if n := len(parts); n >= 4 && (parts[n-3] == "stable" || parts[n-3] == "preview") {
				add(parts[0], parts[n-2], path.Join(swaggerFolder, service.Name(), "resource-manager", filepath.ToSlash(rel)))
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// walkSchemas calls add for each document of arm-json-schema, whose path is
// <version>/<provider>.json, or <version>/<provider>.<part>.json.
func (s Specs) walkSchemas(add func(provider, version, doc string)) error {
	root := filepath.Join(string(s), filepath.FromSlash(schemaFolder))
	versions, err := os.ReadDir(root)
	if err != nil {
		return ifExists(err)
	}
	for _, version := range versions {
		files, err := os.ReadDir(filepath.Join(root, version.Name()))
		if err != nil {
			continue // a file beside the folders
		}
		for _, file := range files {
			parts := strings.Split(file.Name(), ".")
			if len(parts) >= 3 && parts[len(parts)-1] == "json" {
				add(strings.Join(parts[:2], "."), version.Name(), path.Join(schemaFolder, version.Name(), file.Name()))
			}
		}
	}
	return nil
}

// walkTypes calls add for each document of bicep-types-az, whose path ends with
// <provider>/<version>/types.json.
func (s Specs) walkTypes(add func(provider, version, doc string)) error {
	root := filepath.Join(string(s), filepath.FromSlash(typesFolder))
	return filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return ifExists(err)
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		parts := strings.Split(filepath.ToSlash(rel), "/")
		if n := len(parts); n >= 3 && parts[n-1] == "types.json" {
			add(parts[n-3], parts[n-2], path.Join(typesFolder, filepath.ToSlash(rel)))
		}
		return nil
	})
}

// ifExists returns err unless it says that a file does not exist.
func ifExists(err error) error {
	if os.IsNotExist(err) {
		return nil
	}
	return err
}

// Version returns the resource types of the provider that the documents of a
// version describe. Several documents may describe a type.
func (s Specs) Version(provider, apiVersion string, docs []string) (*Version, error) {
	var all []readers.Document
	for _, doc := range docs {
		all = append(all, readers.Document{Name: doc})
	}
	found, err := readers.All.Types(documents.Input{Provider: provider, APIVersion: apiVersion, Read: s.Read}, all)
	if err != nil {
		return nil, err
	}
	v := &Version{APIVersion: apiVersion, Types: map[string][]string{}}
	for doc, types := range found {
		for _, t := range types {
			if strings.HasPrefix(strings.ToLower(t), strings.ToLower(provider)+"/") {
				v.Types[doc] = append(v.Types[doc], t)
			}
		}
	}
	return v, nil
}
