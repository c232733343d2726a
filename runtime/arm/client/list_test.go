package client_test

import (
	"strings"
	"testing"

	"github.com/armature-dev/armature/runtime/arm/client"
)

func TestList(t *testing.T) {
	const host = "https://management.azure.com"
	list := client.Request{ID: "/subscriptions/s/resourceGroups/g/resources", APIVersion: "2021-04-01"}
	t.Run("all pages", func(t *testing.T) {
		c, s := newClient(t, client.Options{},
			reply{status: 200, body: `{"value": [{"id": "/a"}, {"id": "/b"}], "nextLink": "` + host + `/next?$skiptoken=x"}`},
			reply{status: 200, body: `{"value": [{"id": "/c"}]}`})
		all, err := c.List(t.Context(), list)
		if err != nil || len(all) != 3 || string(all[2]) != `{"id": "/c"}` {
			t.Errorf("got %s, %v", all, err)
		}
		if got := s.requests[1].URL.String(); got != host+"/next?$skiptoken=x" {
			t.Errorf("asked for %s", got)
		}
	})
	for name, test := range map[string]struct {
		reply
		want string
	}{
		"a page at another host gets no request": {reply{status: 200, body: `{"nextLink": "https://evil.example/x"}`}, "not at ARM's host"},
		"what is no list":                        {reply{status: 200, body: `[]`}, "not a list"},
		"a refusal": {reply{
			status: 403, body: `{"error": {"code": "AuthorizationFailed", "message": "no"}}`}, "no"},
	} {
		t.Run(name, func(t *testing.T) {
			c, s := newClient(t, client.Options{}, test.reply)
			if all, err := c.List(t.Context(), list); err == nil || !strings.Contains(err.Error(), test.want) || len(s.requests) != 1 {
				t.Errorf("got %s, %v after %d requests", all, err, len(s.requests))
			}
		})
	}
}

func TestLists(t *testing.T) {
	const host = "https://management.azure.com"
	of := client.Request{ID: "/subscriptions/s/resourceGroups/g/providers/Contoso.Homes/houses/h", APIVersion: "2020-01-01"}
	first := reply{status: 200, body: `{"value": [{"id": "/a"}, {"name": "h"}], "nextLink": "` + host + `/next?$skiptoken=x"}`}
	t.Run("a resource on a further page, without case", func(t *testing.T) {
		c, s := newClient(t, client.Options{}, first, reply{status: 200, body: `{"value": [{"id": "` + strings.ToUpper(of.ID) + `"}]}`})
		if found, err := c.Lists(t.Context(), of); !found || err != nil {
			t.Errorf("got %v, %v", found, err)
		}
		got, _, _ := strings.Cut(s.requests[0].URL.String(), "?")
		if got != host+"/subscriptions/s/resourceGroups/g/providers/Contoso.Homes/houses" {
			t.Errorf("asked for %s", got)
		}
	})
	t.Run("no page has it", func(t *testing.T) {
		c, _ := newClient(t, client.Options{}, first, reply{status: 200, body: `{"value": []}`})
		if found, err := c.Lists(t.Context(), of); found || err != nil {
			t.Errorf("got %v, %v", found, err)
		}
	})
	t.Run("a list without an end shows nothing", func(t *testing.T) {
		replies := make([]reply, 60)
		for i := range replies {
			replies[i] = first
		}
		c, s := newClient(t, client.Options{}, replies...)
		if found, err := c.Lists(t.Context(), of); found || err == nil || len(s.requests) != 50 {
			t.Errorf("got %v, %v after %d requests", found, err, len(s.requests))
		}
	})
}
