package record

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

const (
	subscription = "5a0c1b9e-0000-4000-8000-00000000cafe"
	group        = "/subscriptions/" + subscription + "/resourceGroups/contoso"
	account      = group + "/providers/Microsoft.Storage/storageAccounts/contosofiles"
)

// answers is a transport that answers with a status, headers and a body.
type answers struct {
	status int
	header http.Header
	body   string
	err    error
}

func (a answers) Do(*http.Request) (*http.Response, error) {
	if a.err != nil {
		return nil, a.err
	}
	header := a.header
	if header == nil {
		header = http.Header{}
	}
	return &http.Response{StatusCode: a.status, Header: header, Body: io.NopCloser(strings.NewReader(a.body))}, nil
}

func TestRecorder(t *testing.T) {
	const token = "eyJhbGciOiJSUzI1NiJ9.eyJvaWQiOiJjb250b3NvIn0.c2lnbmF0dXJl"
	const key = "c3RvcmFnZS1rZXktb2YtY29udG9zby1jb250b3NvLWNvbnRvc28tY29udG9zbw=="
	for _, test := range []struct {
		name, method, url, body string
		answer                  answers
		want                    string
	}{
		{
			name: "a PUT has type, version, status and state", method: http.MethodPut, url: account + "?api-version=2026-04-01",
			body: `{"tags": {"a": "contoso"}, "properties": {"accessTier": "Hot", "minimumTlsVersion": "TLS1_2", "sizes": [1, 2]}}`,
			answer: answers{status: 201, body: `{"id": "` + account + `", "properties": {"accessTier": "Cool",
				"provisioningState": "Creating", "sizes": [1]}}`},
			want: "operator: PUT Microsoft.Storage/storageAccounts at 2026-04-01: 201, state Creating; " +
				"other than sent: properties.accessTier; not in the answer: properties.minimumTlsVersion, properties.sizes[1], tags.a; 0.0 s",
		},
		{
			name: "a refusal has its code, and not its message", method: http.MethodDelete, url: account + "?api-version=2026-04-01",
			answer: answers{status: 403, body: `{"error": {"code": "AuthorizationFailed", "message": "The client jane@contoso.example of contoso"}}`},
			want:   "operator: DELETE Microsoft.Storage/storageAccounts at 2026-04-01: 403, code AuthorizationFailed; 0.0 s",
		},
		{
			name: "a code that has the form of none is hidden", method: http.MethodGet, url: account + "?api-version=2026-04-01",
			answer: answers{status: 400, body: `{"error": {"code": "jane@contoso.example"}}`},
			want:   "operator: GET Microsoft.Storage/storageAccounts at 2026-04-01: 400, code (hidden); 0.0 s",
		},
		{
			name: "a code that is a known name is hidden", method: http.MethodGet, url: account + "?api-version=2026-04-01",
			answer: answers{status: 400, body: `{"error": {"code": "contosofiles"}}`},
			want:   "operator: GET Microsoft.Storage/storageAccounts at 2026-04-01: 400, code (hidden); 0.0 s",
		},
		{
			name: "keys are not shown", method: http.MethodPost, url: account + "/listKeys?api-version=2026-04-01",
			answer: answers{status: 200, body: `{"keys": [{"value": "` + key + `"}]}`},
			want:   "operator: POST Microsoft.Storage/storageAccounts listkeys at 2026-04-01: 200; 0.0 s",
		},
		{
			name: "an operation has its state, and no URL", method: http.MethodGet,
			url: "/subscriptions/" + subscription + "/providers/Microsoft.Storage/locations/a/asyncoperations/1?t=" + token +
				"&api-version=2026-04-01",
			answer: answers{status: 200, body: `{"status": "InProgress", "id": "` + account + `"}`,
				header: http.Header{"Location": {"https://a/" + token}, "Retry-After": {"17"},
					"X-Ms-Correlation-Request-Id": {subscription}}},
			want: "operator: GET an operation: 200, status InProgress, Location, Retry-After 17; 0.0 s",
		},
		{
			name: "words in places of numbers are not shown", method: http.MethodGet, url: account + "?api-version=contoso",
			answer: answers{status: 200, body: `{"status": "` + token + `", "error": "contoso"}`,
				header: http.Header{"Retry-After": {"contoso"}}},
			want: "operator: GET Microsoft.Storage/storageAccounts: 200, status (hidden); 0.0 s",
		},
		{
			name: "no answer", method: http.MethodGet, url: account + "?api-version=2026-04-01", answer: answers{err: io.ErrUnexpectedEOF},
			want: "operator: GET Microsoft.Storage/storageAccounts at 2026-04-01: no answer, 0.0 s",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			var log strings.Builder
			r := New(NewLog(&log, subscription, "contosofiles"), test.answer)
			r.Name(account, "Microsoft.Storage/storageAccounts")
			request, err := http.NewRequest(test.method, "https://arm.example"+test.url, strings.NewReader(test.body))
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Authorization", "Bearer "+token)
			response, err := r.As("operator").Do(request)
			if err != test.answer.err {
				t.Fatal(err)
			}
			_, got, _ := strings.Cut(log.String(), " s  ")
			if got != test.want+"\n" {
				t.Errorf("got  %swant %s", got, test.want)
			}
			if err != nil {
				return
			}
			if text, _ := io.ReadAll(response.Body); string(text) != test.answer.body {
				t.Errorf("the caller gets %q, expected what ARM has answered", text)
			}
			if text, _ := io.ReadAll(request.Body); string(text) != test.body {
				t.Errorf("ARM gets %q, expected the body", text)
			}
		})
	}
}

