package controlplane

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"
)

// resources has the resources of the kinds that [ControlPlane.Apply] applies.
var resources = map[string]schema.GroupVersionResource{
	"ServiceAccount":            {Version: "v1", Resource: "serviceaccounts"},
	"Secret":                    {Version: "v1", Resource: "secrets"},
	"ValidatingAdmissionPolicy": {Group: "admissionregistration.k8s.io", Version: "v1", Resource: "validatingadmissionpolicies"},
	"ValidatingAdmissionPolicyBinding": {Group: "admissionregistration.k8s.io", Version: "v1",
		Resource: "validatingadmissionpolicybindings"},
	"MutatingWebhookConfiguration": {Group: "admissionregistration.k8s.io", Version: "v1", Resource: "mutatingwebhookconfigurations"},
	"ClusterRole":                  {Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterroles"},
	"ClusterRoleBinding":           {Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterrolebindings"},
	"Role":                         {Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "roles"},
	"RoleBinding":                  {Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "rolebindings"},
}

// Apply applies the objects in a text of YAML, and returns a function that deletes them.
func (p *ControlPlane) Apply(ctx context.Context, text []byte) (remove func() error, err error) {
	client := func(object *unstructured.Unstructured) dynamic.ResourceInterface {
		return p.Client.Resource(resources[object.GetKind()]).Namespace(object.GetNamespace())
	}
	var applied []*unstructured.Unstructured
	for in := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text))); ; {
		document, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		object := &unstructured.Unstructured{}
		if err == nil {
			err = yaml.Unmarshal(document, &object.Object)
		}
		for tries := 0; err == nil; tries++ {
			_, err = client(object).Apply(ctx, object.GetName(), object, metav1.ApplyOptions{FieldManager: "armature", Force: true})
			if err == nil || tries == 5 || !apierrors.IsTimeout(err) {
				break
			}
			err = nil // the API server was busy with the documents of many CRDs
		}
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", object.GetKind(), object.GetName(), err)
		}
		applied = append(applied, object)
	}
	return func() error {
		var errs []error
		for _, object := range applied {
			errs = append(errs, client(object).Delete(ctx, object.GetName(), metav1.DeleteOptions{}))
		}
		return errors.Join(errs...)
	}, nil
}

// ReadPolicies returns the admission policies in the folder that a group's target crds makes.
func ReadPolicies(folder string) ([]byte, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.policies.yaml"))
	if err != nil || len(files) != 1 {
		return nil, fmt.Errorf("%s has %d files of policies, expected one: %v", folder, len(files), err)
	}
	return os.ReadFile(files[0])
}

// InstallPolicies installs the admission policies in the folder that a group's target crds
// makes, and waits until they deny an update of a CRD of the group, whose name is given.
func (p *ControlPlane) InstallPolicies(ctx context.Context, folder, crd string) error {
	text, err := ReadPolicies(folder)
	if err != nil {
		return err
	}
	if _, err := p.Apply(ctx, text); err != nil {
		return err
	}
	// The policy of served versions is the last of the file, so the others are in force too.
	err = wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, 5*time.Minute, true, func(ctx context.Context) (bool, error) {
		installed, err := p.CRDs.Get(ctx, crd, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		for i := range installed.Spec.Versions {
			installed.Spec.Versions[i].Served = installed.Spec.Versions[i].Storage
		}
		_, err = p.CRDs.Update(ctx, installed, metav1.UpdateOptions{DryRun: []string{metav1.DryRunAll}})
		if err != nil && !IsDenied(err) && !apierrors.IsConflict(err) {
			return false, err
		}
		return IsDenied(err), nil
	})
	if err != nil {
		return fmt.Errorf("waiting for the policies in %s to deny an update: %w", folder, err)
	}
	return nil
}

// IsDenied reports whether an admission policy has denied a request.
func IsDenied(err error) bool {
	return err != nil && strings.Contains(err.Error(), "ValidatingAdmissionPolicy")
}

// IsAnnotationLost reports whether a policy has denied an update because it takes away the annotation with what the
// version of the update cannot hold.
func IsAnnotationLost(err error) bool {
	return IsDenied(err) && strings.Contains(err.Error(), "takes away the annotation")
}
