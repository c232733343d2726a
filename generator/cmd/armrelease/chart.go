package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/armature-dev/armature/generator/manifests"
	"github.com/armature-dev/armature/runtime/version"
)

// chartFolder is the folder of the Helm chart, and chartFiles are those of its files that are written by hand.
const chartFolder = "chart"

var chartFiles = []string{"Chart.yaml", "templates/NOTES.txt", "values.schema.json", "values.yaml"}

// unnamed are the names of the objects in a release of which the chart's templates are made: those of an installation
// take their place.
var unnamed = names{namespace: "namespace-of-the-installation", prefix: "prefix-of-the-installation-"}

// chart makes the templates of a Helm chart. Its release has no CRDs, and the names are [unnamed].
type chart struct {
	release
	groups []string
}

// newChart returns what makes the templates for a release, its files that are written by hand, and its groups.
func newChart(of release, handWritten []string, groups []group) (*chart, error) {
	c := &chart{release: release{}}
	for _, manifest := range handWritten {
		name, file, _ := strings.Cut(manifest, "=")
		if folder, _, _ := strings.Cut(name, "/"); folder == chartFolder {
			continue
		}
		if err := c.addManifest(name, file, unnamed); err != nil {
			return nil, err
		}
	}
	for _, image := range []string{"image", "operator-image"} {
		component := path.Join("base", image, manifests.KustomizationFile)
		c.release[component] = of[component]
	}
	if err := errors.Join(c.addStorageWriters(unnamed), c.addOperatorWrites(groups, unnamed)); err != nil {
		return nil, err
	}
	for _, g := range groups {
		c.groups = append(c.groups, g.name)
		policies := path.Join(g.base(), "crds", g.crds.Group+manifests.PoliciesSuffix)
		c.release[policies] = of[policies]
		c.release[path.Join(g.base(), "crds", manifests.KustomizationFile)] = manifests.Kustomization([]string{path.Base(policies)})
		if err := c.addRoles(g, unnamed); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// addChart adds a Helm chart of what the release has besides CRDs. Its objects are those of the folders, as kustomize
// renders them. It adds nothing if the files that are written by hand have no chart.
func (r release) addChart(in names, handWritten []string, groups []group) error {
	if _, found := r[path.Join(chartFolder, chartFiles[0])]; !found {
		return nil
	}
	for _, file := range chartFiles {
		name := path.Join(chartFolder, file)
		if _, found := r[name]; !found {
			return fmt.Errorf("%s: absent, expected with %s/%s", name, chartFolder, chartFiles[0])
		}
	}
	from, err := newChart(r, handWritten, groups)
	if err != nil {
		return err
	}
	if err := r.completeChart(from.groups, in); err != nil {
		return err
	}
	templates, err := from.templates()
	if err != nil {
		return fmt.Errorf("the chart's templates: %w", err)
	}
	for name, text := range templates {
		if err := r.add(path.Join(chartFolder, "templates", name+".yaml"), text); err != nil {
			return err
		}
	}
	return nil
}

// completeChart puts what the release knows into the files of the chart that are written by hand.
func (r release) completeChart(groups []string, in names) error {
	for _, change := range []struct {
		file string
		edit edit
	}{
		{"Chart.yaml", edit{`^version: 0\.0\.0$`, "version: " + version.String()}},
		{"Chart.yaml", edit{`^appVersion: 0\.0\.0$`, "appVersion: " + version.String()}},
		{"values.yaml", edit{`^namePrefix: ""$`, fmt.Sprintf("namePrefix: %q", in.prefix)}},
		{"values.schema.json", edit{`^(    "groups": .*"enum": )\[\]`, `${1}["` + strings.Join(groups, `", "`) + `"]`}},
	} {
		name := path.Join(chartFolder, change.file)
		text, err := change.edit.apply(string(r[name]))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		r[name] = []byte(text)
	}
	return nil
}

// template says what a template of the chart has: what a kustomization renders, without what another template has.
type template struct {
	name, kustomization string
	// without is the name of the other template.
	without string
	// only is the condition under which the objects are there.
	only string
	// split returns the name of the file to which an object belongs, where that is not the template's name.
	split func(*resource.Resource) string
}

// templates returns the templates by their names.
func (c *chart) templates() (map[string][]byte, error) {
	all := []template{
		{name: "webhook", kustomization: "resources: [../ca-bundle/webhook]\n"},
		{name: "cert-manager", kustomization: "resources: [../cert-manager/webhook]\n", without: "webhook", only: ".Values.certManager"},
		{name: "operator", kustomization: "resources: [../operator]\n"},
		{name: "monitoring", kustomization: "namePrefix: " + unnamed.prefix + "\ncomponents: [../monitoring, ../operator/monitoring]\n",
			only: ".Values.monitoring"},
	}
	// A release of other files has none.
	if _, found := c.release[path.Join(secureMetrics, manifests.KustomizationFile)]; found {
		all = append(all, template{name: "metrics-secure", kustomization: "components: [../" + secureMetrics + "]\n",
			only: ".Values.operator.metricsSecure"})
	}
	for _, group := range c.groups {
		all = append(all, template{
			name:          path.Join("groups", group),
			kustomization: fmt.Sprintf("namePrefix: %s\nresources: [../base/groups/%s]\n", unnamed.prefix, group),
			only:          fmt.Sprintf("or (not .Values.groups) (has %q .Values.groups)", group),
			split:         fileOfGroupObject,
		})
	}
	files := filesys.MakeFsInMemory()
	for name, text := range c.release {
		if err := files.WriteFile(path.Join("/", name), text); err != nil {
			return nil, err
		}
	}
	rendered, texts := map[string][]*resource.Resource{}, map[string][]byte{}
	for _, t := range all {
		if err := files.WriteFile(path.Join("/chart", manifests.KustomizationFile), []byte(t.kustomization)); err != nil {
			return nil, err
		}
		objects, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(files, "/chart")
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
		rendered[t.name] = slices.DeleteFunc(objects.Resources(), func(o *resource.Resource) bool {
			return o.GetKind() == "Namespace" || // Helm makes it before, if it is asked to
				slices.ContainsFunc(rendered[t.without], func(other *resource.Resource) bool { return o.CurId() == other.CurId() })
		})
		for file, objects := range t.files(rendered[t.name]) {
			text, err := t.text(objects)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", t.name, err)
			}
			texts[file] = append(texts[file], text...)
		}
	}
	return texts, nil
}

// files returns the objects of the template by the names of the files to which they belong.
func (t template) files(objects []*resource.Resource) map[string][]*resource.Resource {
	files := map[string][]*resource.Resource{}
	for _, o := range objects {
		file := t.name
		if t.split != nil {
			file = t.split(o)
		}
		files[file] = append(files[file], o)
	}
	return files
}

// fileOfGroupObject returns the name of the file to which an object of a group belongs. Policies that do the same in
// all groups are next to each other: Helm compresses a release, which has the templates and the objects, and finds only
// what is alike within 32 KiB (https://www.rfc-editor.org/rfc/rfc1951, section 2).
func fileOfGroupObject(o *resource.Resource) string {
	if !strings.HasPrefix(o.GetKind(), "ValidatingAdmissionPolicy") {
		return "groups/roles"
	}
	policy, _, _ := strings.Cut(strings.TrimPrefix(o.GetName(), unnamed.prefix), ".")
	return path.Join("groups", policy)
}

// text returns the text of the template with objects.
func (t template) text(objects []*resource.Resource) ([]byte, error) {
	var all bytes.Buffer
	if t.only != "" {
		fmt.Fprintf(&all, "{{- if %s }}\n", t.only)
	}
	for _, o := range objects {
		labels := maps.Clone(o.GetLabels())
		program := strings.TrimPrefix(labels["app.kubernetes.io/name"], "armature-")
		labels[labelsOfTheInstallation] = ""
		if err := o.SetLabels(labels); err != nil {
			return nil, err
		}
		yaml, err := o.AsYAML()
		if err != nil {
			return nil, err
		}
		text := named.Replace(string(yaml))
		for _, edit := range parameters(o.GetKind(), program) {
			if text, err = edit.apply(text); err != nil {
				return nil, fmt.Errorf("%s %s: %w", o.GetKind(), o.GetName(), err)
			}
		}
		switch {
		case o.GetKind() == "ClusterRoleBinding" && ofSecrets.MatchString(o.GetName()):
			all.WriteString(inNamespaces(text))
		case o.GetKind() == "NetworkPolicy":
			all.WriteString("{{- if .Values.networkPolicies }}\n---\n" + text + "{{- end }}\n")
		default:
			all.WriteString("---\n" + text)
		}
	}
	if t.only != "" {
		all.WriteString("{{- end }}\n")
	}
	return all.Bytes(), nil
}

// named puts the names of an installation into a text, of which it keeps what looks like an action of a template. A
// namespace may be called 1.
var named = strings.NewReplacer(
	"{{", `{{ "{{" }}`,
	": "+unnamed.namespace+"\n", ": {{ quote .Release.Namespace }}\n",
	unnamed.namespace, "{{ .Release.Namespace }}",
	unnamed.prefix, "{{ .Values.namePrefix }}",
)

// ofSecrets matches the names of the bindings that let the operator read and write Secrets and ConfigMaps.
var ofSecrets = regexp.MustCompile("-operator-(secrets|outputs)$")

// inNamespaces returns the text of a ClusterRoleBinding, in whose place an installation has a RoleBinding in each of
// the namespaces that it names, or nothing.
func inNamespaces(binding string) string {
	one := strings.NewReplacer("kind: ClusterRoleBinding\n", "kind: RoleBinding\n",
		"metadata:\n", "metadata:\n  namespace: {{ quote . }}\n",
		" .Values.", " $.Values.", " .Release.", " $.Release.").Replace(binding)
	return "{{- if .Values.operator.bindSecrets }}\n{{- range .Values.operator.namespaces }}\n---\n" + one +
		"{{- else }}\n---\n" + binding + "{{- end }}\n{{- end }}\n"
}

// edit replaces a part of a text, which a regular expression matches.
type edit struct{ from, to string }

// apply returns the text with the edit. The part must be there once.
func (e edit) apply(text string) (string, error) {
	from := regexp.MustCompile(`(?m)` + e.from)
	if found := len(from.FindAllString(text, -1)); found != 1 {
		return "", fmt.Errorf("found %q %d times, expected it once", e.from, found)
	}
	return from.ReplaceAllString(text, e.to), nil
}
