package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/diag"
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

// group is a service group of a release.
type group struct {
	name string
	crds *crd.Folder
}

// base returns the group's folder that both variants share.
func (g group) base() string { return path.Join("base/groups", g.name) }

// addGroup adds the CRDs of a group with the versions of a choice, roles for its
// resources, and overlays for each variant: one with all of that, and one with the CRDs
// alone. It adds the CRDs with all versions too, from which the command armature makes
// others. They are in a folder.
func (r release) addGroup(g group, folder string, choice crd.Choice, in names) error {
	if len(g.crds.CRDs) == 0 {
		return fmt.Errorf("%s: none of the kinds is of this group; leave the group out", g.name)
	}
	if err := r.copyFolder(path.Join(g.base(), crd.AllVersions), folder); err != nil {
		return err
	}
	served, err := g.crds.Serve(choice).Files(nil, nil)
	if err != nil {
		return err
	}
	for file, text := range served {
		if err := r.add(path.Join(g.base(), "crds", file), text); err != nil {
			return err
		}
	}
	for _, variant := range variants {
		err := r.add(path.Join(variant, g.name, manifests.KustomizationFile), in.prefixed(manifests.GroupOverlay(g.name)))
		if err != nil {
			return err
		}
		if err := r.add(path.Join(variant, "crds", g.name, manifests.KustomizationFile), manifests.CRDOverlay(g.name)); err != nil {
			return err
		}
	}
	return r.addRoles(g, in)
}

// roles returns the roles of the group.
func (g group) roles(in names) manifests.Roles {
	roles := manifests.Roles{Name: g.name, Group: g.crds.Group, Operator: in.operator()}
	for _, c := range g.crds.CRDs {
		roles.Plurals = append(roles.Plurals, c.Plural)
		roles.Outputs = roles.Outputs || c.Outputs
	}
	return roles
}

// addRoles adds the roles of a group, and the kustomization that has them beside the
// CRDs.
func (r release) addRoles(g group, in names) error {
	if err := r.add(path.Join(g.base(), "roles.yaml"), g.roles(in).Text()); err != nil {
		return err
	}
	return r.add(path.Join(g.base(), manifests.KustomizationFile), manifests.GroupBase(g.crds.Group))
}

// addStorageWriters adds the role of those who may write at storage versions.
func (r release) addStorageWriters(in names) error {
	return r.add("base/webhook/storage-writers.yaml", manifests.StorageWriters([]manifests.Account{in.operator()}))
}

// addOperatorWrites adds the policy that limits what the operator's account writes.
func (r release) addOperatorWrites(groups []group, in names) error {
	writes := manifests.OperatorWrites{Operator: in.operator()}
	for _, g := range groups {
		if g.roles(in).Outputs {
			writes.Groups = append(writes.Groups, g.crds.Group)
		}
	}
	return r.add("operator/writes.yaml", writes.Text())
}

// addSamples adds a sample of each kind of some groups, with all that it is in or refers to
// of the kinds of the release. folders has the folder with the samples of each group, by its
// name, and all the kinds of each before a choice.
func (r release) addSamples(groups []group, folders map[string]string, all []*crd.Index) error {
	has := map[string]string{} // the name of the group that has a CRD
	for _, g := range groups {
		for _, c := range g.crds.CRDs {
			has[c.Name] = g.name
		}
	}
	var kinds []sample.Kind
	names := map[string]string{} // of groups, by API group
	for _, index := range all {
		for _, c := range index.CRDs {
			name, chosen := has[c.Name]
			if chosen {
				names[index.Group] = name
			}
			kinds = append(kinds, sample.Kind{Group: index.Group, Kind: c.Kind, ARMType: c.ARMType, Absent: !chosen})
		}
	}
	catalog := sample.NewCatalog(kinds, func(k sample.Kind, version string) ([]byte, error) {
		return os.ReadFile(filepath.Join(folders[names[k.Group]], sample.File(k.Kind, version)))
	})
	var errs diag.List
	for _, k := range kinds {
		if k.Absent {
			continue
		}
		text, err := catalog.Sample(k, "", true)
		if errs.Merge(err); err == nil {
			errs.Merge(r.add(path.Join("samples", names[k.Group], sample.File(k.Kind, "")), text))
		}
	}
	return errs.Err()
}
