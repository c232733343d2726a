package main

import (
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/manifests"
	"github.com/armature-dev/armature/generator/sample"
)

// variants are the folders for the ways to trust the webhook. Each has a
// component ca, which completes the CRDs of the kustomization that includes it.
var variants = []string{"ca-bundle", "cert-manager"}

// addConversion adds the components that complete CRDs: one to which the
// component ca-bundle/ca adds a bundle, and one for cert-manager.
func (r release) addConversion(in names) error {
	webhook := crd.Webhook{Namespace: in.namespace, Service: in.prefix + "armature-webhook"}
	certified := webhook
	certified.Certificate = webhook.Namespace + "/" + webhook.Service
	for folder, webhook := range map[string]crd.Webhook{"base/conversion": webhook, "cert-manager/ca": certified} {
		for name, text := range webhook.Component() {
			if err := r.add(path.Join(folder, name), text); err != nil {
				return err
			}
		}
	}
	return nil
}

// addGroup adds the CRDs of a group with the versions of a choice, roles for its
// resources, and an overlay for each variant. It adds the CRDs with all versions
// too, from which the command armature makes others.
func (r release) addGroup(name, folder string, crds *crd.Folder, choice crd.Choice, in names) error {
	if len(crds.CRDs) == 0 {
		return fmt.Errorf("%s: none of the kinds is of this group; leave the group out", name)
	}
	base := path.Join("base/groups", name)
	if err := r.copyFolder(path.Join(base, crd.AllVersions), folder); err != nil {
		return err
	}
	served, err := crds.Serve(choice).Files(nil)
	if err != nil {
		return err
	}
	for file, text := range served {
		if err := r.add(path.Join(base, "crds", file), text); err != nil {
			return err
		}
	}
	roles := manifests.Roles{Name: name, Group: crds.Group, Operator: in.operator()}
	for _, c := range crds.CRDs {
		roles.Plurals = append(roles.Plurals, c.Plural)
		roles.Secrets = roles.Secrets || c.Outputs.Secrets
		roles.ConfigMaps = roles.ConfigMaps || c.Outputs.ConfigMaps
	}
	files := map[string][]byte{
		path.Join(base, manifests.KustomizationFile): manifests.GroupBase(crds.Group),
		path.Join(base, "roles.yaml"):                roles.Text(),
	}
	for _, variant := range variants {
		files[path.Join(variant, name, manifests.KustomizationFile)] = in.prefixed(manifests.GroupOverlay(name))
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if err := r.add(file, files[file]); err != nil {
			return err
		}
	}
	return nil
}

// addSamples adds a sample of each kind of a group. groups are <group>=<folder> each.
func (r release) addSamples(name string, groups []string, crds *crd.Folder) error {
	for _, group := range groups {
		folder, ok := strings.CutPrefix(group, name+"=")
		if !ok {
			continue
		}
		for _, c := range crds.CRDs {
			file := sample.File(c.Kind)
			if err := r.copyFile(path.Join("samples", name, file), filepath.Join(folder, file)); err != nil {
				return err
			}
		}
	}
	return nil
}
