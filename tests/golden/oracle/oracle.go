// Package oracle runs controller-tools' own deep-copy and CRD generators over
// generated packages, so that a test can compare their output with armature's. Its
// main type is [Oracle].
//
// The generators load packages with the go command and the user's module cache, which a
// sandbox does not have. So Bazel runs the test outside of it. What it reads there is
// fixed by go.sum, so its result is cached.
package oracle

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/deepcopy"
	"sigs.k8s.io/controller-tools/pkg/genall"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

// module is the path of the temporary module in which packages are generated.
const module = "oracle.invalid"

// Oracle is a Go module in a temporary folder, with armature's dependencies.
type Oracle struct{ dir string }

// New makes the module in an empty folder. root is armature's own.
func New(root, dir string) (*Oracle, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	const own = "github.com/armature-dev/armature"
	text = bytes.Replace(text, []byte("module "+own), []byte("module "+module), 1)
	text = fmt.Appendf(text, "\nrequire %s v0.0.0\n\nreplace %s => %s\n", own, own, root)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), text, 0o644); err != nil {
		return nil, err
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return nil, err
	}
	return &Oracle{dir}, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644)
}

// Write adds a file, by its path in the module.
func (o *Oracle) Write(path string, text []byte) error {
	path = filepath.Join(o.dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

// Answer is the output of controller-tools for some packages.
type Answer struct {
	// DeepCopies are the texts of the deep copies, by the package's path.
	DeepCopies map[string][]byte
	// CRDs are by kind.
	CRDs map[string]apiextensionsv1.CustomResourceDefinition
}

// Ask runs the generators over the packages below a folder of the module, or
// over a package of armature, given by import path. All must be of one group.
func (o *Oracle) Ask(pattern string) (*Answer, error) {
	if !strings.HasPrefix(pattern, "github.com/") {
		pattern = module + "/" + pattern + "/..."
	}
	roots, err := loader.LoadRootsWithConfig(&packages.Config{
		Dir: o.dir,
		Env: append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off"),
	}, pattern)
	if err != nil {
		return nil, err
	}
	registry := new(markers.Registry)
	objects := deepcopy.Generator{}
	definitions := crd.Generator{}
	if err := errors.Join(objects.RegisterMarkers(registry), definitions.RegisterMarkers(registry)); err != nil {
		return nil, err
	}
	files := outputs{}
	ctx := &genall.GenerationContext{
		Collector:  &markers.Collector{Registry: registry},
		Checker:    &loader.TypeChecker{NodeFilters: []loader.NodeFilter{objects.CheckFilter()}},
		Roots:      roots,
		OutputRule: files,
	}
	if err := objects.Generate(ctx); err != nil {
		return nil, err
	}
	answer := &Answer{DeepCopies: map[string][]byte{}, CRDs: askCRDs(ctx)}
	for path, text := range files {
		answer.DeepCopies[strings.TrimPrefix(path, module+"/")] = text.Bytes()
	}
	return answer, packageErrors(roots)
}

// askCRDs returns the CRDs of the packages' kinds.
func askCRDs(ctx *genall.GenerationContext) map[string]apiextensionsv1.CustomResourceDefinition {
	parser := &crd.Parser{Collector: ctx.Collector, Checker: ctx.Checker, AllowDangerousTypes: true}
	crd.AddKnownTypes(parser)
	for _, root := range ctx.Roots {
		parser.NeedPackage(root)
	}
	crds := map[string]apiextensionsv1.CustomResourceDefinition{}
	meta := crd.FindMetav1(ctx.Roots)
	if meta == nil {
		return crds
	}
	for _, kind := range crd.FindKubeKinds(parser, meta) {
		parser.NeedCRDFor(kind, nil)
		crds[kind.Kind] = parser.CustomResourceDefinitions[kind]
	}
	return crds
}

// withoutStorage is the error of controller-tools if no version is the stored one,
// as among API versions alone.
var withoutStorage = regexp.MustCompile(`^CRD for .* has no storage version$`)

// packageErrors returns the errors that the generators leave in the packages,
// except type errors: without their deep copies the packages do not compile.
func packageErrors(roots []*loader.Package) error {
	var errs []error
	for _, root := range roots {
		for _, err := range root.Errors {
			if err.Kind != packages.TypeError && !withoutStorage.MatchString(err.Msg) {
				errs = append(errs, fmt.Errorf("%s: %w", root.PkgPath, err))
			}
		}
	}
	return errors.Join(errs...)
}

// outputs keeps the output of a generator, by the package's path.
type outputs map[string]*bytes.Buffer

// Open returns a writer for a package. A generator calls it.
func (o outputs) Open(pkg *loader.Package, _ string) (io.WriteCloser, error) {
	buffer := new(bytes.Buffer)
	o[pkg.PkgPath] = buffer
	return closer{buffer}, nil
}

type closer struct{ *bytes.Buffer }

func (closer) Close() error { return nil }

// WithoutHeader returns a Go file without its header, in which the two differ, and
// without an empty import clause.
func WithoutHeader(text []byte) string {
	i := bytes.Index(text, []byte("\npackage "))
	return strings.Replace(string(text[i+1:]), "import ()\n\n", "", 1)
}
