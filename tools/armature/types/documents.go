package types

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/apimachinery/pkg/version"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

// fromFile gives a command the flag -f, and prints what print makes of each
// resource in that file.
func fromFile(command *cobra.Command, print func(document []byte) ([]byte, error)) {
	var file string
	command.Flags().StringVarP(&file, "filename", "f", "", "file with the resources, as YAML or JSON; - is the standard input")
	require(command, "filename")
	command.Args = cobra.NoArgs
	command.RunE = func(cmd *cobra.Command, _ []string) error {
		in := cmd.InOrStdin()
		if file != "-" {
			f, err := os.Open(file)
			if err != nil {
				return err
			}
			defer f.Close()
			in = f
		}
		var out bytes.Buffer // so that nothing is printed if one resource fails
		if err := printAll(file, in, print, &out); err != nil {
			return err
		}
		_, err := out.WriteTo(cmd.OutOrStdout())
		return err
	}
}

// require makes a flag of a command required.
func require(command *cobra.Command, name string) {
	if err := command.MarkFlagRequired(name); err != nil {
		panic(err) // the flag is defined
	}
}

// printAll prints each resource of a file. Its error joins those of all
// resources.
func printAll(file string, in io.Reader, print func([]byte) ([]byte, error), out io.Writer) error {
	var errs []error
	documents := utilyaml.NewYAMLReader(bufio.NewReader(in))
	for n := 1; ; {
		document, err := documents.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if len(bytes.TrimSpace(document)) == 0 {
			continue
		}
		resources, err := items(document)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: resource %d: %w", file, n, err))
			n++
		}
		for _, resource := range resources {
			text, err := print(resource)
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: resource %d: %w", file, n, err))
			}
			if n > 1 {
				fmt.Fprintln(out, "---")
			}
			out.Write(text) // a buffer returns no error
			n++
		}
	}
	return errors.Join(errs...)
}

// items returns the resources in a document: those of a list, as `kubectl get`
// prints several, or the document itself. They are JSON.
func items(document []byte) ([]json.RawMessage, error) {
	text, err := yaml.YAMLToJSONStrict(document)
	if err != nil {
		return nil, err
	}
	var list struct {
		APIVersion, Kind string
		Items            []json.RawMessage
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, err
	}
	if list.APIVersion == "v1" && list.Kind == "List" {
		return list.Items, nil
	}
	return []json.RawMessage{text}, nil
}

// decode reads a resource of the scheme. A property that its version does not
// have is an error.
func decode(scheme *runtime.Scheme, text []byte) (conversion.KubernetesResource, error) {
	var kind runtime.TypeMeta
	if err := json.Unmarshal(text, &kind); err != nil {
		return nil, err
	}
	gvk := schema.FromAPIVersionAndKind(kind.APIVersion, kind.Kind)
	if !scheme.Recognizes(gvk) {
		if len(versionsOf(scheme, gvk.GroupKind())) > 0 {
			return nil, noVersion(scheme, gvk.GroupKind(), gvk.Version)
		}
		return nil, fmt.Errorf("the kind %q of apiVersion %q is of none of the groups of this binary", kind.Kind, kind.APIVersion)
	}
	object, err := scheme.New(gvk)
	if err != nil {
		return nil, err
	}
	strict, err := kjson.UnmarshalStrict(text, object)
	if err = errors.Join(append(strict, err)...); err != nil {
		return nil, err
	}
	resource, ok := object.(conversion.KubernetesResource)
	if !ok {
		return nil, fmt.Errorf("%s does not convert: expected a resource of a service group", gvk.Kind)
	}
	return resource, nil
}

// newAt returns an empty resource of a kind at a version, which goes by its
// Kubernetes name or by ARM's.
func newAt(scheme *runtime.Scheme, kind schema.GroupKind, version string) (conversion.KubernetesResource, error) {
	for _, name := range versionsOf(scheme, kind) {
		resource, armVersion := resourceAt(scheme, kind.WithVersion(name))
		if resource != nil && (name == version || armVersion != "" && armVersion == version) {
			resource.GetObjectKind().SetGroupVersionKind(kind.WithVersion(name))
			return resource, nil
		}
	}
	return nil, noVersion(scheme, kind, version)
}

func noVersion(scheme *runtime.Scheme, kind schema.GroupKind, version string) error {
	return fmt.Errorf("%s has no version %q; it has %s", kind, version, strings.Join(versionsOf(scheme, kind), ", "))
}

// versionsOf lists the versions of a kind, the preferred one first.
func versionsOf(scheme *runtime.Scheme, kind schema.GroupKind) []string {
	var names []string
	for _, gv := range scheme.VersionsForGroupKind(kind) {
		names = append(names, gv.Version)
	}
	slices.SortFunc(names, func(a, b string) int { return version.CompareKubeAwareVersionStrings(b, a) })
	return names
}

// through converts source to result by way of the hub. Either may itself be at
// the hub's version.
func through(source conversion.KubernetesResource, hub conversion.Hub, result conversion.KubernetesResource) error {
	kind := result.GetObjectKind().GroupVersionKind()
	if convertible, ok := source.(conversion.Convertible); ok {
		if err := convertible.ConvertTo(hub); err != nil {
			return err
		}
	} else {
		hub = source.(conversion.Hub)
	}
	err := show(hub, result)
	result.GetObjectKind().SetGroupVersionKind(kind)
	return err
}

// show converts the hub to result, which may itself be at the hub's version.
func show(hub conversion.Hub, result conversion.KubernetesResource) error {
	if convertible, ok := result.(conversion.Convertible); ok {
		return convertible.ConvertFrom(hub)
	}
	text, err := json.Marshal(hub)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, result)
}
