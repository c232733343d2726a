package wiring

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"

	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
)

// newTestStarter returns a starter of some kinds, without a manager.
func newTestStarter(t *testing.T, discover discoverer, names ...string) *starter {
	scheme := runtime.NewScheme()
	homes.AddToScheme(scheme)
	set, err := kinds.New(scheme, nil)
	if err != nil {
		t.Fatal(err)
	}
	set.SetDiscovered(true)
	s := &starter{Connection: &Connection{Cluster: Cluster{Log: logr.Discard()}, options: Options{Kinds: set}},
		discover: discover, added: map[*kinds.Kind]bool{}}
	for _, name := range names {
		s.pending = append(s.pending, set.ByName[schema.GroupKind{Group: homes.Group, Kind: name}])
	}
	return s
}

// TestDiscovery counts the requests to an API server that lacks groups of the operator.
func TestDiscovery(t *testing.T) {
	answers := map[string]any{
		"/api": metav1.APIVersions{Versions: []string{"v1"}},
		"/apis": metav1.APIGroupList{Groups: []metav1.APIGroup{{Name: "apps", Versions: []metav1.GroupVersionForDiscovery{
			{GroupVersion: "apps/v1", Version: "v1"}}}}},
	}
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		asked = append(asked, request.URL.Path)
		answer, found := answers[request.URL.Path]
		if !found {
			response.WriteHeader(http.StatusInternalServerError)
			return
		}
		response.Header().Set("Content-Type", "application/json")
		json.NewEncoder(response).Encode(answer)
	}))
	defer server.Close()
	client, err := discovery.NewDiscoveryClientForConfig(&rest.Config{Host: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	client.UseLegacyDiscovery = true
	s := newTestStarter(t, client, "House", "Door")
	house, door := s.pending[0], s.pending[1]
	s.added = map[*kinds.Kind]bool{house: true, door: true}
	look := func(what string, want ...string) {
		t.Helper()
		asked = nil
		if err := s.add(t.Context()); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if slices.Sort(asked); !slices.Equal(asked, want) {
			t.Errorf("%s: the API server was asked for %q, want %q", what, asked, want)
		}
	}
	look("an absent group costs two small requests", "/api", "/apis")
	if house.Availability() != kinds.Absent {
		t.Errorf("House is %d", house.Availability())
	}
	group := metav1.APIGroup{Name: homes.Group, Versions: []metav1.GroupVersionForDiscovery{
		{GroupVersion: house.Stored.GroupVersion().String(), Version: house.Stored.Version}}}
	answers["/apis"] = metav1.APIGroupList{Groups: []metav1.APIGroup{group}}
	path := "/apis/" + house.Stored.GroupVersion().String()
	look("a group that is broken is no error of all", "/api", "/apis", path)
	if house.Availability() != kinds.Unreadable {
		t.Errorf("House is %d", house.Availability())
	}
	answers[path] = metav1.APIResourceList{GroupVersion: house.Stored.GroupVersion().String(),
		APIResources: []metav1.APIResource{{Name: "houses", Kind: "House"}}}
	look("a kind that has come is found", "/api", "/apis", path)
	if house.Availability() != kinds.Available || door.Availability() != kinds.Absent || len(s.pending) != 1 {
		t.Errorf("House is %d, Door is %d, and %d are left", house.Availability(), door.Availability(), len(s.pending))
	}
}

// nothing is the discovery of a cluster that serves none of the kinds.
type nothing struct{}

func (nothing) ServerGroups() (*metav1.APIGroupList, error) { return &metav1.APIGroupList{}, nil }

func (nothing) ServerResourcesForGroupVersion(string) (*metav1.APIResourceList, error) {
	return nil, nil
}

// TestStart looks for kinds before an instance leads, and while it does, for the race detector.
func TestStart(t *testing.T) {
	s := newTestStarter(t, nothing{}, "House")
	house := s.pending[0]
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan bool)
	go func() {
		defer close(done)
		if err := s.Start(ctx); err != nil {
			t.Error(err)
		}
	}()
	for range 100 {
		if err := s.add(ctx); err != nil {
			t.Error(err)
		}
		s.options.Kinds.Lost <- house
	}
	cancel()
	<-done
}
