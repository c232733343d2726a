package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
)

// Recorder passes requests on to ARM, and writes a line into a log about each.
type Recorder struct {
	log  *Log
	next policy.Transporter

	mutex sync.Mutex
	types map[string]string // ARM types by id in lower case
	sent  map[string][]byte // the body of the last PUT that ARM has taken, by the same
	count map[asked]int
	last  map[asked]repeated
}

// repeated is what was last written about a sort of requests, and how often it has been so since then.
type repeated struct {
	line  string
	times int
}

// asked is a sort of requests.
type asked struct{ who, method, id string }

// New returns a Recorder that sends requests by next.
func New(log *Log, next policy.Transporter) *Recorder {
	return &Recorder{log: log, next: next, types: map[string]string{}, sent: map[string][]byte{}, count: map[asked]int{},
		last: map[asked]repeated{}}
}

// Name says which type a resource has. The log calls it by that.
func (r *Recorder) Name(id, armType string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.types[strings.ToLower(id)] = armType
}

// As returns a transport of requests that somebody sends.
func (r *Recorder) As(who string) policy.Transporter { return transport{r, who} }

// Count returns how many requests of a method about a resource somebody has sent that ARM has answered.
func (r *Recorder) Count(who, method, id string) int {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.count[asked{who, method, strings.ToLower(id)}]
}

// Sent returns the body of the last PUT of a resource that ARM has taken, or nil.
func (r *Recorder) Sent(id string) []byte {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.sent[strings.ToLower(id)]
}

type transport struct {
	*Recorder
	who string
}

// Do sends a request, and writes about it and its answer.
func (t transport) Do(request *http.Request) (*http.Response, error) {
	body, err := drain(&request.Body)
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	response, err := t.next.Do(request)
	took := time.Since(begin)
	if err != nil {
		t.log.Print("%s: %s %s: no answer, %.1f s", t.who, request.Method, t.subject(request), took.Seconds())
		return response, err
	}
	answer, err := drain(&response.Body)
	if err != nil {
		t.log.Print("%s: %s %s: %d, no body, %.1f s", t.who, request.Method, t.subject(request), response.StatusCode, took.Seconds())
		return nil, err
	}
	t.note(request, body, response, answer, took)
	return response, nil
}

// drain reads a body, and puts what it has read in its place.
func drain(body *io.ReadCloser) ([]byte, error) {
	if *body == nil {
		return nil, nil
	}
	text, err := io.ReadAll(*body)
	if err = cmp.Or(err, (*body).Close()); err != nil {
		return nil, err
	}
	*body = io.NopCloser(bytes.NewReader(text))
	return text, nil
}

var (
	version = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}(-preview)?$`)
	seconds = regexp.MustCompile(`^\d{1,6}$`)
)

// subject returns what a request is about: the type of a resource with the API version and the
// action, or that it is something else.
func (r *Recorder) subject(request *http.Request) string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	at := " at " + request.URL.Query().Get("api-version")
	if !version.MatchString(strings.TrimPrefix(at, " at ")) {
		at = ""
	}
	id := strings.ToLower(strings.TrimSuffix(request.URL.Path, "/"))
	if armType, known := r.types[id]; known {
		return armType + at
	}
	if owner, action, found := cutLast(id); found && request.Method == http.MethodPost && r.types[owner] != "" {
		return r.types[owner] + " " + Code(action) + at
	}
	return "an operation"
}

// cutLast cuts the last segment off a path.
func cutLast(path string) (before, last string, found bool) {
	at := strings.LastIndexByte(path, '/')
	if at < 0 {
		return path, "", false
	}
	return path[:at], path[at+1:], true
}

// said is what an answer of ARM may have.
type said struct {
	Status     any
	Error      *struct{ Code any }
	Properties *struct{ ProvisioningState any }
}

// note writes about an exchange, unless it is as the last one of its sort was.
func (t transport) note(request *http.Request, body []byte, response *http.Response, answer []byte, took time.Duration) {
	line := fmt.Sprintf("%s: %s %s: %d", t.who, request.Method, t.subject(request), response.StatusCode)
	var s said
	json.Unmarshal(answer, &s) // what has another form says none of this
	add := func(what string, word any) {
		if text, ok := word.(string); ok && text != "" {
			line += ", " + what + " " + Code(text)
		}
	}
	if s.Error != nil {
		add("code", s.Error.Code)
	}
	add("status", s.Status)
	if s.Properties != nil {
		add("state", s.Properties.ProvisioningState)
	}
	for _, name := range []string{"Azure-AsyncOperation", "Location"} {
		if response.Header.Get(name) != "" {
			line += ", " + name
		}
	}
	if wait := response.Header.Get("Retry-After"); seconds.MatchString(wait) {
		line += ", Retry-After " + wait
	}
	id := strings.ToLower(strings.TrimSuffix(request.URL.Path, "/"))
	sort := asked{t.who, request.Method, id}
	t.mutex.Lock()
	t.count[sort]++
	taken := response.StatusCode >= 200 && response.StatusCode < 300
	if request.Method == http.MethodPut && taken {
		t.sent[id] = body
	}
	sent := t.sent[id]
	t.mutex.Unlock()
	if sent != nil && taken && (request.Method == http.MethodPut || request.Method == http.MethodGet) {
		other, missing := differences(sent, answer)
		line += list("; other than sent: ", other) + list("; not in the answer: ", missing)
	}
	t.mutex.Lock()
	defer t.mutex.Unlock()
	last := t.last[sort]
	if line == last.line {
		t.last[sort] = repeated{line, last.times + 1}
		return
	}
	t.last[sort] = repeated{line: line}
	if last.times > 0 {
		line += fmt.Sprintf(" (after %d more like the one before)", last.times)
	}
	t.log.Print("%s; %.1f s", line, took.Seconds())
}

func list(title string, paths []string) string {
	if len(paths) == 0 {
		return ""
	}
	return title + strings.Join(paths, ", ")
}

// differences returns the properties of what was sent that have another value in an answer, and
// those that it does not have.
func differences(sent, answer []byte) (other, missing []string) {
	of := Leaves(answer)
	for path, value := range Leaves(sent) {
		got, found := of[path]
		switch {
		case !found:
			missing = append(missing, path)
		case !reflect.DeepEqual(got, value):
			other = append(other, path)
		}
	}
	slices.Sort(other)
	slices.Sort(missing)
	return other, missing
}

// Leaves returns the values in a JSON text that are no objects and no lists, by their paths, such as
// properties.addressSpace.addressPrefixes[0]. A text that is no JSON has none.
func Leaves(text []byte) map[string]any {
	var root any
	if json.Unmarshal(text, &root) != nil {
		return nil
	}
	return LeavesOf(root)
}

// LeavesOf returns the same of a value as encoding/json reads it.
func LeavesOf(root any) map[string]any {
	all := map[string]any{}
	var walk func(path string, value any)
	walk = func(path string, value any) {
		switch v := value.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				walk(strings.TrimPrefix(path+"."+name, "."), v[name])
			}
		case []any:
			for i, element := range v {
				walk(fmt.Sprintf("%s[%d]", path, i), element)
			}
		default:
			all[path] = value
		}
	}
	walk("", root)
	return all
}
