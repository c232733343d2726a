package reconcile

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reference"
)

// TestMessages checks that a message says once what is wrong and where, and what to do.
func TestMessages(t *testing.T) {
	w := newWorld(t, armtest.Behavior{})
	message := func(name string) string {
		t.Helper()
		for _, c := range get[homes.House](w, name).Status.Conditions {
			if c.Type == Ready {
				return c.Reason + ": " + c.Message
			}
		}
		t.Fatalf("%s has no condition", name)
		return ""
	}
	w.create(newHouse("h", 3))
	w.pass(time.Minute)
	ready := message("h")
	if !strings.HasPrefix(ready, "Succeeded: ARM has what the Spec says at API version 2020-02-02, since 2026-01-01 00:00:0") {
		t.Errorf("got %q", ready)
	}
	w.pass(3 * time.Hour)
	if again := message("h"); again != ready {
		t.Errorf("a refresh changes %q to %q", ready, again)
	}
	second := newHouse("second", 3)
	second.Spec.Fields.AzureName = p("h")
	street := newHouse("street", 3)
	street.Spec.Fields.StreetReference = &reference.Resource{Group: "no.example", Kind: "Such", Name: "n"}
	w.create(second)
	w.create(street)
	w.pass(time.Minute)
	for name, want := range map[string]string{
		"second": "ClaimedByAnother: " + houseID + " belongs to House shop/h, which has created it in ARM or is about to: delete one " +
			"of the two objects, or give this one another name in Azure or another owner",
		"street": `UnknownKind: spec.streetReference: there is no kind "Such" of group "no.example" here: give an armId instead of "n"`,
	} {
		if got := message(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	// If the credential is wrong, the message names no place in the Spec.
	town := &homes.Town{ObjectMeta: objectMeta("town")}
	w.options.Credential = nil
	w.start()
	w.create(town)
	w.pass(time.Minute)
	conditions := get[homes.Town](w, "town").Status.Conditions
	c := meta.FindStatusCondition(conditions, Ready)
	if c == nil || c.Reason != ReasonCredentialMissing || !strings.HasPrefix(c.Message, "there is no Secret shop/") {
		t.Errorf("got %v", conditions)
	}
}

// TestReasons checks that the list of reasons has each reason that the package uses, and that
// docs/conditions.md says what each means and what to do.
func TestReasons(t *testing.T) {
	text, err := os.ReadFile("../../docs/conditions.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "\n| reason | what it means | what to do |\n|---|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var told []string
	for row := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(row), "|"), " | ")
		if len(cells) != 3 || strings.TrimSpace(cells[1]) == "" || strings.TrimSpace(cells[2]) == "" {
			t.Errorf("found the row %q, expected a reason, what it means, and what to do", row)
		}
		for _, name := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(cells[0], -1) {
			told = append(told, name[1])
		}
	}
	if want := slices.Clone(reasons); !found || !slices.Equal(slices.Sorted(slices.Values(told)), slices.Sorted(slices.Values(want))) {
		for _, r := range want {
			if !slices.Contains(told, r) {
				t.Errorf("docs/conditions.md does not say what %s means", r)
			}
		}
		for i, r := range told {
			if !slices.Contains(want, r) || slices.Contains(told[:i], r) {
				t.Errorf("docs/conditions.md has %s, which is no reason, or has it twice", r)
			}
		}
	}

	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	constants, listed := []string{}, []string{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := gotoken.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		// literal reports a reason that is written where it is used.
		literal := func(e ast.Expr) {
			if l, ok := e.(*ast.BasicLit); ok {
				t.Errorf("%s: the reason %s is none of the constants", set.Position(l.Pos()), l.Value)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for i, name := range n.Names {
					if strings.HasPrefix(name.Name, "Reason") {
						constants = append(constants, name.Name)
					}
					if name.Name == "reasons" {
						for _, e := range n.Values[i].(*ast.CompositeLit).Elts {
							listed = append(listed, e.(*ast.Ident).Name)
						}
					}
				}
			case *ast.CompositeLit:
				if of, ok := n.Type.(*ast.Ident); ok && of.Name == "problem" {
					for _, e := range n.Elts {
						if kv, ok := e.(*ast.KeyValueExpr); ok && kv.Key.(*ast.Ident).Name == "reason" {
							literal(kv.Value)
						}
					}
				}
			case *ast.CallExpr:
				if f, ok := n.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Eventf" {
					literal(n.Args[3])
				}
			}
			return true
		})
	}
	if len(constants) < 30 || !slices.Equal(slices.Sorted(slices.Values(constants)), slices.Sorted(slices.Values(listed))) {
		t.Errorf("the constants are %q, and reasons lists %q", constants, listed)
	}
}

