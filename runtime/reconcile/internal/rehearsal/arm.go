package rehearsal

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/internal/armtag"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
)

// ARM answers the requests of an operator that is only rehearsing. It passes GET and HEAD on, each once, and answers
// PUT, POST and DELETE itself, as if ARM had done at once what they ask for. What ARM would only then make up, such as
// the values of outputs, are texts that [ARM.IsUnknown] recognizes.
type ARM struct {
	// Base answers GET and HEAD.
	Base policy.Transporter
	// Takes reports whether Base also takes the other requests: it is a stand-in, and has nothing to lose.
	Takes  bool
	Kinds  *kinds.Set
	Scheme *runtime.Scheme
	// Wait waits before a request that Base has refused is repeated, and before each that is passed on.
	Wait func(ctx context.Context, refused time.Duration) error

	// mutex guards known while several requests are under way: reads, before the operator works.
	mutex sync.Mutex
	// made has the resources as they would be, by the keys of their ids, nil for those that would be gone.
	made  map[string]map[string]any
	known map[string]*answer
	// invented has what a stand-in has made up, and texts is how many others there are.
	invented map[string]bool
	texts    int
	// companions are what ARM makes along with resources.
	companions map[string]map[string]bool
}

// answer is an answer to a GET or a HEAD.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// mostTries is how often a request is passed on that Base refuses for now.
const mostTries = 5

// Do answers a request. It refuses every method that the operator does not use.
func (a *ARM) Do(request *http.Request) (*http.Response, error) {
	a.mutex.Lock()
	if a.made == nil {
		a.made, a.known, a.invented = map[string]map[string]any{}, map[string]*answer{}, map[string]bool{}
	}
	a.mutex.Unlock()
	var got *answer
	var err error
	switch {
	case request.Method == http.MethodGet || request.Method == http.MethodHead:
		got, err = a.get(request)
	case a.Takes && (request.Method == http.MethodPut || request.Method == http.MethodPost || request.Method == http.MethodDelete):
		got, err = a.take(request)
	case request.Method == http.MethodPut:
		got, err = a.put(request)
	case request.Method == http.MethodPost:
		got, err = a.post(request)
	case request.Method == http.MethodDelete:
		got, err = a.remove(request)
	default:
		err = fmt.Errorf("a plan sends no %s", request.Method)
	}
	if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: got.status, Status: http.StatusText(got.status), Header: got.header.Clone(), Request: request,
		ContentLength: int64(len(got.body)), Body: io.NopCloser(bytes.NewReader(got.body))}, nil
}

// pass passes a request on.
func (a *ARM) pass(request *http.Request) (*answer, error) {
	wait := time.Duration(0)
	for try := 1; ; try++ {
		if err := a.Wait(request.Context(), wait); err != nil {
			return nil, err
		}
		if request.GetBody != nil {
			body, err := request.GetBody()
			if err != nil {
				return nil, err
			}
			request.Body = body
		}
		response, err := a.Base.Do(request)
		if err != nil {
			return nil, err
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			return nil, err
		}
		busy := response.StatusCode == http.StatusTooManyRequests || response.StatusCode == http.StatusServiceUnavailable
		if !busy || try == mostTries {
			return &answer{response.StatusCode, response.Header, body}, nil
		}
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
		wait = time.Duration(max(seconds, 1)) * time.Second
	}
}

// take passes on a request that changes something in a stand-in. What was known may be otherwise then.
func (a *ARM) take(request *http.Request) (*answer, error) {
	isNew := false
	if request.Method == http.MethodPut {
		before, err := a.ask(withMethod(request, http.MethodGet))
		if err != nil {
			return nil, err
		}
		isNew = before.status == http.StatusNotFound
	}
	got, err := a.pass(request)
	clear(a.known)
	if isNew && err == nil && got.status < 300 {
		a.noteInvented(request, got.body)
	}
	return got, err
}

// noteInvented notes the values that a stand-in has made up for the outputs of a new resource.
func (a *ARM) noteInvented(request *http.Request, body []byte) {
	var resource map[string]any
	if json.Unmarshal(body, &resource) != nil {
		return
	}
	a.outputs(request, func(path []string) {
		at := any(resource)
		for _, name := range path {
			members, _ := at.(map[string]any)
			at = members[name]
		}
		if text, isText := at.(string); isText && text != "" {
			a.invented[text] = true
		}
	})
}

