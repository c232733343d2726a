package claims_test

import (
	"errors"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/armature-dev/armature/runtime/reconcile/internal/claims"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
)

func holder(name string) claims.Holder {
	return claims.Holder{UID: types.UID(name), Object: named.Object{NamespacedName: types.NamespacedName{Name: name}}}
}

func TestClaims(t *testing.T) {
	var c claims.Claims
	a, b := holder("a"), holder("b")
	nobody := func() (*claims.Holder, error) { return nil, nil }
	take := func(what, id string, by claims.Holder, recorded func() (*claims.Holder, error), want *claims.Holder) {
		t.Helper()
		got, err := c.Take(id, by, recorded)
		if err != nil || (got == nil) != (want == nil) || got != nil && *got != *want {
			t.Errorf("%s: got %v and %v, want %v", what, got, err, want)
		}
	}
	take("the first", "/x/One", a, nobody, nil)
	take("once more", "/x/one/", a, nobody, nil)
	take("another object, in another case", "/X/ONE", b, nobody, &a)
	take("one whose record has it", "/x/two", b, func() (*claims.Holder, error) { return &a, nil }, &a)
	if other := c.Other("/x/one", a.Object); other != nil {
		t.Errorf("got %v for the holder itself", other)
	}
	take("another id gives the first one up", "/x/three", a, nobody, nil)
	take("which is free then", "/x/one", b, nobody, nil)
	if !c.Release(b.Object) || c.Release(b.Object) {
		t.Error("a claim is released once")
	}
	take("what was released", "/x/one", a, nobody, nil)
	failure := errors.New("no cache")
	if _, err := c.Take("/x/four", b, func() (*claims.Holder, error) { return nil, failure }); !errors.Is(err, failure) {
		t.Errorf("got %v, want the error of the record", err)
	}
	take("nothing is taken then", "/x/four", a, nobody, nil)
}
