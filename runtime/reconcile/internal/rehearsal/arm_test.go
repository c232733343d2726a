package rehearsal

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
)

// base is an ARM that has one resource, and fails the test if it gets more than reads.
type base struct {
	*testing.T
	// busy is how often it refuses requests, and got how many it gets.
	busy, got int
}

func (b *base) Do(request *http.Request) (*http.Response, error) {
	b.got++
	if request.Method != http.MethodGet && request.Method != http.MethodHead {
		b.Errorf("ARM got %s %s", request.Method, request.URL)
	}
	status, body := http.StatusNotFound, `{"error":{"code":"ResourceNotFound"}}`
	switch {
	case b.busy > 0:
		b.busy--
		return &http.Response{StatusCode: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {"7"}}, Body: http.NoBody}, nil
	case strings.HasSuffix(request.URL.Path, house):
		status, body = http.StatusOK, `{"id":"`+house+`","properties":{"rooms":1,"color":"red"}}`
	case strings.HasSuffix(request.URL.Path, "/houses"):
		status, body = http.StatusOK, `{"value":[{"id":"`+house+`"}],"nextLink":"https://arm.example/more"}`
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, nil
}

const (
	group = "/subscriptions/s/resourceGroups/g/providers/Contoso.Homes"
	house = group + "/houses/h"
)

func TestRehearsedARM(t *testing.T) {
	scheme := runtime.NewScheme()
	homes.AddToScheme(scheme)
	set, err := kinds.New(scheme, nil)
	if err != nil {
		t.Fatal(err)
	}
	var waited time.Duration
	start := func(t *testing.T) (*ARM, *base) {
		b := &base{T: t}
		return &ARM{Base: b, Kinds: set, Scheme: scheme,
			Wait: func(_ context.Context, refused time.Duration) error { waited += refused; return nil }}, b
	}
	send := func(t *testing.T, a *ARM, method, id, body string) (status int, text string) {
		t.Helper()
		request, err := http.NewRequest(method, "https://arm.example"+id+"?api-version=2020-02-02", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		response, err := a.Do(request)
		if err != nil {
			return 0, err.Error()
		}
		all, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, string(all)
	}
	t.Run("no verb but GET and HEAD is passed on", func(t *testing.T) {
		for method, want := range map[string]int{http.MethodGet: 200, http.MethodHead: 200, http.MethodPut: 200, http.MethodPost: 200,
			http.MethodDelete: 200, http.MethodPatch: 0, http.MethodOptions: 0, http.MethodConnect: 0, http.MethodTrace: 0, "PURGE": 0} {
			a, _ := start(t)
			id := house
			if method == http.MethodPost {
				id += "/listKeys"
			}
			if got, text := send(t, a, method, id, "{}"); got != want {
				t.Errorf("%s: got %d %s, want %d", method, got, text, want)
			}
		}
	})
	t.Run("a PUT keeps what it does not send, and a GET after it shows the result", func(t *testing.T) {
		a, _ := start(t)
		send(t, a, http.MethodPut, house, `{"properties":{"rooms":2}}`)
		if _, text := send(t, a, http.MethodGet, house, ""); !strings.Contains(text, `"color":"red","rooms":2`) {
			t.Errorf("got %s", text)
		}
	})
	t.Run("what is new has an id and outputs that nobody knows", func(t *testing.T) {
		a, _ := start(t)
		_, text := send(t, a, http.MethodPut, group+"/houses/new", `{}`)
		if !strings.Contains(text, `"id":"`+group+`/houses/new"`) {
			t.Errorf("got %s", text)
		}
		_, text = send(t, a, http.MethodPost, group+"/houses/new/listKeys", "")
		var keys struct {
			Keys []struct{ KeyName, Value string }
		}
		if err := json.Unmarshal([]byte(text), &keys); err != nil || len(keys.Keys) != 3 || !a.IsUnknown(keys.Keys[1].Value) {
			t.Errorf("got %s, %v", text, err)
		}
		if a.IsUnknown("a known text") {
			t.Error("a known text is unknown")
		}
	})
	t.Run("a child needs its parent", func(t *testing.T) {
		a, _ := start(t)
		for parent, want := range map[string]int{"h": 200, "none": 404} {
			if got, text := send(t, a, http.MethodPut, group+"/houses/"+parent+"/doors/d", `{}`); got != want {
				t.Errorf("%s: got %d %s, want %d", parent, got, text, want)
			}
		}
	})
	t.Run("what ARM makes with a resource is there", func(t *testing.T) {
		a, _ := start(t)
		send(t, a, http.MethodPut, group+"/houses/new", `{}`)
		if got, text := send(t, a, http.MethodGet, group+"/houses/new/deals/default", ""); got != 200 {
			t.Errorf("got %d %s", got, text)
		}
	})
	t.Run("what is deleted is gone, with all that it contains, and from lists", func(t *testing.T) {
		a, _ := start(t)
		send(t, a, http.MethodPut, house+"/doors/d", `{}`)
		send(t, a, http.MethodPut, group+"/houses/new", `{}`)
		send(t, a, http.MethodDelete, house, "")
		for _, id := range []string{house, house + "/doors/d", house + "/doors/other"} {
			if got, _ := send(t, a, http.MethodGet, id, ""); got != 404 {
				t.Errorf("%s: got %d", id, got)
			}
		}
		_, text := send(t, a, http.MethodGet, group+"/houses", "")
		if strings.Contains(text, house+`"`) || !strings.Contains(text, "/houses/new") || !strings.Contains(text, "nextLink") {
			t.Errorf("got %s", text)
		}
		if got, _ := send(t, a, http.MethodDelete, group+"/houses/none", ""); got != 204 {
			t.Errorf("the deletion of nothing: got %d", got)
		}
	})
	t.Run("each resource is read once, and again when ARM is busy", func(t *testing.T) {
		a, b := start(t)
		b.busy = 2
		for range 3 {
			if got, text := send(t, a, http.MethodGet, house, ""); got != 200 {
				t.Errorf("got %d %s", got, text)
			}
		}
		if b.got != 3 || waited != 14*time.Second {
			t.Errorf("ARM got %d requests, after %v", b.got, waited)
		}
		b.busy = 1000
		if got, _ := send(t, a, http.MethodGet, group+"/houses/other", ""); got != 429 {
			t.Errorf("got %d", got)
		}
	})
}
