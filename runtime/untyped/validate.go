package untyped

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/version"
)

// Validate checks that the mappings convert objects of the CRD from every version
// to every other, served or not, because objects stay stored at versions that are
// no longer served. Its error lists each ordered pair of versions that has no way,
// with the mapping that is missing, or else what is wrong with the mappings.
//
// Mappings of versions that the CRD does not have are not an error by themselves: a
// webhook is rolled out before its CRD.
func Validate(mappings []ConversionMapping, crd *apiextensionsv1.CustomResourceDefinition) error {
	g, err := newGraph(mappings)
	if err != nil {
		return fmt.Errorf("%s: %w", crd.Name, err)
	}
	versions := Versions(crd.Spec)
	var errs []error
	for _, from := range versions {
		for _, to := range versions {
			if from == to {
				continue
			}
			if _, err := g.route(from, to); err != nil {
				errs = append(errs, fmt.Errorf("%s: cannot convert %s: %w", crd.Name, edge{from, to}, err))
			}
		}
	}
	if strangers := g.strangers(versions); errs != nil && strangers != nil {
		errs = append(errs, fmt.Errorf("%s: the mappings have %s, which the CRD does not have; it has %s",
			crd.Name, strings.Join(strangers, ", "), strings.Join(versions, ", ")))
	}
	return errors.Join(errs...)
}

func (g *graph) strangers(versions []string) []string {
	var strangers []string
	for _, v := range g.versions() {
		if !slices.Contains(versions, v) {
			strangers = append(strangers, v)
		}
	}
	return strangers
}

// Versions returns the names of a CRD's versions in the order of Kubernetes'
// version priority, the lowest first: v1alpha1, v1beta1, v1beta2, v1, v2.
func Versions(crd apiextensionsv1.CustomResourceDefinitionSpec) []string {
	var names []string
	for _, v := range crd.Versions {
		names = append(names, v.Name)
	}
	slices.SortFunc(names, version.CompareKubeAwareVersionStrings)
	return names
}
