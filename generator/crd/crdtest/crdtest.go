// Package crdtest makes CRD folders of groups for tests of what reads them. Its main
// type is [Kind].
package crdtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/lock"
)

// Kind is a kind whose resources have no properties.
type Kind struct {
	Kind, Plural string
	ShortNames   []string
	// Versions are API versions, and storage versions, whose names end in "storage". The
	// first storage version is the hub; the next was the hub before.
	Versions []string
	Outputs  []ir.Output
}

// Files returns the files of the CRD folder of a group, by name.
func Files(t testing.TB, group string, kinds ...Kind) map[string][]byte {
	t.Helper()
	v := &ir.Version{Provider: "Contoso.Test", APIVersion: "2020-01-01"}
	packages := map[string]*plan.Package{}
	locked := &lock.Lock{Resources: map[string]lock.Resource{}}
	var all []*plan.Package
	for _, k := range kinds {
		armType := v.Provider + "/" + k.Plural
		spec, status := k.Kind+"_Spec", k.Kind+"_Status"
		v.Resources = append(v.Resources, &ir.Resource{Type: armType, Spec: spec, Status: status, Outputs: k.Outputs})
		v.Types = append(v.Types, &ir.Type{Name: spec, Kind: ir.Object}, &ir.Type{Name: status, Kind: ir.Object, Status: true})
		hasHub := false
		for _, name := range k.Versions {
			p := packages[name]
			if p == nil {
				p = &plan.Package{Name: name, Group: group, APIVersion: v.APIVersion, Role: plan.API}
				if strings.HasSuffix(name, "storage") {
					p.Role = plan.Storage
				}
				packages[name], all = p, append(all, p)
			}
			r := plan.Resource{Kind: k.Kind, ARMType: armType, Plural: k.Plural, Singular: strings.ToLower(k.Kind),
				ShortNames: k.ShortNames}
			if p.Role == plan.Storage {
				if hasHub {
					former := locked.Resources[k.Kind]
					former.Former = append([]string{name}, former.Former...)
					locked.Resources[k.Kind] = former
				}
				r.Hub, hasHub = !hasHub, true
			}
			p.Resources = append(p.Resources, r)
		}
	}
	v.Sort()
	files, _, err := crd.Files([]*ir.Version{v}, all, locked, crd.Meta{TypeMeta: metav1.TypeMeta{}, Condition: metav1.Condition{}})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Write writes the CRD folder of a group into a folder that it makes.
func Write(t testing.TB, folder, group string, kinds ...Kind) {
	t.Helper()
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range Files(t, group, kinds...) {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