// get answers a GET or a HEAD.
func (a *ARM) get(request *http.Request) (*answer, error) {
	id := request.URL.Path
	if a.isGone(id) {
		return refusal(http.StatusNotFound, "ResourceNotFound"), nil
	}
	if body := a.made[arm.IDKey(id)]; body != nil {
		return shows(body)
	}
	got, err := a.ask(request)
	if err != nil || a.Takes || request.Method == http.MethodHead {
		return got, err
	}
	return a.list(id, got)
}

// ask passes a GET or a HEAD on, once.
func (a *ARM) ask(request *http.Request) (*answer, error) {
	key := request.Method + " " + request.URL.String()
	a.mutex.Lock()
	known := a.known[key]
	a.mutex.Unlock()
	if known != nil {
		return known, nil
	}
	other := withMethod(request, request.Method)
	for _, name := range []string{"If-Match", "If-None-Match", "Content-Type", "Content-Length"} {
		other.Header.Del(name)
	}
	got, err := a.pass(other)
	if err == nil {
		a.mutex.Lock()
		a.known[key] = got
		a.mutex.Unlock()
	}
	return got, err
}

// isGone reports whether a resource, or one that contains it, would be gone.
func (a *ARM) isGone(id string) bool {
	key := arm.IDKey(id)
	for at := key; at != ""; at = at[:max(strings.LastIndexByte(at, '/'), 0)] {
		if body, found := a.made[at]; found {
			return body == nil
		}
	}
	return false
}

// list adds to a list what it would have, and takes away what would be gone.
func (a *ARM) list(id string, got *answer) (*answer, error) {
	var page map[string]json.RawMessage
	var all, kept []json.RawMessage
	if got.status == http.StatusOK && (json.Unmarshal(got.body, &page) != nil || json.Unmarshal(page["value"], &all) != nil) {
		return got, nil
	}
	for _, element := range all {
		if of, named := arm.IDOf(element); !named || !a.isGone(of) && a.made[arm.IDKey(of)] == nil {
			kept = append(kept, element)
		}
	}
	isSame := len(kept) == len(all)
	below := arm.IDKey(id) + "/"
	for _, key := range slices.Sorted(maps.Keys(a.made)) {
		if name, isBelow := strings.CutPrefix(key, below); isBelow && !strings.Contains(name, "/") && a.made[key] != nil {
			text, err := json.Marshal(a.made[key])
			if err != nil {
				return nil, err
			}
			kept, isSame = append(kept, text), false
		}
	}
	if isSame {
		return got, nil
	}
	next := map[string]any{"value": kept}
	if page["nextLink"] != nil {
		next["nextLink"] = page["nextLink"]
	}
	return shows(next)
}

// shows returns an answer with a body.
func shows(body any) (*answer, error) {
	text, err := json.Marshal(body)
	return &answer{http.StatusOK, http.Header{"Content-Type": {"application/json"}}, text}, err
}

// refusal returns an answer that refuses a request.
func refusal(status int, code string) *answer {
	return &answer{status, http.Header{"Content-Type": {"application/json"}},
		fmt.Appendf(nil, `{"error":{"code":%q,"message":%q}}`, code, http.StatusText(status))}
}

// put makes or changes a resource: it has what is sent, and keeps the rest.
func (a *ARM) put(request *http.Request) (*answer, error) {
	id := request.URL.Path
	text, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	var sent, before map[string]any
	if err := json.Unmarshal(text, &sent); err != nil {
		return nil, err
	}
	was, err := a.get(withMethod(request, http.MethodGet))
	if err != nil {
		return nil, err
	}
	switch {
	case was.status == http.StatusOK && json.Unmarshal(was.body, &before) == nil:
		delete(before, "etag")
	case was.status == http.StatusNotFound || was.status == http.StatusMethodNotAllowed:
		if missing, err := a.missing(request, was); missing != nil || err != nil {
			return missing, err
		}
		armType, _ := arm.TypeOf(id)
		before = map[string]any{"id": id, "name": id[strings.LastIndexByte(id, '/')+1:], "type": armType}
		a.outputs(request, func(path []string) { a.makeUp(before, path) })
		a.makeCompanions(id)
	default:
		return was, nil // nobody knows what it would be
	}
	body := merge(before, sent).(map[string]any)
	a.made[arm.IDKey(id)] = body
	return shows(body)
}