func TestRecorderKeepsWhatARMHasTaken(t *testing.T) {
	next := &answers{status: 201, body: "{}"}
	r := New(NewLog(io.Discard), next)
	put := func(who, body string) {
		request, err := http.NewRequest(http.MethodPut, "https://arm.example"+account, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.As(who).Do(request); err != nil {
			t.Fatal(err)
		}
	}
	put("operator", `{"a": 1}`)
	next.status = 409
	put("operator", `{"a": 2}`)
	put("check", `{"a": 3}`)
	if got := string(r.Sent(strings.ToUpper(account))); got != `{"a": 1}` {
		t.Errorf("got %s, expected the body that was not refused", got)
	}
	if got := r.Count("operator", http.MethodPut, account); got != 2 {
		t.Errorf("got %d requests of the operator, expected 2", got)
	}
}

func TestRecorderSumsUpRepetitions(t *testing.T) {
	var log strings.Builder
	next := &answers{status: 200, body: "{}"}
	r := New(NewLog(&log), next)
	r.Name(account, "Microsoft.Storage/storageAccounts")
	for _, status := range []int{200, 200, 200, 404, 200} {
		next.status = status
		request, err := http.NewRequest(http.MethodGet, "https://arm.example"+account, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.As("operator").Do(request); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for line := range strings.Lines(log.String()) {
		_, line, _ = strings.Cut(line, "storageAccounts: ")
		got = append(got, strings.TrimSpace(line))
	}
	want := []string{"200; 0.0 s", "404 (after 2 more like the one before); 0.0 s", "200; 0.0 s"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, expected %q", got, want)
	}
}

func TestLog(t *testing.T) {
	for _, test := range []struct{ name, line, want string }{
		{"a hidden word in any case", "a ContoSo CONTOSO contoso", "a (hidden) (hidden) (hidden)"},
		{"an id", "of " + strings.ToUpper(subscription) + ".", "of (hidden)."},
		{"a token", "eyJhbGciOi.eyJvaWQi.abc", "(hidden)"},
		{"a key", "c3RvcmFnZS1rZXktb2YtY29udG9zby1jb250b3NvLWNvbnRvc28tY29udG9zbw==", "(hidden)"},
		{"several lines are one", "a\n  b", "a b"},
		{"what matters stays", "PUT Microsoft.Network/virtualNetworks/subnets at 2025-09-01: 200",
			"PUT Microsoft.Network/virtualNetworks/subnets at 2025-09-01: 200"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out strings.Builder
			NewLog(&out, "contoso").Print("%s", test.line)
			if _, got, _ := strings.Cut(out.String(), " s  "); got != test.want+"\n" {
				t.Errorf("got %q, expected %q", got, test.want)
			}
		})
	}
	t.Run("a heading hides the same, and keeps its spaces", func(t *testing.T) {
		var out strings.Builder
		NewLog(&out, "contoso").Heading("a   Contoso " + subscription)
		if got, want := out.String(), "a   (hidden) (hidden)\n"; got != want {
			t.Errorf("got %q, expected %q", got, want)
		}
	})
}
