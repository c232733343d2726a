package armtest

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// pageSize is how many resources a page of a list has.
const pageSize = 3

// listOf parses the path of a list: of the resources of one type below an owner, or of all
// resources in a resource group except children.
func listOf(path string) (armType, prefix string, ok bool) {
	if group, isGroup := strings.CutSuffix(path, "/resources"); isGroup && !strings.Contains(strings.ToLower(path), "/providers/") {
		return "", group + "/providers/", true
	}
	armType, ok = typeOf(path + "/x")
	if _, isResource := typeOf(path); !ok || isResource {
		return "", "", false
	}
	return armType, path + "/", true
}

// list answers with a page of the resources that lie below a prefix.
func (s *Server) list(e *exchange, armType, prefix string) answer {
	if armType != "" {
		if _, err := s.specs.find(prefix+"x", e.version); err != nil {
			return refuse(http.StatusBadRequest, "NoRegisteredProviderFound", err.Error())
		}
	}
	var all []*resource
	for _, r := range s.resources {
		t, _ := typeOf(r.id)
		below := len(r.id) > len(prefix) && strings.EqualFold(r.id[:len(prefix)], prefix)
		fits := armType == "" && strings.Count(t, "/") == 1 || strings.EqualFold(t, armType)
		if below && fits && s.visible(r.id) != nil && !s.isOut(r) {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b *resource) int { return strings.Compare(a.id, b.id) })
	from, _ := strconv.Atoi(e.skipToken)
	page := all[min(from, len(all)):min(from+pageSize, len(all))]
	body := map[string]any{"value": []any{}}
	for _, r := range page {
		shown := s.show(r, e)
		if armType == "" { // the list of a resource group has no properties
			shown = map[string]any{"id": shown["id"], "name": shown["name"], "type": shown["type"]}
		}
		body["value"] = append(body["value"].([]any), shown)
	}
	if from+pageSize < len(all) {
		body["nextLink"] = fmt.Sprintf("%s%s?api-version=%s&$skiptoken=%d", e.origin, e.id, e.version, from+pageSize)
	}
	return answer{status: http.StatusOK, body: body}
}
