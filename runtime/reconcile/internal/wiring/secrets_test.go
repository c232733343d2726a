package wiring

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"
)

// store is an API server with the Secrets of a namespace. It counts the requests.
type store struct {
	mutex       sync.Mutex
	values      map[string]string
	gets, lists int
	refuses     error // of lists
}

func (s *store) Get(_ context.Context, name ctrlclient.ObjectKey, into ctrlclient.Object, _ ...ctrlclient.GetOption) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.gets++
	value, found := s.values[name.Name]
	if !found {
		return apierrors.NewNotFound(corev1.Resource("secrets"), name.Name)
	}
	into.(*corev1.Secret).Data = map[string][]byte{"k": []byte(value)}
	return nil
}

func (s *store) List(_ context.Context, into ctrlclient.ObjectList, _ ...ctrlclient.ListOption) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.lists++; s.refuses != nil {
		return s.refuses
	}
	list := into.(*corev1.SecretList)
	for name, value := range s.values {
		secret := corev1.Secret{Data: map[string][]byte{"k": []byte(value)}}
		secret.Name = name
		list.Items = append(list.Items, secret)
	}
	return nil
}

// TestSecrets reads the Secrets of a namespace, as many objects do after a start.
func TestSecrets(t *testing.T) {
	const many = 500
	for name, test := range map[string]func(*testing.T, *watching, *secrets, *store){
		"few are read one by one": func(t *testing.T, w *watching, s *secrets, api *store) {
			for i := range secretsAtOnce {
				expectSecret(t, s, i, "v1")
			}
			expectRequests(t, api, secretsAtOnce, 0)
		},
		"many are read by one list": func(t *testing.T, w *watching, s *secrets, api *store) {
			start := time.Now()
			for i := range many {
				expectSecret(t, s, i, "v1")
			}
			expectRequests(t, api, secretsAtOnce, 1)
			if _, err := s.get(t.Context(), types.NamespacedName{Namespace: namespace, Name: "none"}); !apierrors.IsNotFound(err) {
				t.Errorf("of one that is not there got the error %v", err)
			}
			expectRequests(t, api, secretsAtOnce, 1)
			if took := time.Since(start); took > 0 {
				t.Errorf("it took %v", took)
			}
		},
		"a change is seen as soon as the watch reports it": func(t *testing.T, w *watching, s *secrets, api *store) {
			for i := range many {
				expectSecret(t, s, i, "v1")
			}
			api.values["s3"] = "v2"
			w.change("s3", "2")
			synctest.Wait()
			expectSecret(t, s, 3, "v2")
		},
		"a list is kept for a short time": func(t *testing.T, w *watching, s *secrets, api *store) {
			for i := range many {
				expectSecret(t, s, i, "v1")
			}
			time.Sleep(listKept)
			synctest.Wait()
			if s.in(namespace).list != nil {
				t.Error("it is still in memory")
			}
			expectSecret(t, s, 3, "v1")
			expectRequests(t, api, secretsAtOnce+1, 1)
		},
		"without a watch of the namespace there is no list, and few a second": func(t *testing.T, w *watching, s *secrets, api *store) {
			for name := range w.stops {
				w.stop(name)
			}
			start := time.Now()
			for i := range many {
				expectSecret(t, s, i, "v1")
			}
			expectRequests(t, api, many, 0)
			if took, least := time.Since(start), (many-secretsAtOnce)*time.Second/secretsPerSecond; took < least {
				t.Errorf("it took %v, want %v at least", took, least)
			}
		},
		"a namespace whose Secrets always change has a list in a while": func(t *testing.T, w *watching, s *secrets, api *store) {
			start := time.Now()
			for i := range many {
				expectSecret(t, s, i, "v1")
				s.changed(namespace)
			}
			if most := int(time.Since(start)/listEvery) + 1; api.lists > most || api.gets < many-most {
				t.Errorf("there were %d lists and %d single reads, want at most %d lists", api.lists, api.gets, most)
			}
		},
		"where a list is refused, they are read one by one": func(t *testing.T, w *watching, s *secrets, api *store) {
			api.refuses = apierrors.NewForbidden(corev1.Resource("secrets"), "", nil)
			for i := range 2 * secretsAtOnce {
				expectSecret(t, s, i, "v1")
			}
			expectRequests(t, api, 2*secretsAtOnce, 1)
		},
		"one namespace takes nothing from another": func(t *testing.T, w *watching, s *secrets, api *store) {
			api.refuses = apierrors.NewForbidden(corev1.Resource("secrets"), "", nil)
			for i := range 2 * secretsAtOnce {
				expectSecret(t, s, i, "v1")
			}
			start := time.Now()
			if _, err := s.get(t.Context(), types.NamespacedName{Namespace: "other", Name: "s1"}); err != nil || time.Since(start) > 0 {
				t.Errorf("got the error %v after %v", err, time.Since(start))
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w, api := newWatching(t), &store{values: map[string]string{}}
				s := newSecrets(api, w.watchesSecrets)
				w.secretChanged = s.changed
				for i := range many {
					api.values[fmt.Sprintf("s%d", i)] = "v1"
				}
				for i := range maxWatches + 1 {
					w.change(fmt.Sprintf("s%d", i), "1")
					w.begin(fmt.Sprintf("s%d", i))
				}
				w.settle()
				test(t, w, s, api)
				for name := range w.stops {
					w.stop(name)
				}
				w.settle()
				time.Sleep(listKept) // until the timers have ended
			})
		})
	}
}

// expectSecret reads a Secret.
func expectSecret(t *testing.T, s *secrets, i int, want string) {
	t.Helper()
	secret, err := s.get(t.Context(), types.NamespacedName{Namespace: namespace, Name: fmt.Sprintf("s%d", i)})
	if got := string(secret.Data["k"]); err != nil || got != want {
		t.Fatalf("s%d: got %q and the error %v, want %q", i, got, err, want)
	}
}

// expectRequests checks how many requests the API server got.
func expectRequests(t *testing.T, api *store, gets, lists int) {
	t.Helper()
	if api.gets != gets || api.lists != lists {
		t.Errorf("the API server got %d reads and %d lists, want %d and %d", api.gets, api.lists, gets, lists)
	}
}