// missing returns the refusal of a PUT into a resource or a resource group that is not there, nil if it is. was is
// ARM's answer about what is to be made.
func (a *ARM) missing(request *http.Request, was *answer) (*answer, error) {
	id := request.URL.Path
	var said struct{ Error struct{ Code string } }
	if json.Unmarshal(was.body, &said) == nil && said.Error.Code == "ResourceGroupNotFound" {
		parts := strings.Split(id, "/")
		if len(parts) < 5 || a.made[arm.IDKey(strings.Join(parts[:5], "/"))] == nil {
			return was, nil
		}
	}
	above := id
	for range 2 {
		above = above[:max(strings.LastIndexByte(above, '/'), 0)]
	}
	if a.isGone(above) {
		return refusal(http.StatusNotFound, "ParentResourceNotFound"), nil
	}
	for _, k := range a.kindsOf(above) {
		for _, gv := range a.Scheme.VersionsForGroupKind(k.GroupKind) {
			version := a.resource(gv.WithKind(k.Kind)).APIVersion
			if version == "" {
				continue
			}
			other := withMethod(request, http.MethodGet)
			other.URL.Path, other.URL.RawPath, other.URL.RawQuery = above, "", "api-version="+version
			parent, err := a.get(other)
			if err != nil || parent.status != http.StatusNotFound {
				return nil, err
			}
			return refusal(http.StatusNotFound, "ParentResourceNotFound"), nil
		}
	}
	return nil, nil
}

// resource describes the resource of a kind at a version, with the zero value for what is none of ARM's.
func (a *ARM) resource(of schema.GroupVersionKind) arm.Resource {
	object, err := a.Scheme.New(of)
	if err != nil {
		return arm.Resource{}
	}
	resource, isKind := object.(kinds.Resource)
	if !isKind {
		return arm.Resource{}
	}
	spec, isVersion := resource.GetSpec().(arm.ARMTransformer)
	if !isVersion {
		return arm.Resource{}
	}
	return spec.ARMResource()
}

// makeCompanions makes the children that ARM makes along with a new resource: those of a kind that has one name, and
// that ARM cannot delete.
func (a *ARM) makeCompanions(id string) {
	if a.companions == nil {
		a.findCompanions()
	}
	armType, _ := arm.TypeOf(id)
	for name := range a.companions[strings.ToLower(armType)] {
		child := id + "/" + name
		childType, _ := arm.TypeOf(child)
		if key := arm.IDKey(child); a.made[key] == nil {
			a.made[key] = map[string]any{"id": child, "name": name[strings.IndexByte(name, '/')+1:], "type": childType}
			a.makeCompanions(child)
		}
	}
}

// findCompanions finds the types and names of what ARM makes along with resources, by the types of these in lower case.
func (a *ARM) findCompanions() {
	a.companions = map[string]map[string]bool{}
	for _, k := range a.Kinds.All {
		for _, gv := range a.Scheme.VersionsForGroupKind(k.GroupKind) {
			r := a.resource(gv.WithKind(k.Kind))
			parent := strings.ToLower(r.Type[:max(strings.LastIndexByte(r.Type, '/'), 0)])
			if r.FixedName == "" || !r.NoDelete || !strings.Contains(parent, "/") {
				continue
			}
			if a.companions[parent] == nil {
				a.companions[parent] = map[string]bool{}
			}
			a.companions[parent][r.Type[len(parent)+1:]+"/"+r.FixedName] = true
		}
	}
}

// withMethod returns a request about the same resource, without a body.
func withMethod(request *http.Request, method string) *http.Request {
	other := request.Clone(request.Context())
	other.Method, other.Body, other.GetBody, other.ContentLength = method, nil, nil, 0
	return other
}

// merge returns a value as ARM would have it that was sent another.
func merge(before, sent any) any {
	was, is := before.(map[string]any)
	now, wants := sent.(map[string]any)
	if !is || !wants {
		return sent
	}
	all := maps.Clone(was)
	for name, value := range now {
		all[name] = merge(was[name], value)
	}
	return all
}

// remove deletes a resource.
func (a *ARM) remove(request *http.Request) (*answer, error) {
	was, err := a.get(withMethod(request, http.MethodGet))
	if err != nil {
		return nil, err
	}
	id := arm.IDKey(request.URL.Path)
	maps.DeleteFunc(a.made, func(other string, _ map[string]any) bool { return strings.HasPrefix(other, id+"/") })
	a.made[id] = nil
	if was.status == http.StatusNotFound {
		return &answer{status: http.StatusNoContent}, nil
	}
	return &answer{status: http.StatusOK}, nil
}

