// Package payloads tests generated types on the examples of specs, which are real
// requests and responses. Its main functions are [Check] and [CheckVersions].
package payloads

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/armature-dev/armature/runtime/arm"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
)

// example is an example of a PUT request.
type example struct {
	// File is below the root.
	File string
	// Path is the template of the request's URL.
	Path       string
	APIVersion string
	// Parameters are those of the URL and the body, by their names.
	Parameters map[string]json.RawMessage
	// Responses are the bodies by HTTP status.
	Responses map[string]struct{ Body json.RawMessage }

	kind *kind
	// bodyName is the name of the parameter that has the body, or "".
	bodyName string
}

// kind is a generated resource at one version.
type kind struct {
	gvk          schema.GroupVersionKind
	spec, status reflect.Type
}

// kinds returns the resources of a scheme's API versions, by ARM type in lower
// case and API version, and also with the fixed name. If a version has an alias, kinds
// leaves out the alias.
func kinds(scheme *runtime.Scheme) map[string]*kind {
	found := map[string]*kind{}
	for gvk, t := range scheme.AllKnownTypes() {
		spec, hasSpec := t.FieldByName("Spec")
		status, hasStatus := t.FieldByName("Status")
		if !hasSpec || !hasStatus {
			continue
		}
		transformer, ok := reflect.New(spec.Type).Interface().(arm.ARMTransformer)
		if !ok {
			continue
		}
		r := transformer.ARMResource()
		// A path may have a parameter in place of the fixed name.
		for _, at := range []string{key(r.Type, r.APIVersion), key(r.Type+"/"+r.FixedName, r.APIVersion)} {
			if twin := found[at]; twin == nil || version.CompareKubeAwareVersionStrings(gvk.Version, twin.gvk.Version) > 0 {
				found[at] = &kind{gvk, spec.Type, status.Type}
			}
		}
	}
	return found
}

func key(armType, apiVersion string) string { return strings.ToLower(armType) + "@" + apiVersion }

// document has the parts of a Swagger document that say where examples belong.
type document struct {
	Info  struct{ Version string }
	Paths map[string]struct {
		Put *struct {
			Parameters []struct{ In, Name string }
			Examples   map[string]struct {
				Ref string `json:"$ref"`
			} `json:"x-ms-examples"`
		}
	}
}

// find finds the examples below a folder that belong to a resource of the
// scheme. unmatched are the files of examples that do not.
func find(root string, scheme *runtime.Scheme) (found []*example, unmatched []string, err error) {
	known := kinds(scheme)
	folders := map[string]bool{}
	matched := map[string]bool{}
	var all []string
	files := map[string][]byte{}
	err = fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".json") {
			return err
		}
		text, err := fs.ReadFile(os.DirFS(root), name)
		if err != nil {
			return err
		}
		files[name] = bytes.TrimPrefix(text, []byte("\ufeff"))
		if folder, _, isExample := strings.Cut(name, "/examples/"); isExample {
			all = append(all, name)
			folders[folder] = true
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	for name, text := range files {
		var doc document
		if !folders[filepath.Dir(name)] || json.Unmarshal(text, &doc) != nil {
			continue
		}
		for path, item := range doc.Paths {
			k := known[key(typeOf(path), doc.Info.Version)]
			if own := known[key(typeOf(path)+path[strings.LastIndexByte(path, '/'):], doc.Info.Version)]; own != nil {
				k = own
			}
			if item.Put == nil || k == nil {
				continue
			}
			for _, ref := range item.Put.Examples {
				file := filepath.Join(filepath.Dir(name), ref.Ref)
				if files[file] == nil {
					continue
				}
				matched[file] = true
				example := &example{File: file, Path: path, APIVersion: doc.Info.Version, kind: k}
				for _, p := range item.Put.Parameters {
					if p.In == "body" {
						example.bodyName = p.Name
					}
				}
				if err := json.Unmarshal(files[file], example); err != nil {
					return nil, nil, fmt.Errorf("%s: %w", file, err)
				}
				found = append(found, example)
			}
		}
	}
	for _, name := range all {
		if !matched[name] {
			unmatched = append(unmatched, name)
		}
	}
	slices.SortFunc(found, func(a, b *example) int { return strings.Compare(a.File+a.Path, b.File+b.Path) })
	return found, unmatched, nil
}

// typeOf returns the ARM type of the resource that a path template names, or "".
func typeOf(path string) string {
	path = strings.TrimSuffix(path, "/")
	const providers = "/providers/"
	at := strings.LastIndex(path, providers)
	if at < 0 {
		if segments := strings.Split(path, "/"); len(segments) == 5 && strings.EqualFold(segments[3], "resourceGroups") {
			return "Microsoft.Resources/resourceGroups"
		}
		return ""
	}
	segments := strings.Split(path[at+len(providers):], "/")
	armType := segments[0]
	for i := 1; i < len(segments); i += 2 {
		armType += "/" + segments[i]
	}
	return armType
}

// url returns the path with the example's parameters in their places.
func (x *example) url() string {
	segments := strings.Split(strings.TrimSuffix(x.Path, "/"), "/")
	for i, segment := range segments {
		if name, isParameter := strings.CutPrefix(segment, "{"); isParameter {
			var value string
			if json.Unmarshal(x.Parameters[strings.TrimSuffix(name, "}")], &value) == nil {
				segments[i] = strings.Trim(value, "/ ") // some have a space at the end
			}
		}
	}
	return "/" + strings.Trim(strings.Join(segments, "/"), "/")
}

// body returns the body of the request, which is the parameter that the spec calls
// so. Where the spec refers to it elsewhere, it is the parameter that is an object.
func (x *example) body() json.RawMessage {
	if value := x.Parameters[x.bodyName]; value != nil {
		return value
	}
	for _, value := range x.Parameters {
		if value[0] == '{' {
			return value
		}
	}
	return nil
}
