package arm

import "testing"

func TestIsResource(t *testing.T) {
	const house = "/subscriptions/s/resourceGroups/g/providers/Contoso.Homes/houses/h"
	t.Run("a body that is not the resource is recognized", func(t *testing.T) {
		for _, body := range []string{"", `{}`, `{"operation":"CreateServer","startTime":"now"}`, `{"status":"Enqueued"}`,
			`{"name":"h"}`, `[]`, `null`,
			`{"id":""}`, `{"id":null}`, `{"id":5}`, `{"id":"/subscriptions/s/resourceGroups/g/providers/Contoso.Homes/houses/other"}`} {
			if IsResource([]byte(body), house) {
				t.Errorf("%s was taken for the resource", body)
			}
		}
	})
	t.Run("ids compare without case, escapes and a slash in the end", func(t *testing.T) {
		for _, id := range []string{house, "/SUBSCRIPTIONS/s/resourcegroups/g/providers/contoso.homes/houses/H/",
			"/subscriptions/s/resourceGroups/g/providers/Contoso.Homes/houses/%68"} {
			if !IsResource([]byte(`{"id":"`+id+`"}`), house) {
				t.Errorf("%s was not recognized", id)
			}
		}
	})
}
