package armtest_test

import (
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/armature-dev/armature/runtime/arm/armtest"
)

// stand is a server without a network, at a time of its own.
type stand struct {
	*testing.T
	*armtest.Server
	now time.Time
}

func newStand(t *testing.T, seed uint64, rates armtest.Rates) *stand {
	t.Helper()
	server, err := armtest.New(specs())
	if err != nil {
		t.Fatal(err)
	}
	s := &stand{T: t, Server: server, now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	s.behave(seed, rates)
	return s
}

func (s *stand) behave(seed uint64, rates armtest.Rates) {
	s.Behave(armtest.Behavior{Seed: seed, Rates: rates, WriteOnly: []string{"color"}, Now: func() time.Time { return s.now }})
}

// got is an answer: status 0 is a dropped connection.
type got struct {
	status int
	header http.Header
	body   string
}

// send sends a request to an id, or to a URL.
func (s *stand) send(method, at, body string, header ...string) got {
	s.Helper()
	if !strings.Contains(at, "://") {
		at = armtest.Endpoint + at + "?api-version=2019-01-01"
	}
	request, err := http.NewRequest(method, at, strings.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := s.Do(request)
	if err != nil {
		return got{}
	}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.Fatal(err)
	}
	return got{response.StatusCode, response.Header, string(text)}
}

// expect checks an answer: its status, and texts that the body has.
func (s *stand) expect(what string, g got, status int, texts ...string) {
	s.Helper()
	for _, text := range texts {
		if !strings.Contains(g.body, text) {
			s.Errorf("%s: got %s, want %s in it", what, g.body, text)
		}
	}
	if g.status != status {
		s.Errorf("%s: got status %d %s, want %d", what, g.status, g.body, status)
	}
}

const (
	small = `{"location":"westeurope","properties":{"rooms":1,"color":"red"}}`
	large = `{"location":"westeurope","properties":{"rooms":2,"color":"red"}}`
)

func TestFaults(t *testing.T) {
	only := func(faults ...armtest.Fault) armtest.Rates {
		r := armtest.Rates{}
		for _, f := range faults {
			r[f] = 1
		}
		return r
	}
	for _, row := range []struct {
		fault armtest.Fault
		with  []armtest.Fault
		test  func(s *stand)
	}{
		{armtest.AsyncOperation, nil, func(s *stand) {
			put := s.send("PUT", house, small)
			at := put.header.Get("Azure-AsyncOperation")
			s.expect("meanwhile", s.send("GET", at, ""), 200, `"status":"InProgress"`)
			s.now = s.now.Add(time.Minute)
			s.expect("at last", s.send("GET", at, ""), 200, `ucceeded"`)
			deleted := s.send("DELETE", house, "")
			s.expect("a deletion too", deleted, 202)
			s.expect("it is there meanwhile", s.send("GET", house, ""), 200)
			s.now = s.now.Add(time.Minute)
			s.expect("and then not", s.send("GET", house, ""), 404)
		}},
		{armtest.LocationOperation, nil, func(s *stand) {
			put := s.send("PUT", house, small)
			s.expect("put", put, 202)
			at := put.header.Get("Location")
			s.expect("meanwhile", s.send("GET", at, ""), 202)
			s.now = s.now.Add(time.Minute)
			s.expect("at last it is the resource", s.send("GET", at, ""), 200, `"rooms":1`)
		}},
		{armtest.StateOperation, nil, func(s *stand) {
			put := s.send("PUT", house, small)
			if put.header.Get("Location")+put.header.Get("Azure-AsyncOperation") != "" {
				s.Errorf("got the header %v", put.header)
			}
			s.expect("meanwhile", s.send("GET", house, ""), 200, `"provisioningState":"Creating"`)
			s.now = s.now.Add(time.Minute)
			s.expect("at last", s.send("GET", house, ""), 200, `"provisioningState":"Succeeded"`)
		}},
		{armtest.OwnLocation, nil, func(s *stand) {
			put := s.send("PUT", house, small)
			s.expect("put", put, 201, `"rooms":1`)
			if !strings.HasPrefix(put.header.Get("Location"), house+"?") {
				s.Errorf("got the header %v", put.header)
			}
		}},
		{armtest.ForeignHost, []armtest.Fault{armtest.LocationOperation}, func(s *stand) {
			at := s.send("PUT", house, small).header.Get("Location")
			if strings.HasPrefix(at, armtest.Endpoint) || len(s.Strangers()) != 0 {
				s.Errorf("got the Location %s", at)
			}
			s.expect("whoever asks there", s.send("GET", at, ""), 0)
			if got := s.Strangers(); len(got) != 1 {
				s.Errorf("it was not noted: %q", got)
			}
		}},
		{armtest.NewURL, []armtest.Fault{armtest.AsyncOperation}, func(s *stand) {
			at := s.send("PUT", house, small).header.Get("Azure-AsyncOperation")
			if next := s.send("GET", at, "").header.Get("Azure-AsyncOperation"); next == "" || next == at {
				s.Errorf("got %q after %q", next, at)
			}
		}},
		{armtest.OddState, []armtest.Fault{armtest.AsyncOperation}, func(s *stand) {
			body := s.send("GET", s.send("PUT", house, small).header.Get("Azure-AsyncOperation"), "").body
			if strings.Contains(body, `"InProgress"`) {
				s.Errorf("got %s", body)
			}
		}},
		{armtest.OperationFails, []armtest.Fault{armtest.AsyncOperation, armtest.ShowsState}, func(s *stand) {
			at := s.send("PUT", house, small).header.Get("Azure-AsyncOperation")
			s.now = s.now.Add(time.Minute)
			s.expect("at last", s.send("GET", at, ""), 200, `"NoRoom"`)
			s.expect("the resource", s.send("GET", house, ""), 200, `"provisioningState":"Failed"`)
		}},
		{armtest.OddState, []armtest.Fault{armtest.StateOperation}, func(s *stand) {
			for seed := range uint64(9) {
				s.behave(seed, armtest.Rates{armtest.StateOperation: 1, armtest.OddState: 1})
				s.send("PUT", house, small)
				get := s.send("GET", house, "")
				if strings.Contains(get.body, "ating") {
					s.Errorf("got %s", get.body)
				}
				asks := get.header.Get("Retry-After") != ""
				if strings.Contains(get.body, "Percolated") != asks {
					s.Errorf("got %s, which asks to wait: %v", get.body, asks)
				}
				s.now = s.now.Add(time.Minute)
				s.expect("at last", s.send("GET", house, ""), 200, `"provisioningState":"Succeeded"`)
			}
		}},
		{armtest.OddFailure, []armtest.Fault{armtest.AsyncOperation, armtest.OperationFails, armtest.ShowsState}, func(s *stand) {
			at := s.send("PUT", house, small).header.Get("Azure-AsyncOperation")
			s.now = s.now.Add(time.Minute)
			if g := s.send("GET", at, ""); strings.Contains(g.body, `"status":"Failed"`) || !strings.Contains(g.body, "NoRoom") {
				s.Errorf("got %s", g.body)
			}
		}},
		{armtest.OddFailure, []armtest.Fault{armtest.LocationOperation, armtest.OperationFails}, func(s *stand) {
			s.behave(1, nil)
			s.send("PUT", house, small)
			s.behave(1, armtest.Rates{armtest.LocationOperation: 1, armtest.OperationFails: 1, armtest.OddFailure: 1})
			at := s.send("DELETE", house, "").header.Get("Location")
			s.now = s.now.Add(time.Minute)
			s.expect("at last", s.send("GET", at, ""), 200, `"status":"Failed"`, "NoRoom")
			s.expect("it is still there", s.send("GET", house, ""), 200)
		}},
		{armtest.OtherType, nil, func(s *stand) {
			seen := map[string]bool{}
			for seed := range uint64(40) {
				s.behave(seed, armtest.Rates{armtest.OtherType: 1})
				s.send("DELETE", house, "")
				s.send("PUT", house, small)
				get := s.send("GET", house, "").body
				if again := s.send("GET", house, "").body; again != get {
					s.Errorf("got %s after %s", again, get)
				}
				for _, text := range []string{`"rooms":"1"`, `"rooms":3.5`, `"rooms":{`, `"color":7`, `"color":[`} {
					seen[text] = seen[text] || strings.Contains(get, text)
				}
			}
			for text, is := range seen {
				if !is {
					s.Errorf("%s was never there", text)
				}
			}
			s.behave(1, nil)
			s.expect("until the service is mended", s.send("GET", house, ""), 200, `"rooms":1`, `"color":"red"`)
		}},
		{armtest.Forgotten, []armtest.Fault{armtest.AsyncOperation}, func(s *stand) {
			at := s.send("PUT", house, small).header.Get("Azure-AsyncOperation")
			s.expect("not before its end", s.send("GET", at, ""), 200)
			s.now = s.now.Add(time.Minute)
			s.expect("then", s.send("GET", at, ""), 404)
		}},
		{armtest.NoResource, nil, func(s *stand) {
			if put := s.send("PUT", house, small); strings.Contains(put.body, `"id"`) {
				s.Errorf("got %s", put.body)
			}
			s.expect("it can be read", s.send("GET", house, ""), 200, `"id"`)
		}},
		{armtest.ShowsState, nil, func(s *stand) {
			s.expect("put", s.send("PUT", house, small), 201, `"provisioningState":"Succeeded"`)
		}},
		{armtest.SystemData, nil, func(s *stand) {
			created := `"systemData":{"createdAt":"` + s.now.UTC().Format(time.RFC3339Nano) + `"}`
			s.expect("put", s.send("PUT", house, small), 201, created)
			s.now = s.now.Add(time.Hour)
			s.send("PUT", house, large)
			s.expect("a change leaves it", s.send("GET", house, ""), 200, created)
		}},
		{armtest.MissingParent, nil, func(s *stand) {
			s.expect("too early", s.send("PUT", house+"/doors/d", `{}`), 404, "ParentResourceNotFound")
			s.send("PUT", house, small)
			s.expect("then", s.send("PUT", house+"/doors/d", `{}`), 201)
		}},
		{armtest.Busy, []armtest.Fault{armtest.AsyncOperation}, func(s *stand) {
			s.send("PUT", house, small)
			s.expect("a change", s.send("PUT", house, large), 409, "AnotherOperationInProgress")
			s.expect("a child", s.send("PUT", house+"/doors/d", `{}`), 409)
			s.expect("a deletion", s.send("DELETE", house, ""), 409)
			s.now = s.now.Add(time.Minute)
			if again := s.send("PUT", house, large); again.status >= 300 {
				s.Errorf("afterwards: got %v", again)
			}
		}},
		{armtest.Transient400, nil, refusedOnce(400)},
		{armtest.Transient404, nil, refusedOnce(404)},
		{armtest.Transient409, nil, refusedOnce(409)},
		{armtest.Throttled, nil, refusedOnce(429)},
		{armtest.ServerError, nil, func(s *stand) {
			if put := s.send("PUT", house, small); put.status < 500 || len(s.IDs()) != 0 {
				s.Errorf("got %v and %q", put, s.IDs())
			}
		}},
		{armtest.LostRequest, nil, func(s *stand) {
			s.expect("dropped", s.send("PUT", house, small), 0)
			if len(s.IDs()) != 0 {
				s.Errorf("it had an effect: %q", s.IDs())
			}
		}},
		{armtest.LostAnswer, nil, func(s *stand) {
			s.expect("dropped", s.send("PUT", house, small), 0)
			if len(s.IDs()) != 1 {
				s.Error("it had no effect")
			}
		}},
		{armtest.LateVisible, nil, func(s *stand) {
			s.send("PUT", house, small)
			s.expect("at first", s.send("GET", house, ""), 404)
			s.now = s.now.Add(5 * time.Second)
			s.expect("later", s.send("GET", house, ""), 200)
		}},
		{armtest.HiddenAtWork, []armtest.Fault{armtest.AsyncOperation}, func(s *stand) {
			s.send("PUT", house, small)
			s.expect("at work", s.send("GET", house, ""), 404)
			s.expect("at work", s.send("DELETE", house, ""), 204)
			s.now = s.now.Add(time.Minute)
			s.expect("made", s.send("GET", house, ""), 200)
		}},
		{armtest.Missed, nil, func(s *stand) {
			s.send("PUT", house, small)
			s.expect("at first", s.send("GET", house, ""), 404)
			s.expect("then", s.send("GET", house, ""), 200)
		}},
		{armtest.OldList, nil, func(s *stand) {
			s.Collect(armtest.Collection{Parent: "Contoso.Homes/houses", Path: "properties/doors", Type: "Contoso.Homes/houses/doors"})
			s.send("PUT", house, small)
			s.send("PUT", house+"/doors/d", `{"properties":{}}`)
			if shown := s.send("GET", house, "").body; strings.Contains(shown, "/doors/d") {
				s.Errorf("the parent shows %s", shown)
			}
			s.expect("the child", s.send("GET", house+"/doors/d", ""), 200)
			s.now = s.now.Add(5 * time.Second)
			s.expect("the parent, later", s.send("GET", house, ""), 200, "/doors/d")
		}},
		{armtest.RefusesIfNoneMatch, nil, func(s *stand) {
			s.expect("a PUT of nothing", s.send("PUT", house, small, "If-None-Match", "*"), 400)
		}},
		{armtest.IgnoresIfNoneMatch, nil, func(s *stand) {
			s.send("PUT", house, small)
			s.expect("a PUT of what exists", s.send("PUT", house, large, "If-None-Match", "*"), 200)
		}},
		{armtest.KeepsProperties, nil, func(s *stand) {
			s.send("PUT", house, small)
			const colorless = `{"location":"westeurope","properties":{"rooms":7}}`
			s.expect("what the PUT lacks", s.send("PUT", house, colorless), 200, "red", `"rooms":7`)
			s.send("DELETE", house, "")
			if g := s.send("PUT", house, colorless); strings.Contains(g.body, "red") {
				s.Errorf("what is made anew has %s", g.body)
			}
		}},
		{armtest.LateGone, nil, func(s *stand) {
			s.send("PUT", house, small)
			s.send("DELETE", house, "")
			s.expect("at first", s.send("GET", house, ""), 200)
			s.now = s.now.Add(5 * time.Second)
			s.expect("later", s.send("GET", house, ""), 404)
		}},
		{armtest.OtherCase, nil, func(s *stand) {
			s.expect("put", s.send("PUT", house, small), 201, `/resourcegroups/`)
		}},
		{armtest.NoID, nil, func(s *stand) {
			s.expect("put", s.send("PUT", house, small), 201, `"id"`)
			if g := s.send("GET", house, ""); strings.Contains(g.body, `"id"`) {
				s.Errorf("got %s", g.body)
			}
		}},
		{armtest.FixedLocation, nil, func(s *stand) {
			s.expect("it is made", s.send("PUT", house, small), 201)
			elsewhere := strings.Replace(large, "westeurope", "eastus", 1)
			s.expect("elsewhere", s.send("PUT", house, elsewhere), 409, "InvalidResourceLocation", "westeurope")
			s.expect("in other words", s.send("PUT", house, strings.Replace(large, "westeurope", "West Europe", 1)), 200)
			s.expect("without it", s.send("PUT", house, strings.Replace(large, `"location":"westeurope",`, "", 1)), 200)
		}},
		{armtest.SpelledLocation, nil, func(s *stand) {
			s.expect("put", s.send("PUT", house, small), 201, `"West Europe"`)
		}},
		{armtest.NotEchoed, nil, func(s *stand) {
			if g := s.send("PUT", house, small); strings.Contains(g.body, "red") || !strings.Contains(g.body, "rooms") {
				s.Errorf("got %s", g.body)
			}
			if kept, _ := s.Resource(house); !strings.Contains(string(kept), "red") {
				s.Errorf("it was not kept: %s", kept)
			}
		}},
		{armtest.Echoes, []armtest.Fault{armtest.AsyncOperation, armtest.OperationFails}, func(s *stand) {
			at := s.send("PUT", house, small).header.Get("Azure-AsyncOperation")
			s.now = s.now.Add(time.Minute)
			s.expect("of an operation", s.send("GET", at, ""), 200, `\"color\":\"red\"`)
			s.behave(1, only(armtest.Echoes, armtest.Transient409))
			s.expect("of a request", s.send("PUT", house, small), 409, `\"color\":\"red\"`)
		}},
		{armtest.WantsIfMatch, nil, func(s *stand) {
			s.send("PUT", house, small)
			refused := map[int]bool{}
			for range 50 {
				refused[s.send("DELETE", house, "").status] = true
			}
			if want := map[int]bool{400: true, 412: true, 428: true}; !maps.Equal(refused, want) {
				s.Errorf("without it: got %v", refused)
			}
			s.expect("with it", s.send("DELETE", house, "", "If-Match", "*"), 200)
		}},
		{armtest.PutWantsIfMatch, nil, func(s *stand) {
			s.expect("a first PUT", s.send("PUT", house, small), 201)
			if refused := s.send("PUT", house, large).status; refused != 412 && refused != 428 && refused != 400 {
				s.Errorf("a change without it got %d", refused)
			}
			s.expect("with it", s.send("PUT", house, large, "If-Match", "*"), 200)
		}},
		{armtest.OtherWords, nil, func(s *stand) {
			for range 10 {
				g := s.send("GET", house, "")
				if g.status != 404 || strings.Contains(g.body, "NotFound") || g.header.Get("X-Ms-Request-Id") == "" {
					s.Errorf("got %v", g)
				}
			}
		}},
		{armtest.GoneIs404, nil, func(s *stand) {
			s.expect("nothing", s.send("DELETE", house, ""), 404, "ResourceNotFound")
		}},
		{armtest.DeletedIs204, nil, func(s *stand) {
			s.send("PUT", house, small)
			s.expect("deleted", s.send("DELETE", house, ""), 204)
		}},
		{armtest.IgnoresETag, nil, func(s *stand) {
			etag := s.send("PUT", house, small).header.Get("ETag")
			s.expect("as it was", s.send("GET", house, "", "If-None-Match", etag), 200, `"rooms"`)
		}},
		{armtest.LateChange, nil, func(s *stand) {
			s.send("PUT", house, small)
			before := s.send("GET", house, "")
			s.send("PUT", house, large)
			if got := s.send("GET", house, ""); got.body != before.body || got.header.Get("ETag") != before.header.Get("ETag") {
				s.Errorf("at first: got %v", got)
			}
			s.now = s.now.Add(time.Minute)
			s.expect("later", s.send("GET", house, ""), 200, `"rooms":2`)
		}},
		{armtest.Normalizes, nil, func(s *stand) {
			s.send("PUT", house, `{"location":"westeurope","tags":{"a":"b"},"properties":{"rooms":3,"color":"red"}}`)
			s.expect("as it keeps it", s.send("GET", house, ""), 200, `"color":"Red"`, `"service":"made it"`)
		}},
		{armtest.OtherSpelling, nil, func(s *stand) {
			s.send("PUT", house, small)
			s.Change(house, "", func(body map[string]any) {
				body["properties"].(map[string]any)["color"] = "/subscriptions/s/resourceGroups/g"
			})
			s.expect("spelled", s.send("GET", house, ""), 200, `"/subscriptions/s/RESOURCEGROUPS/g"`)
		}},
		{armtest.NoETag, nil, func(s *stand) {
			s.send("PUT", house, small)
			if etag := s.send("GET", house, "").header.Get("ETag"); etag != "" {
				s.Errorf("got the ETag %s", etag)
			}
		}},
	} {
		t.Run(string(row.fault), func(t *testing.T) {
			s := newStand(t, 1, only(append(row.with, row.fault)...))
			row.test(s)
			injected := slices.ContainsFunc(s.Injected(), func(line string) bool { return strings.HasSuffix(line, ": "+string(row.fault)) })
			if always := row.fault == armtest.ShowsState || row.fault == armtest.SystemData; !injected && !always {
				t.Errorf("it is not in the list of what was injected: %q", s.Injected())
			}
		})
	}
	t.Run("every fault is in AllFaults, and each can be left out", func(t *testing.T) {
		all := armtest.AllFaults()
		if rest := all.Without(armtest.Busy); len(rest) != len(all)-1 || len(all) != 49 {
			t.Errorf("got %d of %d", len(rest), len(all))
		}
	})
}

// refusedOnce tests a refusal that ends with the fault.
func refusedOnce(status int) func(s *stand) {
	return func(s *stand) {
		s.expect("at first", s.send("PUT", house, small), status)
		if len(s.IDs()) != 0 {
			s.Errorf("it had an effect: %q", s.IDs())
		}
		s.behave(1, nil)
		s.expect("later", s.send("PUT", house, small), 201)
		// The list of what was injected stays.
	}
}

func TestSeed(t *testing.T) {
	history := func(seed uint64) (all []string) {
		s := newStand(t, seed, armtest.AllFaults())
		for range 30 {
			for _, step := range [][3]string{{"PUT", house, small}, {"GET", house, ""}, {"DELETE", house, ""}} {
				g := s.send(step[0], step[1], step[2])
				all = append(all, http.StatusText(g.status)+g.body)
				s.now = s.now.Add(7 * time.Second)
			}
		}
		return append(all, s.Injected()...)
	}
	if a, b := history(1), history(1); !slices.Equal(a, b) {
		t.Error("one seed gave two histories")
	}
	if a, b := history(1), history(2); slices.Equal(a, b) {
		t.Error("two seeds gave one history")
	}
}

func TestLimits(t *testing.T) {
	s := newStand(t, 1, nil)
	s.Behave(armtest.Behavior{Limits: true, Now: func() time.Time { return s.now }})
	left := func(g got) string { return g.header.Get("X-Ms-Ratelimit-Remaining-Subscription-Writes") }
	if g := s.send("PUT", house, small); left(g) != "199" {
		t.Errorf("got %q writes left, want 199", left(g))
	}
	for range 199 {
		s.send("PUT", house, small)
	}
	g := s.send("PUT", house, small)
	s.expect("one too many", g, 429, "SubscriptionRequestsThrottled")
	if left(g) != "0" || g.header.Get("Retry-After") == "" {
		t.Errorf("got %v", g.header)
	}
	s.expect("reads are counted apart", s.send("GET", house, ""), 200)
	s.now = s.now.Add(time.Second)
	for range 10 {
		s.expect("ten a second", s.send("PUT", house, small), 200)
	}
	s.expect("and no more", s.send("PUT", house, small), 429)
}

func TestConditionalRequests(t *testing.T) {
	s := newStand(t, 1, nil)
	etag := s.send("PUT", house, small).header.Get("ETag")
	s.expect("another ETag", s.send("DELETE", house, "", "If-Match", `"7"`), 412)
	s.expect("a changed resource", s.send("PUT", house, large, "If-Match", etag), 200)
	s.expect("the old ETag", s.send("DELETE", house, "", "If-Match", etag), 412)
	s.expect("any", s.send("DELETE", house, "", "If-Match", "*"), 200)
	s.expect("of nothing", s.send("PUT", house, small, "If-Match", "*"), 412)
	s.expect("if there is nothing", s.send("PUT", house, small, "If-None-Match", "*"), 201)
	s.expect("if there is something", s.send("PUT", house, large, "If-None-Match", "*"), 412)

	etag = s.send("PUT", house, small).header.Get("ETag")
	unchanged := s.send("GET", house, "", "If-None-Match", etag)
	s.expect("as it was", unchanged, 304)
	if unchanged.body != "" || unchanged.header.Get("ETag") != etag {
		t.Errorf("got %v", unchanged)
	}
	s.expect("another ETag", s.send("GET", house, "", "If-None-Match", `"x"`), 200, `"rooms"`)
	s.behave(1, armtest.Rates{armtest.AsyncOperation: 1, armtest.ShowsState: 1})
	etag = s.send("PUT", house, large).header.Get("ETag")
	s.now = s.now.Add(time.Minute)
	s.expect("after the end of an operation", s.send("GET", house, "", "If-None-Match", etag), 200, "Succeeded")
}

func TestOutage(t *testing.T) {
	s := newStand(t, 1, nil)
	s.send("PUT", house, small)
	door, eastern := house+"/doors/d", strings.Replace(house, "/houses/", "/houses/eastern-", 1)
	s.send("PUT", door, `{"properties":{}}`)
	s.send("PUT", eastern, strings.Replace(small, "westeurope", "eastus", 1))
	list := house[:strings.LastIndexByte(house, '/')]
	s.Fail("westeurope", s.now.Add(3*time.Minute))
	for _, method := range []string{"GET", "HEAD"} {
		s.expect(method, s.send(method, house, ""), 404)
		s.expect(method+" of a child", s.send(method, door, ""), 404)
	}
	s.expect("DELETE", s.send("DELETE", house, ""), 204)
	s.expect("POST", s.send("POST", house+"/listKeys", ""), 404)
	s.expect("elsewhere", s.send("GET", eastern, ""), 200)
	if all := s.send("GET", list, "").body; strings.Contains(all, house+`"`) || !strings.Contains(all, eastern+`"`) {
		t.Errorf("the list has %s", all)
	}
	s.expect("a PUT", s.send("PUT", house, large), 200)
	s.now = s.now.Add(3 * time.Minute)
	s.expect("afterwards", s.send("GET", house, ""), 200)
	s.expect("afterwards", s.send("GET", door, ""), 200)
	t.Run("as a fault it lasts for some time, and ends", func(t *testing.T) {
		s.Behave(armtest.Behavior{Rates: armtest.Rates{armtest.Missed: 1}, Outage: 3 * time.Minute, Now: func() time.Time { return s.now }})
		s.expect("at first", s.send("GET", house, ""), 404)
		s.expect("at once", s.send("GET", door, ""), 404)
		s.now = s.now.Add(3 * time.Minute)
		s.expect("afterwards", s.send("GET", house, ""), 200)
	})
}

func TestOtherMethods(t *testing.T) {
	s := newStand(t, 1, nil)
	s.expect("HEAD of nothing", s.send("HEAD", house, ""), 404)
	s.expect("keys of nothing", s.send("POST", house+"/listKeys", ""), 404)
	s.send("PUT", house, small)
	s.expect("HEAD", s.send("HEAD", house, ""), 204)
	s.expect("keys", s.send("POST", house+"/listKeys", ""), 200, `"primaryKey"`)
	s.behave(1, armtest.Rates{armtest.AsyncOperation: 1})
	s.send("PUT", house, large)
	s.expect("keys while busy", s.send("POST", house+"/listKeys", ""), 409)
}
