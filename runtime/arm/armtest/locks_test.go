package armtest_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestLocks(t *testing.T) {
	const (
		version = "?api-version=2020-02-02"
		locks   = "/providers/Microsoft.Authorization/locks/l"
		body    = `{"location": "b", "properties": {"rooms": 1, "color": "red"}}`
	)
	for _, row := range []struct {
		what, level, on, method, url string
		locked                       bool
	}{
		{"the deletion of what it is on", "CanNotDelete", house, http.MethodDelete, house, true},
		{"in another case", "CanNotDelete", strings.ToUpper(house), http.MethodDelete, house, true},
		{"the deletion of a child", "CanNotDelete", house, http.MethodDelete, house + "/doors/d", true},
		{"the deletion of what it lies in", "CanNotDelete", house, http.MethodDelete, group, true},
		{"the deletion of what lies in its group", "CanNotDelete", group, http.MethodDelete, house, true},
		{"the deletion of another resource", "CanNotDelete", house, http.MethodDelete, house + "2", false},
		{"a change", "CanNotDelete", house, http.MethodPut, house, false},
		{"an action", "CanNotDelete", house, http.MethodPost, house + "/listKeys", false},
		{"its own deletion", "CanNotDelete", house, http.MethodDelete, house + locks, false},
		{"the deletion of what it is on", "ReadOnly", house, http.MethodDelete, house, true},
		{"a change", "ReadOnly", house, http.MethodPut, house, true},
		{"a change of what it lies in", "ReadOnly", house, http.MethodPut, group, false},
		{"an action", "ReadOnly", house, http.MethodPost, house + "/listKeys", true},
		{"a GET", "ReadOnly", house, http.MethodGet, house, false},
		{"its own deletion", "ReadOnly", house, http.MethodDelete, house + locks, false},
	} {
		t.Run(row.level+": "+row.what, func(t *testing.T) {
			_, send := start(t)
			for _, put := range [][2]string{{group, `{}`}, {house, body}, {house + "2", body}, {house + "/doors/d", `{}`},
				{row.on + locks, `{"properties": {"level": "` + row.level + `"}}`}} {
				if status, answer := send(http.MethodPut, put[0]+version, put[1]); status != http.StatusCreated {
					t.Fatalf("%s: %d %s", put[0], status, answer)
				}
			}
			content := map[string]string{group: `{}`, house: body}[row.url]
			status, answer := send(row.method, row.url+version, content)
			refused := status == http.StatusConflict && strings.Contains(answer, "ScopeLocked")
			if refused != row.locked || !refused && status > 299 {
				t.Errorf("got %d %s", status, answer)
			}
			send(http.MethodDelete, row.on+locks+version, "")
			if status, answer := send(row.method, row.url+version, content); status > 299 {
				t.Errorf("without the lock: got %d %s", status, answer)
			}
		})
	}
}

func TestRemoved(t *testing.T) {
	server, send := start(t)
	const version = "?api-version=2020-02-02"
	const setting = "/providers/Microsoft.Insights/diagnosticSettings/s"
	put := func(id, body string) {
		t.Helper()
		if status, answer := send(http.MethodPut, id+version, body); status != http.StatusCreated {
			t.Fatalf("%s: %d %s", id, status, answer)
		}
	}
	put(house, `{"location": "b", "properties": {"rooms": 1, "color": "red"}}`)
	put(house+"/doors/d", `{}`)
	put(house+setting, `{}`)
	if status, _ := send(http.MethodDelete, house+version, ""); status != http.StatusOK {
		t.Fatalf("got %d", status)
	}
	if left := server.IDs(); len(left) != 1 || left[0] != house+setting {
		t.Errorf("children go with a resource, and its diagnostic settings stay: got %q", left)
	}
	if status, _ := send(http.MethodDelete, house+setting+version, ""); status != http.StatusOK || len(server.IDs()) > 0 {
		t.Errorf("got %d, and %q is left", status, server.IDs())
	}
}
