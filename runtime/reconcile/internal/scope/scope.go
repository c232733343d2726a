// Package scope limits requests to subscriptions, resource groups, and resources that are in no
// subscription. Its main type is [Scopes].
package scope

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/runtime/arm"
)

// Scopes are subscriptions, resource groups, and resources of the tenant.
type Scopes struct {
	all [][]string // the segments of each
}

var (
	separators   = regexp.MustCompile(`[,\s]+`)
	subscription = regexp.MustCompile(`^[0-9A-Za-z-]+$`)
	group        = regexp.MustCompile(`^[\p{L}\p{N}_().-]+$`)
	provider     = regexp.MustCompile(`^[0-9A-Za-z]+(\.[0-9A-Za-z]+)+$`)
	typeName     = regexp.MustCompile(`^[0-9A-Za-z]+$`)
	tenantName   = regexp.MustCompile(`^[\p{L}\p{N}_().:-]+$`) // of a billing account, too
)

// Parse reads ARM ids with commas or white space between them. The error lists everything that is wrong.
func Parse(text string) (Scopes, error) {
	var s Scopes
	var errs []error
	for _, id := range separators.Split(text, -1) {
		if id == "" {
			continue
		}
		segments, ok := split(id)
		if !ok || !isScope(segments) {
			errs = append(errs, fmt.Errorf("found %q, expected /subscriptions/<id>, /subscriptions/<id>/resourceGroups/<name>, or, "+
				"for a resource in no subscription, /providers/<provider>/<type> with or without /<name>", id))
			continue
		}
		s.all = append(s.all, segments)
	}
	if len(s.all)+len(errs) == 0 {
		errs = append(errs, errors.New("found no id, expected some with commas between them"))
	}
	return s, errors.Join(errs...)
}

// isScope reports whether the segments of an id are those of a scope.
func isScope(segments []string) bool {
	n := len(segments)
	if equal(segments[0], "providers") {
		return (n == 3 || n == 4) && provider.MatchString(segments[1]) && typeName.MatchString(segments[2]) &&
			(n == 3 || tenantName.MatchString(segments[3]))
	}
	return equal(segments[0], "subscriptions") && (n == 2 || n == 4) && subscription.MatchString(segments[1]) &&
		(n == 2 || equal(segments[2], "resourceGroups") && group.MatchString(segments[3]))
}

// split returns the segments of an id, and whether it is a valid id.
func split(id string) (segments []string, ok bool) {
	if !strings.HasPrefix(id, "/") {
		return nil, false
	}
	segments = strings.Split(id[1:], "/")
	for _, s := range segments {
		if s == "" || s == "." || s == ".." || strings.ContainsAny(s, `\%`) {
			return nil, false
		}
	}
	return segments, true
}

// equal reports whether two segments are the same for ARM.
func equal(a, b string) bool { return arm.FoldCase(a) == arm.FoldCase(b) }

// Allow reports whether an ARM id is one of the scopes, or below one.
func (s Scopes) Allow(id string) bool {
	segments, ok := split(id)
	return ok && slices.ContainsFunc(s.all, func(scope []string) bool {
		return len(segments) >= len(scope) && slices.EqualFunc(segments[:len(scope)], scope, equal)
	})
}

var (
	// inSubscription finds ids in a text, up to their resource groups.
	inSubscription = regexp.MustCompile(`(?i)/subscriptions/[0-9a-z-]+(/resourceGroups/[^/\s"',;:?#&|]+)?`)
	// ofTenant finds ids of resources in no subscription, such as a management group.
	ofTenant = regexp.MustCompile(`(?i)^/providers/[a-z0-9]+\.[a-z0-9.]+/[^/]+/[^/]+`)
	// definitions finds ids of built-in definitions, which are the same for everybody.
	definitions = regexp.MustCompile(`(?i)^/providers/Microsoft\.Authorization/(role|policy|policySet)Definitions/[^/]+$`)
)

// Outside returns the first ARM id in a body that is not in the scopes, and the path of the property with
// it, or "".
func (s Scopes) Outside(body []byte) (id, path string, err error) {
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return "", "", err
	}
	id, path = s.outside(value, "")
	return id, path, nil
}

func (s Scopes) outside(value any, path string) (string, string) {
	switch value := value.(type) {
	case string:
		return s.outsideOf(value), path
	case []any:
		for i, v := range value {
			if id, at := s.outside(v, fmt.Sprintf("%s[%d]", path, i)); id != "" {
				return id, at
			}
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			at := strings.TrimPrefix(path+"."+key, ".")
			if id := s.outsideOf(key); id != "" { // as in a map of identities
				return id, at
			}
			if id, at := s.outside(value[key], at); id != "" {
				return id, at
			}
		}
	}
	return "", ""
}

// outsideOf returns the first id in a text that is not in the scopes, or "".
func (s Scopes) outsideOf(text string) string {
	for _, at := range inSubscription.FindAllStringIndex(text, -1) {
		if id := text[at[0]:at[1]]; !s.Allow(id) || slices.Contains(strings.Split(text[at[1]:], "/"), "..") {
			return id
		}
	}
	if id := strings.TrimSpace(text); ofTenant.MatchString(id) && !definitions.MatchString(id) && !s.Allow(id) {
		return id
	}
	return ""
}
