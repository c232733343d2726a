// Package serve chooses which versions of CRDs an API server serves, and says what
// they cost it. Its main types are [Choice] and [CRD].
//
// A version that is not served is not in the CRD. It stays in the webhook, so that
// it can be served again at any time, and an operator can send it to ARM.
package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/runtime/apiversion"
)

// Default is the choice of a release.
const Default = "newest=2"

// Choice says which API versions of a kind to serve.
type Choice struct {
	all    bool
	newest int
	named  []string // by Kubernetes or ARM
}

// Parse parses a choice: "all", or a list of versions, in which "newest=2" stands
// for the newest two stable versions and the newest preview, if that is newer.
// Where a kind has no stable version, it stands for the newest two previews.
func Parse(text string) (Choice, error) {
	var c Choice
	for item := range strings.SplitSeq(text, ",") {
		number, isNewest := strings.CutPrefix(item, "newest=")
		n, err := strconv.Atoi(number)
		switch {
		case item == "all":
			c.all = true
		case isNewest && err == nil && n >= 0 && c.newest == 0:
			c.newest = n
		case !isNewest && isVersion(item):
			c.named = append(c.named, item)
		default:
			return Choice{}, fmt.Errorf("cannot serve %q: expected all, or newest=2 and versions such as v1beta20210401 or 2021-04-01, with commas between them", text)
		}
	}
	return c, nil
}

func isVersion(text string) bool {
	_, err := naming.ParseVersion(text)
	return err == nil || regexp.MustCompile(`^v[a-z0-9]+$`).MatchString(text)
}

// Unknown returns the versions that a choice names and that no CRD has.
func (c Choice) Unknown(folders ...*Folder) []string {
	return slices.DeleteFunc(slices.Clone(c.named), func(name string) bool {
		return slices.ContainsFunc(folders, func(f *Folder) bool {
			return slices.ContainsFunc(f.List(), func(crd *CRD) bool {
				return slices.ContainsFunc(crd.Versions, func(v Version) bool { return v.isNamed(name) })
			})
		})
	})
}

// CRD is a CRD as armcrd writes it.
type CRD struct {
	// Name is that of the object, such as "persons.crm.azure.com".
	Name, Group, Kind string
	Versions          []Version
	// Rest is the size as compact JSON of what stands beside the versions.
	Rest int
	// Outputs and OutputsInConfigMaps report whether the operator writes outputs of the
	// kind into Secrets, and into ConfigMaps.
	Outputs, OutputsInConfigMaps bool

	text string
}

// Version is a version of a CRD.
type Version struct {
	Name    string
	Served  bool
	Storage bool
	// Bytes is its size as compact JSON.
	Bytes int
	// Nodes is the number of its schemas.
	Nodes int

	first, end int // lines of the text, from 0
}

// Read reads the text of a CRD that armcrd wrote.
func Read(text []byte) (*CRD, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	var crd struct {
		Kind     string
		Metadata struct{ Name string }
		Spec     struct {
			Group    string
			Names    struct{ Kind string }
			Versions []struct {
				Name            string
				Served, Storage bool
				Schema          struct {
					OpenAPIV3Schema map[string]any `yaml:"openAPIV3Schema"`
				}
			}
		}
	}
	var whole struct {
		Spec struct{ Versions []any }
	}
	var all any
	if err := errors.Join(document.Decode(&crd), document.Decode(&whole), document.Decode(&all)); err != nil {
		return nil, err
	}
	if crd.Kind != "CustomResourceDefinition" {
		return nil, fmt.Errorf("found the kind %q, expected a CustomResourceDefinition", crd.Kind)
	}
	if len(crd.Spec.Versions) == 0 {
		return nil, errors.New("found a CRD without versions, expected a file that a group's target crds has made")
	}
	c := &CRD{Name: crd.Metadata.Name, Group: crd.Spec.Group, Kind: crd.Spec.Names.Kind, text: string(text)}
	size, err := jsonBytes(all)
	if err != nil {
		return nil, err
	}
	c.Rest = size
	lines := linesOf(&document, len(whole.Spec.Versions), strings.Count(c.text, "\n"))
	for i, v := range crd.Spec.Versions {
		bytes, err := jsonBytes(whole.Spec.Versions[i])
		if err != nil {
			return nil, err
		}
		c.Rest -= bytes + len(",")
		c.Versions = append(c.Versions, Version{
			Name: v.Name, Served: v.Served, Storage: v.Storage, Bytes: bytes, Nodes: nodes(v.Schema.OpenAPIV3Schema),
			first: lines[i], end: lines[i+1],
		})
		secrets, configMaps := outputs(v.Schema.OpenAPIV3Schema)
		c.Outputs, c.OutputsInConfigMaps = c.Outputs || secrets, c.OutputsInConfigMaps || configMaps
	}
	return c, nil
}

// outputs reports whether the rules of a schema permit outputs in Secrets, and in
// ConfigMaps.
func outputs(schema map[string]any) (secrets, configMaps bool) {
	for _, step := range []string{"spec", "operatorSpec"} {
		properties, _ := schema["properties"].(map[string]any)
		schema, _ = properties[step].(map[string]any)
	}
	rules, _ := schema["x-kubernetes-validations"].([]any)
	for _, r := range rules {
		r, _ := r.(map[string]any)
		text, _ := r["rule"].(string)
		permits := strings.Contains(text, " k in [")
		secrets = secrets || permits && r["fieldPath"] == ".secrets"
		configMaps = configMaps || permits && r["fieldPath"] == ".configMaps"
	}
	return secrets, configMaps
}

