package check

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/manifests"
)

// release has what a release brings to a cluster.
type release struct {
	groups map[string]*group // by API group
	// webhook is the namespace and name of the Service that converts, and conversion what the
	// CRDs say of it.
	webhook    string
	conversion *apiextensionsv1.CustomResourceConversion
	// manifests are what it installs besides CRDs and policies.
	manifests []manifest
}

// price returns what the CRDs of the release cost an API server.
func (r *release) price() crd.Price {
	var sum crd.Price
	for _, g := range r.groups {
		sum = sum.Plus(g.price)
	}
	return sum
}

// group has the CRDs of an API group, by name, and its policies.
type group struct {
	name string
	// listed has the kinds and versions that the release has, served or not, by the name
	// of the CRD, and proposed the changes of which only a tool has said why.
	// served has what the CRDs have, without the versions that are left out.
	listed   map[string]*crd.Summary
	served   map[string]*crd.Summary
	proposed []string
	price    crd.Price
	crds     map[string]*apiextensionsv1.CustomResourceDefinition
	policies map[string]*admissionv1.ValidatingAdmissionPolicy
	bindings map[string]*admissionv1.ValidatingAdmissionPolicyBinding
}

const mend = "expected the folder that a target of arm_release makes"

// readRelease reads a release. If the folder is one, the error has all that is wrong
// with it.
func readRelease(folder string) (*release, error) {
	groups := filepath.Join(folder, "base", "groups")
	entries, err := os.ReadDir(groups)
	if err != nil || len(entries) == 0 {
		return nil, diag.Error{File: folder, Message: notRelease(folder) + "; " + mend}
	}
	var errs diag.List
	r := &release{groups: map[string]*group{}}
	if r.webhook, r.conversion, err = readWebhook(filepath.Join(folder, "base", "conversion", "conversion.yaml")); err != nil {
		errs.Merge(err)
	}
	if r.manifests, err = readManifests(folder); err != nil {
		errs.Merge(err)
	}
	for _, e := range entries {
		g, err := readGroup(filepath.Join(groups, e.Name()))
		if errs.Merge(err); err != nil {
			continue
		}
		if r.groups[g.name] != nil {
			errs.Addf(filepath.Join(groups, e.Name()), 0, 0, "found the API group %s, which another folder has too; %s", g.name, mend)
		}
		r.groups[g.name] = g
	}
	return r, errs.Err()
}

// readWebhook returns the Service in the patch that completes CRDs, and how that says to convert.
func readWebhook(file string) (string, *apiextensionsv1.CustomResourceConversion, error) {
	patch := new(apiextensionsv1.CustomResourceDefinition)
	err := readFile(file, patch)
	if err != nil {
		return "", nil, diag.Error{File: file, Message: fmt.Sprintf("%v; %s", err, mend)}
	}
	c := patch.Spec.Conversion
	if c == nil || c.Webhook == nil || c.Webhook.ClientConfig == nil || c.Webhook.ClientConfig.Service == nil {
		return "", nil, diag.Error{File: file, Message: "found no Service of a webhook; " + mend}
	}
	return c.Webhook.ClientConfig.Service.Namespace + "/" + c.Webhook.ClientConfig.Service.Name, c, nil
}

// notRelease says what a path is that is not the folder of a release.
func notRelease(folder string) string {
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "found nothing"
	case err != nil:
		return err.Error()
	case !info.IsDir():
		return "found a file; of a release.tar.gz, unpack it and give the folder"
	}
	return "found a folder without base/groups"
}

// readGroup reads the folder of a group.
func readGroup(folder string) (*group, error) {
	all, err := crd.ReadIndex(filepath.Join(folder, crd.AllVersions, crd.IndexFile))
	if err != nil {
		return nil, diag.Error{File: folder, Message: fmt.Sprintf("%v; %s", err, mend)}
	}
	served := filepath.Join(folder, "crds")
	index, err := crd.ReadIndex(filepath.Join(served, crd.IndexFile))
	if err != nil {
		return nil, diag.Error{File: folder, Message: fmt.Sprintf("%v; %s", err, mend)}
	}
	g := &group{
		name: all.Group, proposed: all.Proposed, price: index.Price(),
		listed:   map[string]*crd.Summary{},
		served:   map[string]*crd.Summary{},
		crds:     map[string]*apiextensionsv1.CustomResourceDefinition{},
		policies: map[string]*admissionv1.ValidatingAdmissionPolicy{},
		bindings: map[string]*admissionv1.ValidatingAdmissionPolicyBinding{},
	}
	var errs diag.List
	if index.Group != all.Group {
		errs.Addf(filepath.Join(served, crd.IndexFile), 0, 0, "found the group %s, expected %s as in the folder %s",
			index.Group, all.Group, crd.AllVersions)
	}
	for _, s := range all.CRDs {
		g.listed[s.Name] = s
	}
	for _, s := range index.CRDs {
		file := filepath.Join(served, s.File)
		c := new(apiextensionsv1.CustomResourceDefinition)
		if err := readFile(file, c); err != nil {
			errs.Addf(file, 0, 0, "%v; %s", err, mend)
			continue
		}
		if c.Name != s.Name || g.listed[s.Name] == nil || len(c.Spec.Versions) == 0 {
			errs.Addf(file, 0, 0, "found the CRD %q with %d versions, expected %s with those of %s; %s",
				c.Name, len(c.Spec.Versions), s.Name, crd.IndexFile, mend)
			continue
		}
		g.crds[c.Name], g.served[c.Name] = c, s
	}
	file := filepath.Join(served, all.Group+manifests.PoliciesSuffix)
	if err := g.readPolicies(file); err != nil {
		errs.Addf(file, 0, 0, "%v; %s", err, mend)
	}
	return g, errs.Err()
}

func readFile(file string, into any) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return errors.Unwrap(err)
	}
	return yaml.UnmarshalStrict(text, into)
}

// readPolicies reads the file with the policies of a group and their bindings.
func (g *group) readPolicies(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return errors.Unwrap(err)
	}
	documents := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if len(bytes.TrimSpace(document)) == 0 {
			continue
		}
		policy, binding := new(admissionv1.ValidatingAdmissionPolicy), new(admissionv1.ValidatingAdmissionPolicyBinding)
		if err := yaml.Unmarshal(document, binding); err != nil {
			return err
		}
		switch binding.Kind {
		case "ValidatingAdmissionPolicyBinding":
			g.bindings[binding.Name] = binding
		case "ValidatingAdmissionPolicy":
			if err := yaml.UnmarshalStrict(document, policy); err != nil {
				return err
			}
			g.policies[policy.Name] = policy
		default:
			return fmt.Errorf("found the kind %q, expected a ValidatingAdmissionPolicy or its binding", binding.Kind)
		}
	}
}
