package cluster

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/armature-dev/armature/runtime/reconcile"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reference"
)

// watches returns how many watches of Secrets the API server has.
func (s *stage) watches() (n int) {
	s.Helper()
	text, err := s.plane.Discovery.RESTClient().Get().AbsPath("/metrics").DoRaw(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "apiserver_longrunning_requests{") || !strings.Contains(line, `resource="secrets"`) ||
			!strings.Contains(line, `verb="WATCH"`) {
			continue
		}
		value, err := strconv.ParseFloat(strings.TrimSpace(line[strings.LastIndexByte(line, ' '):]), 64)
		if err != nil {
			s.Fatal(err)
		}
		n += int(value)
	}
	return n
}

// TestManySecrets makes an object that refers to 20,000 Secrets, and many objects that each refer to others, of which
// there is none.
func TestManySecrets(t *testing.T) {
	const houses, each = 300, 10
	t.Parallel()
	s := newStage(t)
	house := func(name string, from, to int) *homes.House {
		h := &homes.House{ObjectMeta: named(name)}
		h.Spec.Fields.Owner = &reference.Owner{ARMID: group}
		for i := from; i < to; i++ {
			h.Spec.Fields.Keys = append(h.Spec.Fields.Keys, reference.Secret{Name: fmt.Sprintf("secret-%05d", i), Key: "k"})
		}
		return h
	}
	all := []*homes.House{house("many", 0, 20000)}
	for i := range houses {
		all = append(all, house(fmt.Sprintf("h%d", i), i*each, (i+1)*each))
	}
	for _, h := range all {
		if err := s.Create(t.Context(), h); err != nil {
			t.Fatal(err)
		}
	}
	none := s.watches()
	for _, start := range []string{"first", "again"} {
		m := s.measure()
		m.until("all are looked at", 5*time.Minute, func(v map[string]float64) bool {
			return v["controller_runtime_reconcile_total"] > houses
		})
		s.becomes("default", "many", reconcile.ReasonInvalidSpec)
		for i := range houses {
			s.becomes("default", fmt.Sprintf("h%d", i), reconcile.ReasonSecretMissing)
		}
		// One of the namespace, of the keys, of what the operator holds.
		s.eventually("watches", func() string {
			if n := s.watches() - none; n > 5 {
				return fmt.Sprintf("there are %d of Secrets", n)
			}
			return ""
		})
		t.Logf("%s: %d watches, at most %.0f MB", start, s.watches()-none, m.peak())
		if mb := m.peak(); mb > 200 {
			t.Errorf("%s: the operator took %.0f MB, want at most 200", start, mb)
		}
		if start == "again" {
			break // it goes on
		}
		m.stop()
	}
	for i := range each {
		o := &corev1.Secret{ObjectMeta: named(fmt.Sprintf("secret-%05d", i)), Data: map[string][]byte{"k": []byte("x")}}
		if err := s.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	s.becomes("default", "h0", reconcile.ReasonSucceeded)
	for _, h := range all {
		if err := s.Delete(t.Context(), h); err != nil {
			t.Fatal(err)
		}
	}
	s.eventually("all are gone", func() string {
		var left homes.HouseList
		if err := s.List(t.Context(), &left); err != nil || len(left.Items) > 0 {
			return fmt.Sprintf("%d are left, %v", len(left.Items), err)
		}
		if n := s.watches() - none; n > 2 {
			return fmt.Sprintf("there are %d watches of Secrets", n)
		}
		return ""
	})
}
