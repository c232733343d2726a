package remains

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"

	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/arm/client"
)

const (
	group   = "/subscriptions/5a0c1b9e-0000-4000-8000-00000000cafe/resourceGroups/armature-smoke-abc"
	version = "2025-04-01"
)

// facts describe resource groups, which are all that the stand-in of this test has.
const facts = `{"swagger": "2.0", "info": {"version": "2025-04-01"}, "paths": {
  "/subscriptions/{subscriptionId}/resourcegroups/{resourceGroupName}": {"delete": {}, "put": {
    "parameters": [
      {"name": "resourceGroupName", "in": "path", "required": true, "type": "string"},
      {"name": "body", "in": "body", "schema": {"$ref": "#/definitions/Group"}}],
    "responses": {"200": {"description": "", "schema": {"$ref": "#/definitions/Group"}}}}}},
  "definitions": {"Group": {"type": "object", "x-ms-azure-resource": true, "properties": {
    "location": {"type": "string"}, "tags": {"type": "object", "additionalProperties": {"type": "string"}}}}}}`

// world is a stand-in for ARM, whose answers a test can replace.
type world struct {
	*testing.T
	arm     *armtest.Server
	instead func(*http.Request) (status int, code string) // 0 for none
	remains *Remains
}

func newWorld(t *testing.T) *world {
	t.Helper()
	arm, err := armtest.New(fstest.MapFS{"groups.json": {Data: []byte(facts)}})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{T: t, arm: arm}
	c, err := client.New(client.Options{Transport: w, Cloud: cloud.Configuration{Services: map[cloud.ServiceName]cloud.ServiceConfiguration{
		cloud.ResourceManager: {Endpoint: armtest.Endpoint, Audience: armtest.Endpoint},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	w.remains = &Remains{Client: c, Suffix: "abc", Resources: []Resource{{group, version}}, Pause: time.Millisecond}
	return w
}

// Do is the transport of the client.
func (w *world) Do(r *http.Request) (*http.Response, error) {
	if w.instead != nil {
		if status, code := w.instead(r); status != 0 {
			answer := httptest.NewRecorder()
			answer.WriteHeader(status)
			fmt.Fprintf(answer, `{"error": {"code": %q, "message": "It is so."}}`, code)
			response := answer.Result()
			response.Request = r
			return response, nil
		}
	}
	return w.arm.Do(r)
}

// put makes the resource group.
func (w *world) put(tags string) {
	w.Helper()
	r := httptest.NewRequest(http.MethodPut, group+"?api-version="+version, strings.NewReader(`{"location": "a", "tags": `+tags+`}`))
	answer := httptest.NewRecorder()
	if w.arm.ServeHTTP(answer, r); answer.Code != http.StatusCreated {
		w.Fatalf("%d %s", answer.Code, answer.Body)
	}
}

// deletions returns how many DELETEs came.
func (w *world) deletions() (n int) {
	for _, r := range w.arm.Requests() {
		if r.Method == http.MethodDelete {
			n++
		}
	}
	return n
}

func TestRemove(t *testing.T) {
	const own = `{"armature-smoke": "abc"}`
	for _, test := range []struct {
		name, tags  string // no group if empty
		instead     func(*http.Request) (int, string)
		err         string
		has, asked  bool // whether the group is there at the end, and whether a DELETE came
		outOfTheWay bool // whether the context ends
	}{
		{name: "a group of the run is deleted", tags: own, asked: true},
		{name: "one that is gone is no error"},
		{name: "one of another run stays", tags: `{"armature-smoke": "abd"}`, err: "it has no tag armature-smoke=abc", has: true},
		{name: "one without tags stays", tags: `{}`, err: "it has no tag armature-smoke=abc", has: true},
		{name: "what may pass is tried again", tags: own, asked: true, instead: first(3, http.StatusServiceUnavailable, "Busy")},
		{name: "a conflict is tried again", tags: own, asked: true,
			instead: of(http.MethodDelete, first(2, http.StatusConflict, "Working"))},
		{name: "a missing right is an error at once", tags: own, has: true, err: "AuthorizationFailed",
			instead: of(http.MethodDelete, first(9, http.StatusForbidden, "AuthorizationFailed"))},
		{name: "a group that may not be read stays", tags: own, has: true, err: "AuthorizationFailed",
			instead: first(9, http.StatusForbidden, "AuthorizationFailed")},
		{name: "a subscription that is not found shows nothing", tags: own, has: true, err: "SubscriptionNotFound",
			instead: first(9, http.StatusNotFound, "SubscriptionNotFound")},
		{name: "when the time is up, the last answer is said", tags: own, has: true, outOfTheWay: true, err: "ScopeLocked",
			instead: of(http.MethodDelete, first(1<<30, http.StatusConflict, "ScopeLocked"))},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			if test.tags != "" {
				w.put(test.tags)
			}
			w.instead = test.instead
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if asked := 0; test.outOfTheWay {
				w.instead = of(http.MethodDelete, func(r *http.Request) (int, string) {
					if asked++; asked == 2 {
						cancel()
					}
					return test.instead(r)
				})
			}
			left, err := w.remains.Remove(ctx)
			if (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
				t.Errorf("found the error %v, expected %q", err, test.err)
			}
			if got := len(left) > 0; got != (test.err != "") {
				t.Errorf("found %v as left", left)
			}
			if _, has := w.arm.Resource(group); has != test.has {
				t.Errorf("ARM has the group: %v, expected %v", has, test.has)
			}
			if got := w.deletions() > 0; got != test.asked {
				t.Errorf("ARM got a DELETE: %v, expected %v", got, test.asked)
			}
		})
	}
}

// TestRemoveAgain checks that a deletion is asked for again when the first has done nothing, as its
// operation may have failed, and not at each look.
func TestRemoveAgain(t *testing.T) {
	w := newWorld(t)
	w.put(`{"armature-smoke": "abc"}`)
	looks, deletions := 0, 0
	w.instead = func(r *http.Request) (int, string) {
		if r.Method == http.MethodGet {
			looks++
			return 0, ""
		}
		if deletions++; deletions == 1 {
			return http.StatusAccepted, "None" // the body of an answer to a DELETE says nothing
		}
		return 0, ""
	}
	if _, err := w.remains.Remove(t.Context()); err != nil {
		t.Fatal(err)
	}
	if deletions != 2 || looks < patience {
		t.Errorf("found %d deletions and %d looks, expected 2 and %d or more", deletions, looks, patience)
	}
}

func TestCheckFree(t *testing.T) {
	w := newWorld(t)
	if err := w.remains.CheckFree(t.Context()); err != nil {
		t.Errorf("there is nothing: %v", err)
	}
	w.put(`{"armature-smoke": "abc"}`)
	if err := w.remains.CheckFree(t.Context()); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("found %v, expected that it exists already", err)
	}
}

// first answers the first n requests.
func first(n, status int, code string) func(*http.Request) (int, string) {
	return func(*http.Request) (int, string) {
		if n--; n < 0 {
			return 0, ""
		}
		return status, code
	}
}

// of answers requests of a method.
func of(method string, answer func(*http.Request) (int, string)) func(*http.Request) (int, string) {
	return func(r *http.Request) (int, string) {
		if r.Method != method {
			return 0, ""
		}
		return answer(r)
	}
}
