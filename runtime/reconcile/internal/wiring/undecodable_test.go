package wiring

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
)

// TestDecoding has answers of an API server with objects that do not decode.
func TestDecoding(t *testing.T) {
	const head = `"apiVersion":"homes.example.com/v20200202storage","kind":"House"`
	house := func(name, rest string) string { return `{` + head + `,"metadata":{"name":"` + name + `"}` + rest + `}` }
	// undecodable is what is left of such a house.
	undecodable := func(name, why, rest string) string {
		return fmt.Sprintf(`{%s,"metadata":{"annotations":{"armature.dev/read/undecodable":%q},"name":%q}%s}`, head, why, name, rest)
	}
	list := func(items ...string) string {
		return `{"apiVersion":"homes.example.com/v20200202storage","items":[` + strings.Join(items, ",") +
			`],"kind":"HouseList","metadata":{"resourceVersion":"7"}}`
	}
	event := func(kind, object string) string { return `{"type":"` + kind + `","object":` + object + "}\n" }
	const location, why = `,"spec":{"fields":{"location":3}}`, "spec.fields.location: found number, expected string"
	good, bad, left := house("good", `,"spec":{"fields":{"location":"x"}}`), house("bad", location), undecodable("bad", why, "")
	scheme := runtime.NewScheme()
	homes.AddToScheme(scheme)
	for _, row := range []struct {
		reason, query string
		as            int
		kind          string
		answer, want  string
		strict        bool
	}{
		{reason: "an object of a list is replaced", answer: list(good, bad, good), want: list(good, left, good)},
		{reason: "a list that decodes stays", answer: list(good), want: list(good)},
		{reason: "an object that was read alone is replaced", answer: bad, want: left},
		{reason: "a Status that decodes stays", answer: house("bad", location+`,"status":{"id":"i"}`),
			want: undecodable("bad", why, `,"status":{"id":"i"}`)},
		{reason: "a Status that does not is left out", answer: house("bad", `,"status":{"id":3}`),
			want: undecodable("bad", "status.id: found number, expected string", "")},
		{reason: "what is no object of the scheme stays", answer: `{"kind":"Other","spec":3}`, want: `{"kind":"Other","spec":3}`},
		{reason: "the events of a watch are replaced", query: "?watch=true",
			answer: event("ADDED", bad) + event("MODIFIED", good) + event("BOOKMARK", house("", "")),
			want:   event("ADDED", left) + event("MODIFIED", good) + event("BOOKMARK", house("", ""))},
		{reason: "an error of a watch stays", query: "?watch=true",
			answer: event("ERROR", `{"kind":"Status","apiVersion":"v1","code":410}`),
			want:   event("ERROR", `{"kind":"Status","apiVersion":"v1","code":410}`)},
		{reason: "nothing is replaced where nothing has failed", strict: true, answer: list(bad), want: list(bad)},
		{reason: "nor of an error", as: http.StatusNotFound, answer: bad, want: bad},
		{reason: "nor of another format", kind: "application/vnd.kubernetes.protobuf", answer: bad, want: bad},
	} {
		t.Run(row.reason, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				if row.kind != "" {
					w.Header().Set("Content-Type", row.kind)
				}
				if row.as != 0 {
					w.WriteHeader(row.as)
				}
				io.WriteString(w, row.answer)
			}))
			defer server.Close()
			ctx := tolerate(t.Context())
			if row.strict {
				ctx = t.Context()
			}
			request, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/"+row.query, nil)
			if err != nil {
				t.Fatal(err)
			}
			response, err := (&decoding{http.DefaultTransport, scheme}).RoundTrip(request)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(response.Body)
			if err != nil || string(text) != row.want || response.Body.Close() != nil {
				t.Errorf("got %s, %v\nwant %s", text, err, row.want)
			}
		})
	}
	t.Run("an event arrives before the next one is sent, and the end of a watch ends it", func(t *testing.T) {
		ended := make(chan bool)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, event("ADDED", bad))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			close(ended)
		}))
		defer server.Close()
		request, err := http.NewRequestWithContext(tolerate(t.Context()), http.MethodGet, server.URL+"?watch=true", nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := (&decoding{http.DefaultTransport, scheme}).RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := bufio.NewReader(response.Body).ReadString('\n'); err != nil || got != event("ADDED", left) {
			t.Errorf("got %s, %v", got, err)
		}
		if err := response.Body.Close(); err != nil {
			t.Error(err)
		}
		<-ended
	})
}

