package armtest_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestCompanions(t *testing.T) {
	const version = "?api-version=2020-01-01"
	facts := `{"facts": 1, "apiVersion": "2020-01-01", "resources": [
		{"type": "Contoso.Homes/houses", "request": "House"},
		{"type": "Contoso.Homes/houses/deals", "fixedName": "default", "noDelete": true, "request": "House", "response": "Deal"},
		{"type": "Contoso.Homes/houses/deals/terms", "fixedName": "current", "noDelete": true, "request": "House"},
		{"type": "Contoso.Homes/houses/locks", "fixedName": "default", "request": "House"},
		{"type": "Contoso.Homes/houses/doors", "noDelete": true, "request": "House"}
	], "types": [{"name": "House", "properties": [{"name": "color", "type": "string"}]},
		{"name": "Deal", "properties": [{"name": "color", "type": "string", "required": true}]}]}`
	swagger := `{"swagger": "2.0", "info": {"version": "2020-01-01"}, "paths": {` + strings.Join([]string{
		`"/subscriptions/{s}/resourceGroups/{g}/providers/Contoso.Homes/houses/{h}": {"put": {}, "delete": {}}`,
		`"/subscriptions/{s}/resourceGroups/{g}/providers/Contoso.Homes/houses/{h}/deals/default": {"put": {}}`,
		`"/subscriptions/{s}/resourceGroups/{g}/providers/Contoso.Homes/houses/{h}/deals/default/terms/current": {"put": {}}`,
		`"/subscriptions/{s}/resourceGroups/{g}/providers/Contoso.Homes/houses/{h}/lists/default": {"put": {"responses": {"200":
			{"schema": {"type": "array"}}}}}`,
		`"/subscriptions/{s}/resourceGroups/{g}/providers/Contoso.Homes/houses/{h}/locks/default": {"put": {}, "delete": {}}`,
		`"/subscriptions/{s}/resourceGroups/{g}/providers/Contoso.Homes/houses/{h}/doors/{d}": {"put": {}}`,
	}, ",") + "}}"
	for name, folder := range map[string]fstest.MapFS{
		"facts": {"homes.facts.json": {Data: []byte(facts)}}, "Swagger": {"homes.json": {Data: []byte(swagger)}},
	} {
		t.Run(name, func(t *testing.T) {
			server, send := serve(t, folder)
			expect := func(what, method, url, body string, want int) string {
				t.Helper()
				status, answer := send(method, url+version, body)
				if status != want {
					t.Errorf("%s: got %d, want %d: %s", what, status, want, answer)
				}
				return answer
			}
			expect("nothing is there without the parent", http.MethodGet, house+"/deals/default", "", http.StatusNotFound)
			expect("the parent", http.MethodPut, house, `{}`, http.StatusCreated)
			answer := expect("what has one name and no DELETE is there", http.MethodGet, house+"/deals/default", "", http.StatusOK)
			if name == "facts" && !strings.Contains(answer, `"color"`) {
				t.Errorf("got %s, want what the answers of the type require", answer)
			}
			expect("and so is its own", http.MethodGet, house+"/deals/default/terms/current", "", http.StatusOK)
			if unfit := server.Unfit(); len(unfit) > 0 {
				t.Errorf("unfit: %q", unfit)
			}
			expect("what can be deleted is not", http.MethodGet, house+"/locks/default", "", http.StatusNotFound)
			if got, want := server.IDs(), []string{house}; !slices.Equal(got, want) {
				t.Errorf("clients have made %q, want %q", got, want)
			}
			expect("a change", http.MethodPut, house+"/deals/default", `{"color": "red"}`, http.StatusOK)
			expect("the parent again", http.MethodPut, house, `{}`, http.StatusOK)
			if got := expect("it is kept", http.MethodGet, house+"/deals/default", "", http.StatusOK); !strings.Contains(got, `"red"`) {
				t.Errorf("got %s, want the change", got)
			}
			if got, want := server.IDs(), []string{house, house + "/deals/default"}; !slices.Equal(got, want) {
				t.Errorf("clients have made %q, want %q", got, want)
			}
			expect("its deletion", http.MethodDelete, house+"/deals/default", "", http.StatusMethodNotAllowed)
			expect("the parent's", http.MethodDelete, house, "", http.StatusOK)
			expect("it goes with the parent", http.MethodGet, house+"/deals/default", "", http.StatusNotFound)
		})
	}
}
