package command

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
	"github.com/armature-dev/armature/runtime/propertybag"
	"github.com/armature-dev/armature/runtime/remainder"
	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/apimachinery/pkg/version"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

func newConvert(scheme *runtime.Scheme) *cobra.Command {
	var file, to string
	convert := &cobra.Command{
		Use:   "convert -f FILENAME --to VERSION",
		Short: "Print resources at another version",
		Long: `Print resources at another version, as a client of that version sees them.

A comment above each lists the values that the version cannot hold. An annotation carries them while a client has the
resource, and ARM would not get them at that version.`,
		Example: `  armature convert -f person.yaml --to v1beta20110101
  kubectl get persons ada -o yaml | armature convert -f - --to v1beta20211111storage`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
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
			if err := convertAll(scheme, file, in, to, &out); err != nil {
				return err
			}
			_, err := out.WriteTo(cmd.OutOrStdout())
			return err
		},
	}
	convert.Flags().StringVarP(&file, "filename", "f", "", "file with the resources, as YAML or JSON; - is the standard input")
	convert.Flags().StringVar(&to, "to", "", "version to print them at, such as v1beta20210401")
	for _, name := range []string{"filename", "to"} {
		if err := convert.MarkFlagRequired(name); err != nil {
			panic(err) // the flag is defined above
		}
	}
	return convert
}

// convertAll converts each document of a file. Its error joins those of all
// documents.
func convertAll(scheme *runtime.Scheme, file string, in io.Reader, to string, out io.Writer) error {
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
		text, err := convertOne(scheme, document, to)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: resource %d: %w", file, n, err))
		}
		if n > 1 {
			fmt.Fprintln(out, "---")
		}
		out.Write(text) // a buffer returns no error
		n++
	}
	return errors.Join(errs...)
}

func convertOne(scheme *runtime.Scheme, document []byte, to string) ([]byte, error) {
	source, err := decode(scheme, document)
	if err != nil {
		return nil, err
	}
	gvk := source.GetObjectKind().GroupVersionKind()
	target, err := scheme.New(gvk.GroupKind().WithVersion(to))
	if err != nil {
		return nil, fmt.Errorf("%s has no version %q; it has %s", gvk.GroupKind(), to, versions(scheme, gvk.GroupKind()))
	}
	result, ok := target.(conversion.KubernetesResource)
	if !ok {
		return nil, fmt.Errorf("%T does not convert: expected a resource of a service group", target)
	}
	hub := source.NewHub()
	if err := through(source, hub, result); err != nil {
		return nil, err
	}
	result.GetObjectKind().SetGroupVersionKind(gvk.GroupKind().WithVersion(to))
	text, err := yaml.Marshal(result)
	if err != nil {
		return nil, err
	}
	comment, err := describe(scheme, result)
	return append(comment, text...), err
}

// through converts source to result by way of the hub. Either may itself be at
// the hub's version.
func through(source conversion.KubernetesResource, hub conversion.Hub, result conversion.KubernetesResource) error {
	if convertible, ok := source.(conversion.Convertible); ok {
		if err := convertible.ConvertTo(hub); err != nil {
			return err
		}
	} else {
		hub = source.(conversion.Hub)
	}
	if convertible, ok := result.(conversion.Convertible); ok {
		return convertible.ConvertFrom(hub)
	}
	text, err := json.Marshal(hub)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, result)
}

// decode reads a resource of the scheme. A property that its version does not
// have is an error.
func decode(scheme *runtime.Scheme, document []byte) (conversion.KubernetesResource, error) {
	text, err := yaml.YAMLToJSONStrict(document)
	if err != nil {
		return nil, err
	}
	var kind runtime.TypeMeta
	if err := json.Unmarshal(text, &kind); err != nil {
		return nil, err
	}
	gvk := schema.FromAPIVersionAndKind(kind.APIVersion, kind.Kind)
	if !scheme.Recognizes(gvk) {
		if known := versions(scheme, gvk.GroupKind()); known != "" {
			return nil, fmt.Errorf("%s has no version %q; it has %s", gvk.GroupKind(), gvk.Version, known)
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

// versions lists the versions of a kind, the preferred one first.
func versions(scheme *runtime.Scheme, kind schema.GroupKind) string {
	var names []string
	for _, gv := range scheme.VersionsForGroupKind(kind) {
		names = append(names, gv.Version)
	}
	slices.SortFunc(names, func(a, b string) int { return version.CompareKubeAwareVersionStrings(b, a) })
	return strings.Join(names, ", ")
}

// describe returns the comment above a resource.
func describe(scheme *runtime.Scheme, resource conversion.KubernetesResource) ([]byte, error) {
	gvk := resource.GetObjectKind().GroupVersionKind()
	note, err := remainder.Read(resource.GetAnnotations(), remainder.Object{
		Group: gvk.Group, Kind: gvk.Kind, Namespace: resource.GetNamespace(), Name: resource.GetName(),
	}, nil)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	written := note.OriginalVersion
	if note.Spec == "" {
		written = resource.OriginalGVK().Version
	}
	fmt.Fprintf(&out, "# %s %s, written at %s.\n", gvk.Kind, resource.GetName(), written)
	entries := note.Lost.Entries()
	// The note is about the storage version behind this one, whose types say what is a bag.
	if object, err := scheme.New(gvk.GroupKind().WithVersion(gvk.Version + "storage")); err == nil {
		stored := object.(conversion.KubernetesResource)
		entries = note.Lost.EntriesOf(&halves{stored.GetSpec(), stored.GetStatus()})
	}
	list := func(title, half string) {
		for _, entry := range entries {
			if !strings.HasPrefix(entry.Path, half+".") {
				continue
			}
			path, value := unpack(entry)
			if value == nil {
				continue // no value that ARM would miss
			}
			fmt.Fprint(&out, title)
			title = ""
			fmt.Fprintf(&out, "#   %s: %s\n", path, brief(value))
		}
	}
	list("# "+gvk.Version+" cannot hold these values, so ARM would not get them at this version:\n", "spec")
	list("# Nor can it hold these of the status:\n", "status")
	return out.Bytes(), nil
}

// halves has the parts of a resource that a remainder is computed from.
type halves struct {
	Spec   conversion.ConvertibleSpec   `json:"spec"`
	Status conversion.ConvertibleStatus `json:"status"`
}

// unpack returns the path and the value of an entry. The path of an entry of a
// bag is the property's, with the version that has it.
func unpack(entry remainder.Entry) (path string, value any) {
	packed, _ := entry.Stored.(map[string]any)
	version, _ := packed["version"].(string)
	const bag = "." + propertybag.Name + "."
	at := strings.LastIndex(entry.Path, bag)
	if !entry.InBag || version == "" || at < 0 {
		return entry.Path, entry.Stored
	}
	name, _, _ := strings.Cut(entry.Path[at+len(bag):], "@")
	return entry.Path[:at] + "." + name + " of " + version, packed["value"]
}

// brief returns a value in one line, or the beginning of it.
func brief(value any) string {
	if _, absent := value.(remainder.Absent); absent {
		return "absent"
	}
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	if runes := []rune(string(text)); len(runes) > 80 {
		return string(runes[:80]) + " …"
	}
	return string(text)
}
