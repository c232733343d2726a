package cluster

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/reconcile"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/tools/armature/command"
)

// commands returns the commands of docs/operator.md that need no Azure, and no nodes: those of
// blocks "sh", and those of kubectl in the text that change something.
func commands(t *testing.T) (all []string) {
	text, err := os.ReadFile("../../../docs/operator.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	blocks := regexp.MustCompile("(?ms)^```(\\S*)( [^\n]+)?\n(.*?)^```$")
	for _, b := range blocks.FindAllStringSubmatch(page, -1) {
		switch info := b[1] + b[2]; info {
		case "sh":
			all = append(all, strings.Split(strings.TrimSpace(strings.ReplaceAll(b[3], "\\\n", " ")), "\n")...)
		case "sh azure":
			if !regexp.MustCompile(`(?m)^az |-- import `).MatchString(b[3]) {
				t.Errorf("nothing in this block needs Azure:\n%s", b[3])
			}
		case "sh release", "sh by hand", "yaml", "go", "":
		default:
			t.Errorf("found a block of %q, expected sh, sh azure, sh release or sh by hand for commands", info)
		}
	}
	for _, found := range regexp.MustCompile("(?s)`(kubectl (?:annotate|delete|label|patch|apply) [^`]*)`").
		FindAllStringSubmatch(blocks.ReplaceAllString(page, ""), -1) {
		if strings.Contains(found[1], "<") || strings.Contains(found[1], "=") {
			all = append(all, found[1])
		}
	}
	for i := range all {
		all[i] = strings.Join(strings.Fields(all[i]), " ")
	}
	return all
}

// kubectl does what kubectl annotate and kubectl delete do with Houses and Namespaces.
func (s *stage) kubectl(arguments []string) {
	s.Helper()
	verb, kind, name, namespace, values := arguments[0], arguments[1], "", "default", map[string]any{}
	everywhere := false
	for i := 2; i < len(arguments); i++ {
		switch a := arguments[i]; {
		case a == "-A":
			everywhere = true
		case a == "-n":
			i++
			namespace = arguments[i]
		case a == "--all", a == "--overwrite":
		case strings.HasSuffix(a, "-"):
			values[strings.TrimSuffix(a, "-")] = nil
		case strings.Contains(a, "="):
			key, value, _ := strings.Cut(a, "=")
			values[key] = strings.Trim(value, `"`)
		default:
			name = a
		}
	}
	resource := schema.GroupVersionResource{Group: homes.Group, Version: homes.V2020 + "storage", Resource: "houses"}
	if kind == "namespace" {
		resource, namespace = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}, ""
	}
	if everywhere {
		namespace = ""
	}
	list, err := s.plane.Client.Resource(resource).Namespace(namespace).List(s.Context(), metav1.ListOptions{})
	if err != nil {
		s.Fatal(err)
	}
	for _, o := range list.Items {
		if name != "" && o.GetName() != name {
			continue
		}
		of := s.plane.Client.Resource(resource).Namespace(o.GetNamespace())
		switch verb {
		case "annotate":
			var patch []string
			for key, value := range values {
				text := "null"
				if value != nil {
					text = fmt.Sprintf("%q", value)
				}
				patch = append(patch, fmt.Sprintf("%q:%s", key, text))
			}
			_, err = of.Patch(s.Context(), o.GetName(), types.MergePatchType,
				[]byte(`{"metadata":{"annotations":{`+strings.Join(patch, ",")+`}}}`), metav1.PatchOptions{})
		case "delete":
			err = of.Delete(s.Context(), o.GetName(), metav1.DeleteOptions{})
		default:
			s.Fatalf("cannot do kubectl %q", arguments)
		}
		if err != nil {
			s.Fatal(err)
		}
	}
}

// TestDocs runs the commands of docs/operator.md, each of which has an effect here that the
// page says.
func TestDocs(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.asRelease()
	s.namespace("team-a")
	s.start()
	annotations := func() map[string]string {
		h := &homes.House{}
		if err := s.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: "h0"}, h); err != nil {
			t.Fatal(err)
		}
		return h.Annotations
	}
	// has waits until an annotation of the House is as a command says.
	has := func(key string, want func(value string) bool) func() {
		return func() {
			s.eventually(key, func() string {
				if value := annotations()[key]; !want(value) {
					return "it is " + value
				}
				return ""
			})
		}
	}
	is := func(want string) func(string) bool { return func(value string) bool { return value == want } }
	s.house("default", "h0", "")
	s.becomes("default", "h0", reconcile.ReasonSucceeded)
	const a = "11111111-1111-1111-1111-111111111111"
	fill := strings.NewReplacer("<kind>", "house", "<name>", "h0", "team-a", "team-a", "$TENANT", a, "$CLIENT", a, "$SUBSCRIPTION", a,
		"$A", a, "$B", a, `"$(date)"`, "now")
	// What a command does is checked after it.
	effects := map[string]func(){
		"identity": func() {
			o := s.plane.Client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "secrets"}).Namespace("team-a")
			if _, err := o.Get(t.Context(), reconcile.CredentialSecret, metav1.GetOptions{}); err != nil {
				t.Error(err)
			}
		},
		"annotate namespace": func() {
			s.house("team-a", "outside", "")
			s.becomes("team-a", "outside", reconcile.ReasonOutsideScopes)
		},
		"annotate <kind> <name> " + annotation.ReconcilePolicy: has(annotation.ReconcilePolicy, is(annotation.PolicyDetach)),
		"annotate <kind> <name> again":                         has("again", is("now")),
		"annotate <kind> --all -A":                             has(annotation.ReconcilePolicy, is(annotation.PolicyDetach)),
		"annotate <kind> --all -n team-a " + annotation.Operator: func() {
			// The operator that manages the object marks it again.
			s.becomes("default", "h0", reconcile.ReasonSucceeded)
		},
		"delete <kind>": func() {
			s.eventually("gone", func() string {
				err := s.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: "h0"}, &homes.House{})
				if !apierrors.IsNotFound(err) {
					return fmt.Sprint(err)
				}
				return ""
			})
			if _, found := s.arm.Resource(houseID(0)); !found {
				t.Error("what shall stay is not in ARM any more")
			}
		},
	}
	all := commands(t)
	// What deletes comes last, wherever the page has it.
	slices.SortStableFunc(all, func(x, y string) int {
		last := func(c string) int { return strings.Count(c, "kubectl delete") }
		return last(x) - last(y)
	})
	for _, line := range all {
		var effect func()
		for of, do := range effects {
			if strings.Contains(line, " "+of) {
				effect = do
			}
		}
		if effect == nil {
			t.Errorf("docs/operator.md has %q, and this test does not know what it does", line)
			continue
		}
		t.Logf("$ %s", line)
		filled := fill.Replace(line)
		if piped, of, isPiped := strings.Cut(filled, " | "); isPiped {
			arguments, ours := strings.CutPrefix(piped, "./bazelw run //tools/armature -- ")
			if !ours || of != "kubectl apply --server-side -f -" {
				t.Fatalf("cannot run %q", filled)
			}
			root, err := command.New()
			if err != nil {
				t.Fatal(err)
			}
			var printed bytes.Buffer
			root.SetArgs(strings.Fields(arguments))
			root.SetOut(&printed)
			if err := root.Execute(); err != nil {
				t.Fatal(err)
			}
			s.apply(printed.Bytes())
		} else {
			s.kubectl(strings.Fields(filled)[1:])
		}
		effect()
	}
	if len(all) < 6 {
		t.Errorf("found the commands %q, expected more", all)
	}
}
