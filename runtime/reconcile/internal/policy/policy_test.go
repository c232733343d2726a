package policy_test

import (
	"cmp"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/reconcile/internal/policy"
)

// TestOf combines the annotations of an object with those of its namespace.
func TestOf(t *testing.T) {
	for _, row := range []struct {
		name                          string
		own, ofNamespace              string // the values of adopt, of deletion and of drift
		adopt, deletion, drift, wrong string
		observes, deletes, ownAdopted bool
	}{
		{name: "nothing", own: " ", ofNamespace: " ", adopt: "create", deletion: "delete", deletes: true},
		{name: "the object's", own: "exact detach", ofNamespace: " ", adopt: "exact", deletion: "detach"},
		{name: "what was adopted", own: " ", ofNamespace: " ", adopt: "create", deletion: "detach", ownAdopted: true},
		{name: "what was adopted, and is to be deleted", own: " delete", ofNamespace: " ", adopt: "create", deletion: "delete",
			deletes: true, ownAdopted: true},
		{name: "the namespace's", own: " ", ofNamespace: "exact protect", adopt: "exact", deletion: "protect"},
		{name: "what was adopted, where all is deleted", own: " ", ofNamespace: " delete", adopt: "create", deletion: "delete",
			deletes: true, ownAdopted: true},
		{name: "an object that is stricter", own: "observe protect", ofNamespace: "exact detach", adopt: "observe", deletion: "protect",
			observes: true},
		{name: "an object that is less strict", own: "exact ", ofNamespace: "create ", wrong: "permits nothing less strict than create"},
		{name: "likewise about its deletion", own: " delete", ofNamespace: " detach", wrong: "permits nothing less strict than detach"},
		{name: "an unknown value", own: "take ", ofNamespace: " ",
			wrong: `found "take" in the annotation armature.dev/adopt, expected exact, adopt, create or observe`},
		{name: "unknown values of both, the object's first", own: "take ", ofNamespace: "seize ",
			wrong: `found "take" in the annotation armature.dev/adopt, expected`},
		{name: "an object that hides drift", own: "  ignore", ofNamespace: "  report",
			wrong: `found "ignore" in the annotation armature.dev/drift, and the namespace permits nothing less strict than report`},
		{name: "an object that reports what its namespace corrects", own: "  report", ofNamespace: "  correct", adopt: "create",
			deletion: "delete", drift: "report", deletes: true},
		{name: "an object that corrects what its namespace ignores", own: "  correct", ofNamespace: "  ignore", adopt: "create",
			deletion: "delete", drift: "correct", deletes: true},
		{name: "one of the namespace", own: " ", ofNamespace: " keep",
			wrong: `found "keep" in the annotation armature.dev/deletion of the namespace`},
	} {
		t.Run(row.name, func(t *testing.T) {
			annotate := func(values string) metav1.Object {
				all := append(strings.Split(values, " "), "")
				return &metav1.ObjectMeta{UID: "u", Annotations: map[string]string{
					annotation.Adopt: all[0], annotation.Deletion: all[1], annotation.Drift: all[2]}}
			}
			object := annotate(row.own)
			if row.ownAdopted {
				object.GetAnnotations()[annotation.Sent] = `{"phase":"accepted","uid":"u","id":"/a","adopted":true}`
			}
			p := policy.Of(object, annotate(row.ofNamespace), policy.Defaults{})
			if row.wrong != "" {
				if !strings.Contains(p.Problem(), row.wrong) {
					t.Errorf("got %q, want %q in it", p.Problem(), row.wrong)
				}
				return
			}
			if p.Problem() != "" || p.Adopt != row.adopt || p.Deletion != row.deletion || p.Drift != cmp.Or(row.drift, "report") ||
				p.Observes() != row.observes || p.Deletes() != row.deletes {
				t.Errorf("got %+v, which observes: %v, deletes: %v", p, p.Observes(), p.Deletes())
			}
		})
	}
}

// TestDefaults has defaults that the operator was given.
func TestDefaults(t *testing.T) {
	none := &metav1.ObjectMeta{}
	if p := policy.Of(none, none, policy.Defaults{Adopt: "exact", Deletion: "detach"}); p.Adopt != "exact" || p.Deletion != "detach" {
		t.Errorf("got %+v", p)
	}
	strict := &metav1.ObjectMeta{Annotations: map[string]string{annotation.Adopt: "create"}}
	if p := policy.Of(none, strict, policy.Defaults{Adopt: "exact"}); p.Adopt != "create" || p.Problem() != "" {
		t.Errorf("of a namespace that says another: got %+v", p)
	}
	if err := (policy.Defaults{Adopt: "take"}).Check(); err == nil {
		t.Error("an unknown value was taken")
	}
	if err := (policy.Defaults{}).Check(); err != nil {
		t.Error(err)
	}
}