// post answers an action: with texts that nobody knows.
func (a *ARM) post(request *http.Request) (*answer, error) {
	at := strings.LastIndexByte(request.URL.Path, '/')
	id, action := request.URL.Path[:at], request.URL.Path[at+1:]
	body := map[string]any{}
	for _, k := range a.kindsOf(id) {
		for _, name := range slices.Sorted(maps.Keys(k.Outputs)) {
			if o := k.Outputs[name]; strings.EqualFold(o.Action, action) {
				text := a.text()
				if o.Base64 {
					text = base64.StdEncoding.EncodeToString([]byte(text))
				}
				setAt(body, o.Steps(), text)
			}
		}
	}
	return shows(body)
}

// kindsOf returns the kinds of the type of an id.
func (a *ARM) kindsOf(id string) []*kinds.Kind {
	armType, _ := arm.TypeOf(id)
	return a.Kinds.ByType[strings.ToLower(armType)]
}

// outputs calls do with the places in a resource where its outputs are that are texts.
func (a *ARM) outputs(request *http.Request, do func(path []string)) {
	for _, k := range a.kindsOf(request.URL.Path) {
		version := k.VersionAt(request.URL.Query().Get("api-version"))
		object, err := a.Scheme.New(schema.GroupVersionKind{Group: k.Group, Version: version, Kind: k.Kind})
		if err != nil {
			continue
		}
		status := reflect.TypeOf(object.(kinds.Resource).GetStatus())
		for _, name := range slices.Sorted(maps.Keys(k.Outputs)) {
			o := k.Outputs[name]
			if o.Action != "" || o.KindIn(status) != reflect.String {
				continue
			}
			if path := placeOf(status, o.Path); path != nil {
				do(path)
			}
		}
	}
}

// placeOf returns the place in a body where ARM has what a Status has at a path, or nil.
func placeOf(status reflect.Type, path string) (place []string) {
	at := status
	for _, step := range strings.Split(path, ".") {
		for at.Kind() == reflect.Pointer {
			at = at.Elem()
		}
		if at.Kind() != reflect.Struct || strings.Contains(step, "[") {
			return nil
		}
		i := slices.IndexFunc(reflect.VisibleFields(at), func(f reflect.StructField) bool {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			return strings.EqualFold(name, step)
		})
		if i < 0 {
			return nil
		}
		field := reflect.VisibleFields(at)[i]
		tag := armtag.Of(field)
		if tag.Unknown || tag.Spread || tag.Discriminator != "" {
			return nil
		}
		if tag.Nested {
			place = append(place, "properties")
		}
		place, at = append(place, tag.Name), field.Type
	}
	return place
}

// makeUp sets a text that nobody knows.
func (a *ARM) makeUp(in map[string]any, path []string) {
	for _, name := range path[:len(path)-1] {
		below, isObject := in[name].(map[string]any)
		if !isObject {
			below = map[string]any{}
			in[name] = below
		}
		in = below
	}
	if last := path[len(path)-1]; in[last] == nil { // otherwise it is known, such as the id
		in[last] = a.text()
	}
}

// unknown is in each text that stands for one which only ARM can know. No resource has it in a name.
const unknown = "(known after apply"

// text returns a new text that nobody knows.
func (a *ARM) text() string {
	a.texts++
	return fmt.Sprintf("%s, %d)", unknown, a.texts)
}

// IsUnknown reports whether a text stands for one that only ARM can know, or has one in it.
func (a *ARM) IsUnknown(text string) bool { return a.invented[text] || strings.Contains(text, unknown) }

// setAt sets a text in the answer of an action.
func setAt(in map[string]any, path []arm.Step, text string) {
	first, rest := path[0], path[1:]
	if first.Name == "*" {
		in["key"] = text
		return
	}
	if first.Element == "" && len(rest) == 0 {
		in[first.Name] = text
		return
	}
	if first.Element == "" {
		below, isObject := in[first.Name].(map[string]any)
		if !isObject {
			below = map[string]any{}
			in[first.Name] = below
		}
		setAt(below, rest, text)
		return
	}
	list, _ := in[first.Name].([]any)
	name, value, byName := strings.Cut(first.Element, "=")
	at := slices.IndexFunc(list, func(e any) bool { m, _ := e.(map[string]any); return byName && m[name] == value })
	if index, err := strconv.Atoi(first.Element); !byName && err == nil {
		at = index
	}
	for at < 0 || at >= len(list) {
		next := map[string]any{}
		if byName {
			next[name] = value
		}
		if list = append(list, next); at < 0 {
			at = len(list) - 1
		}
	}
	in[first.Name] = list
	if element, isObject := list[at].(map[string]any); isObject && len(rest) > 0 {
		setAt(element, rest, text)
	} else {
		list[at] = text
	}
}
