package client

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/armature-dev/armature/runtime/arm"
)

// Progress says how far ARM is with what it was asked for.
type Progress int

// How far ARM can be.
const (
	// Unsaid is of a word that does not say it. ARM is at work then as long as it gives a
	// reason to wait.
	Unsaid Progress = iota
	EndedWell
	EndedBadly
	AtWork
)

func (p Progress) String() string {
	return [...]string{"not said", "ended well", "ended badly", "at work"}[p]
}

// states sorts the words that services have for states by the parts that say what happens,
// since each service has its own and new ones come with each release. A word is compared
// without case, and an asterisk stands for any text. The first stem that fits decides.
// docs/conditions.md has the same table.
var states = []struct {
	stems string
	// resource is what they mean as the provisioningState of a resource, and operation as the
	// status of an operation.
	resource, operation Progress
}{
	// How a resource is, and not what is done to it.
	{"existing listening missing paused running suspended warning working", EndedWell, AtWork},
	// Some services leave a resource so, others go on from there.
	{"created initial initialized started uninitialized", Unsaid, AtWork},
	{"none notspecified unknown unrecognized", Unsaid, Unsaid},
	{"failed* *failed failure *error *faulted *canceled *cancelled *aborted *timedout *timeout *rejected *denied " +
		"*unauthorized* *notpermitted* *doesnotexist invalid* incomplete idledueto*", EndedBadly, EndedBadly},
	{"*ing* *inprogress *pending* *requested *queued accepted submitted *scheduled* deferred notstarted notinitiated waitfor* " +
		"validate* cleanup *restore infrastructuresetup* internallyready", AtWork, AtWork},
	{"succe* *succeeded *complete completed* ready *active *activated *enabled *disabled *provisioned *registered " +
		"*connected *updated *deleted *deployed *approved assigned online offline degraded limited needregistration", EndedWell, EndedWell},
	// An operation that did not do what it was begun for.
	{"stopped skipped ignored", EndedWell, EndedBadly},
}

// progressOf returns what a word means as the provisioningState of a resource, and as the
// status of an operation.
func progressOf(word string) (resource, operation Progress) {
	if at := stemOf(word); at >= 0 {
		return states[at].resource, states[at].operation
	}
	return Unsaid, Unsaid
}

// stemOf returns the index in states of what decides a word, or -1.
func stemOf(word string) int {
	word = strings.ToLower(word)
	for at, s := range states {
		for stem := range strings.FieldsSeq(s.stems) {
			if fits(word, stem) {
				return at
			}
		}
	}
	return -1
}

// fits reports whether a word is what a stem says.
func fits(word, stem string) bool {
	text := strings.Trim(stem, "*")
	at := strings.Index(word, text)
	if strings.HasPrefix(stem, "*") && !strings.HasSuffix(stem, "*") {
		at = strings.LastIndex(word, text)
	}
	return at >= 0 && (at == 0 || strings.HasPrefix(stem, "*")) && (at+len(text) == len(word) || strings.HasSuffix(stem, "*"))
}

// asksToWait reports whether an answer gives a reason to ask again, whatever it calls a state.
func (c *Client) asksToWait(a *answer) bool {
	return a.Status == http.StatusAccepted || a.header.Get("Azure-AsyncOperation") != "" || retryAfter(a.header, c.options.Now()) > 0
}

// resourceState returns the state of a resource by an answer that has it, and what that
// means. What has an error has not ended well.
func (c *Client) resourceState(a *answer) (state string, means Progress) {
	means = EndedWell
	if state = stateOf(a.Body); state != "" {
		means, _ = progressOf(state)
	}
	if means == Unsaid && c.asksToWait(a) {
		return state, AtWork
	}
	if code, found := errorIn(a.Body); found && means != EndedBadly && means != AtWork {
		return code, EndedBadly
	}
	return state, means
}

// operationState returns the state of an operation by an answer to a poll, and what that
// means. Unsaid is of an end that the resource has to tell more about.
func (c *Client) operationState(o *Operation, a *answer) (state string, means Progress) {
	status, hasStatus := statusOf(a.Body)
	isResource := arm.IsResource(a.Body, o.request.ID)
	_, hasError := errorIn(a.Body)
	switch {
	case isResource && !o.inBody && o.method == http.MethodPut && a.Status != http.StatusAccepted:
		// The body decides, as some services have their failures in it.
		if state, means = c.resourceState(a); means == Unsaid {
			means = EndedWell
		}
		return state, means
	case hasStatus && (o.inBody || o.method != http.MethodPost && !isResource):
		state = status
		_, means = progressOf(state)
	case !o.inBody && o.method == http.MethodPut:
		means = Unsaid
	default:
		means = EndedWell
	}
	switch {
	case means == EndedBadly || means == AtWork:
		return state, means
	case means == Unsaid && state != "" && c.asksToWait(a), a.Status == http.StatusAccepted && !(hasStatus && o.inBody):
		return state, AtWork
	case hasError:
		return state, EndedBadly
	}
	return state, means
}

// errorIn returns the code of the error that a body has. Some services have one beside a
// success that says that there is none.
func errorIn(body []byte) (code string, found bool) {
	var holder struct{ Error json.RawMessage }
	if json.Unmarshal(body, &holder) != nil || len(holder.Error) == 0 {
		return "", false
	}
	var e armError
	switch holder.Error[0] {
	case '"':
		return "Error", string(holder.Error) != `""`
	case '{':
		if json.Unmarshal(holder.Error, &e) != nil || strings.EqualFold(string(e.Code), "None") {
			return "", false
		}
	}
	return cmp.Or(string(e.Code), "Error"), e.Code != "" || e.Message != ""
}

// stateOf returns the provisioningState in the body of a resource, or "".
func stateOf(body []byte) string {
	var resource struct {
		Properties struct{ ProvisioningState string }
	}
	if json.Unmarshal(body, &resource) != nil {
		return ""
	}
	return resource.Properties.ProvisioningState
}

// statusOf returns the state in the body of a poll's answer.
func statusOf(body []byte) (state string, found bool) {
	var operation struct{ Status *string }
	if json.Unmarshal(body, &operation) != nil || operation.Status == nil {
		return "", false
	}
	return *operation.Status, true
}
