package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/armature-dev/armature/runtime/arm"
)

const (
	// maxPages is the number of pages that a list may have.
	maxPages = 10_000
	// maxSearched is the number of pages in which [Client.Lists] looks for a resource.
	maxSearched = 50
)

// List reads all pages of a list. The request's ID is the path of the list, such as the id
// of a resource followed by the type of its children.
func (c *Client) List(ctx context.Context, request Request) (all []json.RawMessage, err error) {
	err = c.pages(ctx, request, maxPages, func(page []json.RawMessage) (done bool) {
		all = append(all, page...)
		return false
	})
	return all, err
}

// Lists reports whether the list that has a resource, if ARM shows it, names the resource with the request's ID. It
// reads 50 pages of the list at most, and returns an error if the resource is in none of them and there are more.
func (c *Client) Lists(ctx context.Context, request Request) (found bool, err error) {
	id := request.ID
	request.ID = id[:max(strings.LastIndexByte(id, '/'), 0)]
	err = c.pages(ctx, request, maxSearched, func(page []json.RawMessage) (done bool) {
		for _, element := range page {
			if of, named := arm.IDOf(element); named && arm.SameID(of, id) {
				found = true
			}
		}
		return found
	})
	return found, err
}

// pages calls visit for the pages of a list until it reports that it is done. It returns an error if there are more
// pages than most.
func (c *Client) pages(ctx context.Context, request Request, most int, visit func([]json.RawMessage) (done bool)) error {
	next := ""
	for range most {
		a, err := c.send(ctx, call{method: http.MethodGet, request: request, url: next})
		if err != nil {
			return err
		}
		var page struct {
			Value    []json.RawMessage `json:"value"`
			NextLink string            `json:"nextLink"`
		}
		if a.Status != http.StatusOK || a.Body == nil || json.Unmarshal(a.Body, &page) != nil {
			return c.malformed(a, "found an answer that is not a list: "+a.excerpt(request.Secrets))
		}
		if visit(page.Value) || page.NextLink == "" {
			return nil
		}
		// The gate would refuse another host too, as it does for operations.
		if at, err := url.Parse(page.NextLink); err != nil || !c.trusts(at) {
			return c.malformed(a, "the next page is not at ARM's host")
		}
		next = page.NextLink
	}
	return fmt.Errorf("%s has more than %d pages", request.ID, most)
}
