// Package manifests has the Kubernetes objects of a release that are no CRDs: admission
// policies, roles and kustomizations. Their texts are the templates in its folder
// templates, with named fields.
package manifests

import (
	"bytes"
	"embed"
	"fmt"
	"strings"
	"sync"
	"text/template"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/reference"
)

//go:embed templates/*.yaml
var files embed.FS

// templates parses the templates when the first is needed.
var templates = sync.OnceValue(func() *template.Template {
	functions := template.FuncMap{"cel": celList, "domain": func() string { return annotation.Domain }}
	return template.Must(template.New("").Funcs(functions).Option("missingkey=error").ParseFS(files, "templates/*.yaml"))
})

// render returns the text of a template with fields.
func render(name string, fields any) []byte {
	var text bytes.Buffer
	if err := templates().ExecuteTemplate(&text, name+".yaml", fields); err != nil {
		panic(err) // the template names a field that there is not
	}
	return text.Bytes()
}

// celList returns names as a list in CEL.
func celList(names []string) string {
	if len(names) == 0 {
		return "[]"
	}
	return "['" + strings.Join(names, "', '") + "']"
}

// KustomizationFile is the name of the file with a kustomization.
const KustomizationFile = "kustomization.yaml"

// Kustomization returns the text of a kustomization of files.
func Kustomization(files []string) []byte { return render("kustomization", files) }

// ConversionComponent returns the text of a kustomize component that patches every CRD
// with the file conversion.yaml.
func ConversionComponent() []byte { return render("conversion-component", nil) }

// GroupBase returns the text of the kustomization of an API group's CRDs and roles.
func GroupBase(group string) []byte { return render("group-base", group) }

// GroupOverlay returns the text of the kustomization of a group in the folder of a way
// to trust the webhook.
func GroupOverlay(name string) []byte { return render("group-overlay", name) }

// CRDOverlay returns the text of the kustomization of a group's CRDs alone, beside those
// that [GroupOverlay] returns.
func CRDOverlay(name string) []byte { return render("crd-overlay", name) }

// Image is the image of a program of a release.
type Image struct {
	// Program is the name of the program, such as "webhook".
	Program string
	// Folder is the folder of the release that has the image.
	Folder string
	// Digest identifies the image, such as "sha256:4f…".
	Digest string
}

// Component returns the text of a kustomize component that makes the program's
// Deployment run the image.
func (i Image) Component() []byte { return render("image", i) }

// Roles has the fields of the roles of a group. Whoever may view a namespace may view
// its resources, which have no secrets. Whoever may edit them creates things in Azure
// with the rights of the operator and at somebody's cost, so that role must be granted
// explicitly. The operator writes metadata and Statuses, and never makes or deletes an
// object. It makes, keeps and removes the Secrets and ConfigMaps with outputs. The role
// for these has a binding of its own, for those who bind it in the namespaces of the
// objects alone.
type Roles struct {
	// Name is the name of the group in the release, and Group the API group.
	Name, Group string
	// Plurals are the names of the kinds' resources.
	Plurals []string
	// Outputs reports whether the operator writes outputs.
	Outputs bool
	// Operator is the operator's service account.
	Operator Account
}

// Account is a service account.
type Account struct{ Namespace, Name string }

// ParseAccount parses a namespace, "/" and a name.
func ParseAccount(text string) (Account, error) {
	namespace, name, found := strings.Cut(text, "/")
	if !found || namespace == "" || name == "" {
		return Account{}, fmt.Errorf("found %q, expected <namespace>/<name> of a service account", text)
	}
	return Account{namespace, name}, nil
}

// Text returns the text of the roles and their bindings.
func (r Roles) Text() []byte { return render("roles", r) }

// StorageWriters returns a ClusterRole that the policies of all groups ask for, and
// a binding of it to service accounts.
func StorageWriters(accounts []Account) []byte { return render("storage-writers", accounts) }

// OperatorWrites has the fields of the policy that limits what the operator's account writes.
type OperatorWrites struct {
	// Operator is the operator's service account.
	Operator Account
	// Groups are the API groups whose objects may have outputs.
	Groups []string
}

// Text returns the text of the policy and its binding.
func (o OperatorWrites) Text() []byte {
	return render("operator-writes", struct {
		OperatorWrites
		Label, Holder, Finalizer string
		Types                    []string
	}{o, annotation.OutputOf, annotation.CredentialHolder, annotation.CredentialFinalizer, reference.SecretTypes})
}

// names has the names and values that policies look for in objects.
type names struct {
	APIVersion, Exact, Remainder, StopServing, Unreadable string
	RemainderGeneration, RemainderLost, RemainderSize     string
	Adopt, Deletion, Delete, Detach, Protect              string
	// Adopts and Deletions have the values of Adopt and of Deletion, as lists in CEL.
	Adopts, Deletions string
}

var annotations = names{
	APIVersion:          annotation.APIVersion,
	Exact:               annotation.Exact,
	Remainder:           annotation.Remainder,
	StopServing:         annotation.StopServing,
	Unreadable:          annotation.Unreadable,
	RemainderGeneration: annotation.RemainderGeneration,
	RemainderLost:       annotation.RemainderLost,
	RemainderSize:       annotation.RemainderSize,
	Adopt:               annotation.Adopt,
	Deletion:            annotation.Deletion,
	Delete:              annotation.DeletionDelete,
	Detach:              annotation.DeletionDetach,
	Protect:             annotation.DeletionProtect,
	Adopts: celList([]string{
		"", annotation.AdoptCreate, annotation.AdoptAdopt, annotation.AdoptExact, annotation.AdoptObserve}),
	Deletions: celList([]string{"", annotation.DeletionDelete, annotation.DeletionDetach, annotation.DeletionProtect}),
}
