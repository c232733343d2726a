package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
)

// maxPages is the number of pages that a list may have.
const maxPages = 10_000

// List reads all pages of a list. The request's ID is the path of the list, such as the id
// of a resource followed by the type of its children.
func (c *Client) List(ctx context.Context, request Request) ([]json.RawMessage, error) {
	var all []json.RawMessage
	next := ""
	for range maxPages {
		a, err := c.send(ctx, call{method: http.MethodGet, request: request, url: next})
		if err != nil {
			return nil, err
		}
		var page struct {
			Value    []json.RawMessage `json:"value"`
			NextLink string            `json:"nextLink"`
		}
		if a.Status != http.StatusOK || a.Body == nil || json.Unmarshal(a.Body, &page) != nil {
			return nil, c.malformed(a, "found an answer that is not a list: "+a.excerpt(request.Secrets))
		}
		all = append(all, page.Value...)
		if page.NextLink == "" {
			return all, nil
		}
		// The gate would refuse another host too, as it does for operations.
		if at, err := url.Parse(page.NextLink); err != nil || !c.trusts(at) {
			return nil, c.malformed(a, "the next page is not at ARM's host")
		}
		next = page.NextLink
	}
	return nil, fmt.Errorf("%s has more than %d pages", request.ID, maxPages)
}