// TestLasting has refusals that last until somebody changes something in Azure.
func TestLasting(t *testing.T) {
	disallow := func(w *world) {
		w.denied, w.denial = func(_, method, _ string) bool { return method != http.MethodGet }, "RequestDisallowedByPolicy"
	}
	stalled := func(r kinds.Resource) bool { return meta.IsStatusConditionTrue(*kinds.ConditionsOf(r), Stalled) }
	const tried = "; it is still tried every 10 minutes"
	t.Run("after the longest wait somebody has to act", func(t *testing.T) {
		for what, refuse := range map[string]func(*world){
			"a policy": disallow,
			"a quota": func(w *world) {
				w.behave(armtest.Behavior{Slowest: time.Second,
					Rates: armtest.Rates{armtest.AsyncOperation: 1, armtest.OperationFails: 1}})
			},
		} {
			w := newWorld(t, armtest.Behavior{})
			refuse(w)
			w.create(newHouse("h", 3))
			w.pass(9 * time.Minute)
			if h := get[homes.House](w, "h"); stalled(h) || strings.Contains(message(h), tried) {
				t.Errorf("%s: it is stalled after 9 minutes: %s", what, message(h))
			}
			w.pass(3 * time.Hour)
			if h := get[homes.House](w, "h"); !stalled(h) || !strings.Contains(message(h), tried) {
				t.Errorf("%s: it is not stalled after hours: %s %q", what, ready(h), message(h))
			}
			w.denied = nil
			w.behave(armtest.Behavior{})
			w.pass(12 * time.Minute)
			w.expect(what, get[homes.House](w, "h"), "True Succeeded")
		}
	})
	t.Run("what cannot change is said at once, and set back", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.FixedLocation: 1}})
		h := newHouse("h", 3)
		h.Spec.Fields.Location = p("westeurope")
		w.create(h)
		w.pass(time.Minute)
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Location = p("eastus") })
		w.pass(time.Minute)
		w.expect("at once", get[homes.House](w, "h"), "False InvalidResourceLocation", "westeurope",
			"cannot change once the resource exists", "set it back")
		if !stalled(get[homes.House](w, "h")) {
			t.Error("it is not stalled")
		}
		w.pass(5 * time.Hour)
		if n := w.count("PUT", houseID); n > 8 {
			t.Errorf("ARM got %d PUTs in five hours", n)
		}
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Location = p("westeurope") })
		w.pass(time.Minute)
		w.expect("set back", get[homes.House](w, "h"), "True Succeeded")
	})
	t.Run("nobody has to act while a service is busy", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.overloaded = "houses"
		w.create(newHouse("h", 3))
		w.pass(5 * time.Hour)
		if h := get[homes.House](w, "h"); stalled(h) {
			t.Errorf("it is stalled: %s", message(h))
		}
	})
	t.Run("a deletion that ARM refuses", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		disallow(w)
		w.delete(get[homes.House](w, "h"))
		w.pass(3 * time.Hour)
		if h := get[homes.House](w, "h"); !stalled(h) || !strings.Contains(message(h), tried) ||
			!meta.IsStatusConditionTrue(h.Status.Conditions, DeletionRefused) {
			t.Errorf("got %s %q", ready(h), message(h))
		}
	})
	t.Run("an edit begins anew, also where an operation fails", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Slowest: time.Second,
			Rates: armtest.Rates{armtest.LocationOperation: 1, armtest.OperationFails: 1}})
		w.create(newHouse("h", 3))
		w.pass(5 * time.Hour)
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
		before := w.count("PUT", "")
		w.pass(2 * time.Minute)
		if n := w.count("PUT", "") - before; n < 4 {
			t.Errorf("got %d PUTs in two minutes", n)
		}
		if h := get[homes.House](w, "h"); stalled(h) {
			t.Errorf("it is stalled: %s", message(h))
		}
	})
}

// TestReasonOf checks that the API server accepts a reason, also in an event.
func TestReasonOf(t *testing.T) {
	for code, want := range map[string]string{
		"A.b c": "A_b_c", "403": "Code403", strings.Repeat("x", 300): strings.Repeat("x", 128),
	} {
		if got := reasonOf(code); got != want {
			t.Errorf("%s: got %s", code, got)
		}
	}
}