// TestTolerantReader reads objects of an API server of which some do not decode.
func TestTolerantReader(t *testing.T) {
	const bad = `{"apiVersion":"homes.example.com/v20200202storage","kind":"House","metadata":{"name":"bad"},` +
		`"spec":{"fields":{"rooms":9,"location":3}}}`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if strings.HasSuffix(r.URL.Path, "/houses/bad") {
			io.WriteString(w, bad)
			return
		}
		io.WriteString(w, `{"apiVersion":"homes.example.com/v20200202storage","kind":"HouseList","metadata":{},"items":[`+bad+
			strings.ReplaceAll(","+bad+"]}", `3}`, `"x"}`))
	}))
	defer server.Close()
	scheme := runtime.NewScheme()
	homes.AddToScheme(scheme)
	gvk := schema.GroupVersionKind{Group: homes.Group, Version: homes.V2020 + "storage", Kind: "House"}
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(gvk, meta.RESTScopeNamespace)
	client, err := ctrlclient.New(&rest.Config{Host: server.URL}, ctrlclient.Options{Scheme: scheme, Mapper: mapper,
		HTTPClient: &http.Client{Transport: &decoding{http.DefaultTransport, scheme}}})
	if err != nil {
		t.Fatal(err)
	}
	reader := &tolerantReader{client}
	// check checks that an object has its metadata and, if it decodes, its Spec.
	check := func(t *testing.T, o *homes.House, decodes bool) {
		t.Helper()
		if o.Name != "bad" || (kinds.Undecodable(o) == nil) != decodes || (o.Spec.Fields.Rooms != nil) != decodes {
			t.Errorf("got %+v", o)
		}
	}
	t.Run("a list has the others as they are", func(t *testing.T) {
		list, err := scheme.New(gvk.GroupVersion().WithKind("HouseList"))
		if err == nil {
			err = reader.List(t.Context(), list.(ctrlclient.ObjectList))
		}
		if err != nil {
			t.Fatal(err)
		}
		all, err := meta.ExtractList(list)
		if err != nil || len(all) != 2 {
			t.Fatalf("got %v, %v", all, err)
		}
		check(t, all[0].(*homes.House), false)
		check(t, all[1].(*homes.House), true)
	})
	t.Run("an object alone has no part of what does not decode", func(t *testing.T) {
		o := &homes.House{}
		if err := reader.Get(t.Context(), ctrlclient.ObjectKey{Namespace: "shop", Name: "bad"}, o); err != nil {
			t.Fatal(err)
		}
		check(t, o, false)
	})
}

// TestMayNotDecode has errors of lists, of which some are repeated with objects that are decoded alone.
func TestMayNotDecode(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	for _, row := range []struct {
		reason string
		ctx    context.Context
		err    error
		want   bool
	}{
		{"no error", t.Context(), nil, false},
		{"an error of JSON", t.Context(), errors.New("json: cannot unmarshal"), true},
		{"an error of the API server", t.Context(), fmt.Errorf("list: %w", apierrors.NewInternalError(errors.New("etcd"))), false},
		{"no connection", t.Context(), &url.Error{Op: "Get", URL: "https://api", Err: errors.New("refused")}, false},
		{"the end of the process", ended, errors.New("json: cannot unmarshal"), false},
	} {
		t.Run(row.reason, func(t *testing.T) {
			if got := mayNotDecode(row.ctx, row.err); got != row.want {
				t.Errorf("got %t", got)
			}
		})
	}
}
