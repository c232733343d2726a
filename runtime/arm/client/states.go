package client

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/armature-dev/armature/runtime/arm"
)

// Progress says how far ARM is with a request.
type Progress int

// The values of Progress.
const (
	// Unsaid means that the word for the state has no known meaning. ARM is at work then as
	// long as it asks to wait.
	Unsaid Progress = iota
	EndedWell
	EndedBadly
	AtWork
)

func (p Progress) String() string {
	return [...]string{"not said", "ended well", "ended badly", "at work"}[p]
}

// states gives the meanings of the services' words for states. It has stems of words, because
// each service has words of its own and new ones come with each release. A word is compared
// without case, and an asterisk matches any text. The first stem that matches decides.
// docs/conditions.md has the same table.
var states = []struct {
	stems string
	// resource is their meaning as the provisioningState of a resource, and operation their
	// meaning as the status of an operation.
	resource, operation Progress
}{
	// The condition of a resource, and not what is being done to it.
	{"active existing listening missing paused running suspended warning working", EndedWell, AtWork},
	// The final state of a resource at some services, and the first of several at others.
	{"created initial initialized started uninitialized", Unsaid, AtWork},
	{"none notspecified unknown unrecognized", Unsaid, Unsaid},
	{"failed* *failed failure deletionfailure transientfailure *error *faulted *canceled *cancelled *aborted *timedout *timeout " +
		"*rejected *denied *unauthorized* *notpermitted* *doesnotexist invalid* incomplete idledueto*", EndedBadly, EndedBadly},
	{"*ing* *inprogress *pending* *requested *queued accepted submitted *scheduled* deferred notstarted notinitiated waitfor* " +
		"validate* cleanup *restore infrastructuresetup* internallyready " +
		"content* activitiesstored moduledatastored connectiontypeimported", AtWork, AtWork},
	{"succe* *succeeded deletionsuccess *complete completed* *activated *provisioned *registered *connected *updated *deleted *deployed " +
		"*approved *migrated assigned", EndedWell, EndedWell},
	// The condition of a resource. Of an operation it says nothing.
	{"ready *active *enabled *disabled online offline degraded limited needregistration", EndedWell, Unsaid},
	// An operation that ended without the effect that was asked for.
	{"stopped skipped ignored", EndedWell, EndedBadly},
	// Stages of an order, a bill or a contract, which are no states of a request.
	{"*azuredc* *tocustomer *notavailable *notaccessible *modified* *hold autocontinue datacopy delivered device* dispatched drive* " +
		"escalated expired external* humanintervention locked merged moved new notreturned other pausedby* pickedup split " +
		"systemmaintenance unsupported* warned", Unsaid, Unsaid},
}

// progressOf returns the meaning of a word as the provisioningState of a resource, and as
// the status of an operation.
func progressOf(word string) (resource, operation Progress) {
	if at := stemOf(word); at >= 0 {
		return states[at].resource, states[at].operation
	}
	return Unsaid, Unsaid
}

// stemOf returns the index in states of the first row with a stem that matches a word, or -1.
func stemOf(word string) int {
	word = strings.ToLower(word)
	for at, s := range states {
		for stem := range strings.FieldsSeq(s.stems) {
			if matchesStem(word, stem) {
				return at
			}
		}
	}
	return -1
}

// matchesStem reports whether a word matches a stem.
func matchesStem(word, stem string) bool {
	text := strings.Trim(stem, "*")
	at := strings.Index(word, text)
	if strings.HasPrefix(stem, "*") && !strings.HasSuffix(stem, "*") {
		at = strings.LastIndex(word, text)
	}
	return at >= 0 && (at == 0 || strings.HasPrefix(stem, "*")) && (at+len(text) == len(word) || strings.HasSuffix(stem, "*"))
}

// asksToWait reports whether an answer tells the client to poll, whatever word it has for the state.
func (c *Client) asksToWait(a *answer) bool {
	return a.Status == http.StatusAccepted || a.header.Get("Azure-AsyncOperation") != "" || retryAfter(a.header, c.options.Now()) > 0
}

// resourceState returns the state in an answer that has a resource, and its meaning. A
// resource with an error has not ended well.
func (c *Client) resourceState(a *answer) (state string, progress Progress) {
	progress = EndedWell
	if state = stateOf(a.Body); state != "" {
		progress, _ = progressOf(state)
	}
	if progress == Unsaid && c.asksToWait(a) {
		return state, AtWork
	}
	if code, found := errorIn(a.Body); found && progress != EndedBadly && progress != AtWork {
		return code, EndedBadly
	}
	return state, progress
}

// operationState returns the state in the answer to a poll, and its meaning. Unsaid means
// that the operation has ended, and only the resource shows how.
func (c *Client) operationState(o *Operation, a *answer) (state string, progress Progress) {
	status, hasStatus := statusOf(a.Body)
	isResource := arm.IsResource(a.Body, o.request.ID)
	_, hasError := errorIn(a.Body)
	switch {
	case isResource && !o.inBody && o.method == http.MethodPut && a.Status != http.StatusAccepted:
		// The body decides, because some services report failures only there.
		if state, progress = c.resourceState(a); progress == Unsaid {
			progress = EndedWell
		}
		return state, progress
	case hasStatus && (o.inBody || o.method != http.MethodPost && !isResource):
		state = status
		_, progress = progressOf(state)
	case !o.inBody && o.method == http.MethodPut:
		progress = Unsaid
	default:
		progress = EndedWell
	}
	switch {
	case progress == EndedBadly || progress == AtWork:
		return state, progress
	case progress == Unsaid && state != "" && c.asksToWait(a), a.Status == http.StatusAccepted && !(hasStatus && o.inBody):
		return state, AtWork
	case hasError:
		return state, EndedBadly
	}
	return state, progress
}

// errorIn returns the code of the error in a body. Some services have an error in successful
// answers too, which says that there is none.
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
