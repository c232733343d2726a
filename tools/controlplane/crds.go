package controlplane

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/runtime/annotation"
)

// ReadCRDs reads the CRDs in the folder that a group's target crds makes.
func ReadCRDs(folder string) ([]*apiextensionsv1.CustomResourceDefinition, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*_*.yaml"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no CRDs in %s (%v): start this with ./bazelw, which builds them", folder, err)
	}
	var crds []*apiextensionsv1.CustomResourceDefinition
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		crd := &apiextensionsv1.CustomResourceDefinition{}
		if err := yaml.UnmarshalStrict(text, crd); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		crds = append(crds, crd)
	}
	return crds, nil
}

// ConversionAt returns the part of a CRD that names a webhook on this machine, which
// serves at an address with a certificate that ca has signed.
func ConversionAt(address string, ca []byte) *apiextensionsv1.CustomResourceConversion {
	at := (&url.URL{Scheme: "https", Host: address, Path: "/convert"}).String()
	return &apiextensionsv1.CustomResourceConversion{
		Strategy: apiextensionsv1.WebhookConverter,
		Webhook: &apiextensionsv1.WebhookConversion{
			ConversionReviewVersions: []string{"v1"},
			ClientConfig:             &apiextensionsv1.WebhookClientConfig{URL: &at, CABundle: ca},
		},
	}
}

// Install creates CRDs or replaces their specs, and waits until the API server
// serves the versions that they list as served. conversion replaces that of all
// CRDs.
func (p *ControlPlane) Install(ctx context.Context, conversion *apiextensionsv1.CustomResourceConversion,
	crds ...*apiextensionsv1.CustomResourceDefinition) error {
	for _, crd := range crds {
		crd = crd.DeepCopy()
		crd.Spec.Conversion = conversion
		installed, err := p.CRDs.Get(ctx, crd.Name, metav1.GetOptions{})
		switch {
		case apierrors.IsNotFound(err):
			_, err = p.CRDs.Create(ctx, crd, metav1.CreateOptions{})
		case err == nil:
			if names := Ended(installed, crd); len(names) > 0 { // the group's policy asks for it
				metav1.SetMetaDataAnnotation(&installed.ObjectMeta, annotation.StopServing, strings.Join(names, ","))
			}
			installed.Spec = crd.Spec
			_, err = p.CRDs.Update(ctx, installed, metav1.UpdateOptions{})
		}
		if err != nil {
			return fmt.Errorf("installing %s: %w", crd.Name, err)
		}
	}
	for _, crd := range crds {
		if err := p.waitFor(ctx, crd); err != nil {
			return err
		}
	}
	return nil
}

// Ended returns the versions that a CRD serves and another one no longer.
func Ended(from, to *apiextensionsv1.CustomResourceDefinition) []string {
	var names []string
	for _, v := range from.Spec.Versions {
		stays := func(w apiextensionsv1.CustomResourceDefinitionVersion) bool { return w.Served && w.Name == v.Name }
		if v.Served && !slices.ContainsFunc(to.Spec.Versions, stays) {
			names = append(names, v.Name)
		}
	}
	return names
}

// waitFor waits until the API server serves exactly the versions of a CRD that
// are listed as served.
func (p *ControlPlane) waitFor(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition) error {
	var wrong string
	err := wait.PollUntilContextTimeout(ctx, 20*time.Millisecond, 5*time.Minute, true, func(ctx context.Context) (bool, error) {
		wrong = ""
		for _, v := range crd.Spec.Versions {
			served, err := p.serves(schema.GroupVersionResource{Group: crd.Spec.Group, Version: v.Name, Resource: crd.Spec.Names.Plural})
			if err != nil {
				return false, err
			}
			if served != v.Served {
				wrong = fmt.Sprintf("%s is served: %v", v.Name, served)
				return false, nil
			}
		}
		return true, nil
	})
	if err != nil {
		return fmt.Errorf("waiting for the API server to serve the versions of %s (%s): %w", crd.Name, wrong, err)
	}
	return nil
}

func (p *ControlPlane) serves(resource schema.GroupVersionResource) (bool, error) {
	list, err := p.Discovery.ServerResourcesForGroupVersion(resource.GroupVersion().String())
	if apierrors.IsNotFound(err) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	return slices.ContainsFunc(list.APIResources, func(r metav1.APIResource) bool { return r.Name == resource.Resource }), nil
}

// Stored returns an object of the namespace default as it is in etcd.
func (p *ControlPlane) Stored(ctx context.Context, resource schema.GroupResource, name string) (*unstructured.Unstructured, error) {
	response, err := p.Etcd.Get(ctx, Key(resource, name))
	if err != nil {
		return nil, err
	}
	if len(response.Kvs) != 1 {
		return nil, fmt.Errorf("etcd has nothing at %s", Key(resource, name))
	}
	object := &unstructured.Unstructured{}
	return object, object.UnmarshalJSON(response.Kvs[0].Value)
}

// Key returns the key in etcd of an object of the namespace default.
func Key(resource schema.GroupResource, name string) string {
	return "/registry/" + resource.Group + "/" + resource.Resource + "/default/" + name
}
