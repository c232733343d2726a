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
