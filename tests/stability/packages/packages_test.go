package packages

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/apidiff"
	"golang.org/x/tools/go/packages"

	"github.com/armature-dev/armature/internal/golden"
)

// root is the root of the repository, or of the runfiles.
const root = "../../.."

const runtime = "github.com/armature-dev/armature/runtime/"

// private matches the packages that docs/stability.md excludes.
var private = regexp.MustCompile(`/internal/|/examples/|test$|/reconcile/cluster$`)

// TestPackages compares what the packages of the runtime export with the files in
// testdata. Where they differ, apidiff says whether a caller of the old API still builds.
func TestPackages(t *testing.T) {
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps | packages.NeedSyntax |
			packages.NeedTypesInfo,
		Dir: root,
	}, "./runtime/...")
	if err != nil {
		t.Fatal(err)
	}
	known := loadedTypes{}
	packages.Visit(loaded, nil, func(p *packages.Package) { known[p.PkgPath] = p.Types })
	docs, err := os.ReadFile(filepath.Join(root, "docs", "stability.md"))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			t.Fatalf("%s: %v", p.PkgPath, p.Errors)
		}
		if private.MatchString(p.PkgPath) {
			continue
		}
		if name := "`" + strings.TrimPrefix(p.PkgPath, runtime) + "`"; !strings.Contains(string(docs), name) {
			t.Errorf("docs/stability.md does not list %s", name)
		}
		text, err := Stub(p.Types)
		if err != nil {
			t.Fatalf("%s: %v\n%s", p.PkgPath, err, text)
		}
		name := strings.TrimPrefix(p.PkgPath, runtime) + ".go.txt"
		got[name] = text
		if verdict, err := judge(text, p.Types, known); err != nil || verdict != "" {
			t.Errorf("%s: apidiff about the package and its own stub: %v %s", p.PkgPath, err, verdict)
		}
		was, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil || string(was) == text {
			continue // a new package, which EqualFolder reports
		}
		verdict, err := judge(string(was), p.Types, known)
		if err != nil {
			t.Errorf("%s: apidiff cannot compare: %v", p.PkgPath, err)
		}
		t.Logf("%s: apidiff says\n%s", p.PkgPath, verdict)
	}
	if len(got) < 10 {
		t.Errorf("found only %d packages", len(got))
	}
	golden.EqualFolder(t, "testdata", got)
}

// loadedTypes imports packages that are loaded.
type loadedTypes map[string]*types.Package

func (l loadedTypes) Import(path string) (*types.Package, error) {
	if p := l[path]; p != nil {
		return p, nil
	}
	return nil, errors.New("the package " + path + " is not there any longer")
}

// judge returns apidiff's verdict on the change from the source of an old API.
func judge(was string, is *types.Package, from types.Importer) (string, error) {
	old, err := check(is.Path(), was, from)
	if err != nil {
		return "", err
	}
	return apidiff.Changes(old, is).String(), nil
}

// check returns the package of a source.
func check(path, source string, from types.Importer) (*types.Package, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "stub.go", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	config := &types.Config{IgnoreFuncBodies: true, Importer: from}
	return config.Check(path, set, []*ast.File{file}, nil)
}

// TestStub makes stubs of small packages, which must be packages with the same API.
func TestStub(t *testing.T) {
	source := `package p

import (
	"io"
	"time"
)

const Wait = 3 * time.Second
const Name = "n"
type Kind string
const First Kind = "first"
var Err error
type Reader interface{ io.Reader; Kind() Kind }
type Pair[K comparable, V any] struct { Key K ` + "`json:\"key\"`" + `; Value V; state hidden }
func (p *Pair[K, V]) Set(K, V) error { return nil }
func (p Pair[K, V]) private() {}
type hidden struct{ n []int }
func (hidden) Close() {}
func Open(name string, more ...hidden) (*hidden, error) { return nil, nil }
func Each[T any](all []T, do func(T)) {}
type Names = map[string][]Kind
func unseen() {}
`
	std := loadedTypes{}
	loaded, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes}, "io", "time")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range loaded {
		std[p.PkgPath] = p.Types
	}
	p, err := check("p", source, std)
	if err != nil {
		t.Fatal(err)
	}
	text, err := Stub(p)
	if err != nil {
		t.Fatal(err)
	}
	want := `package p

import io "io"
import time "time"

func Each[T any](all []T, do func(T)) { panic(nil) }

var Err error

const First Kind = "first"

type Kind string

const Name = "n"

type Names = map[string][]Kind

func Open(name string, more ...hidden) (*hidden, error)

type Pair[K comparable, V any] struct {
	Key   K ` + "`json:\"key\"`" + `
	Value V
	_     func()
}

func (*Pair[K, V]) Set(K, V) error

type Reader interface {
	Kind() Kind
	io.Reader
}

const Wait time.Duration = 3000000000

type hidden struct {
	_ func()
}

func (hidden) Close()
`
	if diff := cmp.Diff(want, text); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	verdict, err := judge(text, p, std)
	if err != nil || verdict != "" {
		t.Errorf("a package and its own stub: %v, %s", err, verdict)
	}
	for _, test := range []struct{ reason, old, new, want string }{
		{"a new function", "", "func More() {}\n", "Compatible changes:\n- More: added\n"},
		{"a function that is gone", "func Open(", "func Opened(",
			"Incompatible changes:\n- Open: removed\nCompatible changes:\n- Opened: added\n"},
		{"one parameter more", "func Open(name string, ", "func Open(name string, n int, ",
			"Incompatible changes:\n- Open: changed from func(string, ...hidden) (*hidden, error) to func(string, int, ...hidden) (*hidden, error)\n"},
		{"another method of an interface", "Kind() Kind }", "Kind() Kind; Size() int }", "Incompatible changes:\n- Reader.Size: added\n"},
		{"an unexported field", "state hidden", "state hidden; more int", ""},
	} {
		changed := source + test.new
		if test.old != "" {
			changed = strings.Replace(source, test.old, test.new, 1)
		}
		is, err := check("p", changed, std)
		if err != nil {
			t.Fatalf("%s: %v", test.reason, err)
		}
		if got, err := judge(text, is, std); err != nil || got != test.want {
			t.Errorf("%s: %v, %q, want %q", test.reason, err, got, test.want)
		}
	}
}