func jsonBytes(value any) (int, error) {
	text, err := json.Marshal(value)
	return len(text), err
}

// linesOf returns the first line of each version, and the number of lines: the
// versions are the last part of the text.
func linesOf(document *yaml.Node, versions, total int) []int {
	n := document.Content[0]
	for _, key := range []string{"spec", "versions"} {
		for i := 0; i < len(n.Content); i += 2 {
			if n.Content[i].Value == key {
				n = n.Content[i+1]
				break
			}
		}
	}
	var lines []int
	for i := range versions {
		lines = append(lines, n.Content[i].Line-1)
	}
	return append(lines, total)
}

// nodes returns the number of schemas in a schema, itself included.
func nodes(schema map[string]any) int {
	n := 1
	properties, _ := schema["properties"].(map[string]any)
	for _, p := range properties {
		if p, isSchema := p.(map[string]any); isSchema {
			n += nodes(p)
		}
	}
	for _, key := range []string{"items", "additionalProperties"} {
		if inner, isSchema := schema[key].(map[string]any); isSchema {
			n += nodes(inner)
		}
	}
	return n
}

// Price returns what the CRD costs.
func (c *CRD) Price() Price {
	p := Price{Bytes: c.Rest + len(c.Versions)*len(",")}
	for _, v := range c.Versions {
		p.Bytes += v.Bytes
		p.Nodes += v.Nodes
		if v.Served {
			p.Versions++
		}
	}
	return p
}

// Text returns the text of the CRD.
func (c *CRD) Text() []byte { return []byte(c.text) }

// Serve returns the CRD with the versions of a choice. It keeps storage versions,
// without which objects could not be read, and the API versions of those that are
// served, because an operator that works at one refers to owners at it.
func (c *CRD) Serve(choice Choice) *CRD {
	chosen := *c
	chosen.Versions = nil
	newest := c.newest(choice.newest)
	refersTo := func(name string) bool {
		return slices.ContainsFunc(c.Versions, func(v Version) bool { return v.Served && v.Name == apiversion.Storage(name) })
	}
	lines := strings.SplitAfter(c.text, "\n")
	kept := slices.Clone(lines[:c.Versions[0].first])
	for _, v := range c.Versions {
		isNamed := slices.ContainsFunc(choice.named, v.isNamed)
		if !choice.all && !apiversion.IsStorage(v.Name) && !refersTo(v.Name) && !slices.Contains(newest, v.Name) && !isNamed {
			continue
		}
		first := len(kept)
		kept = append(kept, lines[v.first:v.end]...)
		v.first, v.end = first, len(kept)
		chosen.Versions = append(chosen.Versions, v)
	}
	chosen.text = strings.Join(kept, "")
	return &chosen
}

// StopAnnotation names the versions that a CRD serves no longer, with commas
// between them. The group's policy refuses CRDs that serve less without it.
const StopAnnotation = "armature.dev/stop-serving"

// Stop returns the text of the CRD with versions in [StopAnnotation].
func (c *CRD) Stop(versions []string) []byte {
	return []byte(strings.Replace(c.text, "\nmetadata:\n", "\nmetadata:\n  annotations:\n    "+StopAnnotation+": "+strings.Join(versions, ",")+"\n", 1))
}

// newest returns the names of the newest n stable versions, and of the newest
// preview if that is newer.
func (c *CRD) newest(n int) []string {
	var stable, previews []string
	for _, v := range c.Versions {
		switch m := versionForm.FindStringSubmatch(v.Name); {
		case n == 0 || m == nil:
		case m[1] == "alpha":
			previews = append(previews, v.Name)
		default:
			stable = append(stable, v.Name)
		}
	}
	byDate := func(a, b string) int { return strings.Compare(dateOf(b), dateOf(a)) }
	slices.SortStableFunc(stable, byDate)
	slices.SortStableFunc(previews, byDate)
	if len(stable) == 0 {
		return previews[:min(n, len(previews))]
	}
	newest := stable[:min(n, len(stable))]
	if len(previews) > 0 && dateOf(previews[0]) > dateOf(stable[0]) {
		newest = append(slices.Clone(newest), previews[0])
	}
	return newest
}

// versionForm matches the name of an API version, which has a date. Kubernetes takes
// a version with "alpha" in it for less stable than others. Storage and alias
// versions have other forms.
var versionForm = regexp.MustCompile(`^v\d*(alpha|beta)?(\d{8})$`)

func dateOf(name string) string { return versionForm.FindStringSubmatch(name)[2] }

// isNamed reports whether a name is that of the version, in Kubernetes or in ARM.
func (v Version) isNamed(name string) bool {
	if apiversion.IsStorage(v.Name) {
		return false
	}
	arm, err := naming.ParseVersion(name)
	if err != nil {
		return v.Name == name
	}
	m := versionForm.FindStringSubmatch(v.Name)
	return m != nil && m[2] == strings.ReplaceAll(arm.Date, "-", "") && arm.Preview() == (m[1] == "alpha")
}
