package service

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/readers"
	"github.com/armature-dev/armature/internal/bazel"
	"github.com/armature-dev/armature/internal/specs"
	"github.com/armature-dev/armature/tools/specs/digests"
	"github.com/armature-dev/armature/tools/specs/layout"
)

// Specs is a folder with the published specs, as ARMATURE_SPECS names it. It has
// one or more of the checkouts azure-rest-api-specs, bicep-types-az and arm-json-schema.
type Specs string

// ErrNoSpecs is the error of a command that needs published specs where there are none.
var ErrNoSpecs = errors.New("there are no published specs: " + bazel.RunOwn("//tools/specs") + " makes a checkout, and ARMATURE_SPECS " +
	"names another one")

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

// usable returns an error if there are no specs, or if tools/specs has made the checkout for other pins than those of
// the repository, or has not completed it. A checkout that somebody else made has no stamp, and is taken as it is.
func (s Specs) usable(in Repository) error {
	if s == "" {
		return ErrNoSpecs
	}
	for _, checkout := range layout.Checkouts() {
		stamp, err := os.ReadFile(s.path(checkout + digests.StampSuffix))
		if err != nil {
			if err = ifExists(err); err != nil {
				return err
			}
			continue
		}
		pinned, err := digests.ReadPins(in.Root, checkout)
		if err != nil {
			return err
		}
		if others := digests.Others(string(stamp), pinned); len(others) > 0 {
			command := bazel.RunOwn("//tools/specs")
			if string(s) != specs.Own() {
				command += " -- --dir " + string(s)
			}
			return fmt.Errorf("%s is of other pins than those of this repository, or incomplete: of %s it lacks the pinned content of "+
				"%d files, such as %s; fetch it with: %s", s, checkout, len(others), others[0], command)
		}
	}
	return nil
}

// Provider returns the name of a provider as the specs spell it, and its
// documents by API version.
func (s Specs) Provider(name string) (string, map[string][]string, error) {
	all, err := s.providers()
	if err != nil {
		return "", nil, err
	}
	provider := all[strings.ToLower(name)]
	switch {
	case len(all) == 0:
		return "", nil, fmt.Errorf("%s has none of %s, %s and %s: name a folder that holds the checkouts in "+
			"ARMATURE_SPECS; %s makes one", s, layout.SwaggerFolder, layout.TypesFolder, layout.SchemaFolder,
			bazel.RunOwn("//tools/specs"))
	case provider == nil:
		provider, armType, isType := strings.Cut(name, "/")
		if known := all[strings.ToLower(provider)]; isType && known != nil {
			return "", nil, fmt.Errorf("%s is a resource type, expected a provider: write %s --types=%s", name, known.Name, armType)
		}
		return "", nil, fmt.Errorf("these specs lack the provider %s: %s lists those that are here, and %s fetches the specs of "+
			"another%s", name, bazel.RunOwn("//tools/add -- --list"), fetchProvider(name), all.Unknown(name))
	}
	if provider.Name == strings.ToLower(provider.Name) {
		spelled, err := s.spelling(provider.Name, provider.Versions)
		return spelled, provider.Versions, err
	}
	return provider.Name, provider.Versions, nil
}

// fetchProvider returns the command that fetches the specs of a provider.
func fetchProvider(name string) string { return bazel.RunOwn("//tools/specs -- --provider " + name) }

// Providers returns the names of all providers in lower case, sorted.
func (s Specs) Providers() ([]string, error) {
	all, err := s.providers()
	return slices.Sorted(maps.Keys(all)), err
}

// providers returns what the specs have of each provider.
func (s Specs) providers() (layout.Providers, error) {
	all := layout.Providers{}
	// Bicep types are last, because their folders are in lower case.
	for _, folder := range []string{layout.SwaggerFolder, layout.SchemaFolder, layout.TypesFolder} {
		err := filepath.WalkDir(s.path(folder), func(file string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return ifExists(err)
			case entry.IsDir() && (entry.Name() == "examples" || entry.Name() == "data-plane"):
				return filepath.SkipDir
			case entry.IsDir():
				return nil
			}
			name, err := filepath.Rel(string(s), file)
			all.Add(filepath.ToSlash(name))
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	for _, provider := range all {
		for _, docs := range provider.Versions {
			slices.Sort(docs)
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

// describes reports whether a document of the version describes a type.
func (v *Version) describes(armType string) bool {
	for _, types := range v.Types {
		if slices.ContainsFunc(types, func(t string) bool { return strings.EqualFold(t, armType) }) {
			return true
		}
	}
	return false
}

// offer has what the specs have of a provider.
type offer struct {
	provider string
	versions []*Version // in order
}

// offer reads which resource types the documents of a provider describe.
func (s Specs) offer(provider string, docs map[string][]string) (*offer, error) {
	o := &offer{provider: provider}
	var errs diag.List
	for _, name := range slices.SortedFunc(maps.Keys(docs), naming.CompareVersions) {
		v, err := s.Version(provider, name, docs[name])
		errs.Merge(err)
		o.versions = append(o.versions, v)
	}
	return o, errs.Err()
}
