package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/tools/smoke/remains"
)

const (
	subscription = "5a0c1b9e-0000-4000-8000-00000000cafe"
	groupsID     = "/subscriptions/" + subscription + "/resourceGroups/"
)

// canaries are what ARM says in sentences and headers, which no log may have.
var canaries = []string{
	"contoso-policy", "jane@contoso.example", "9d3c1b9e-1111-4000-8000-00000000beef", "correlation-canary", "contosofiles",
	"contosocache",
}

// azure is the stand-in for ARM, with what a test changes of its answers.
type azure struct {
	*armtest.Server
	url string

	mutex   sync.Mutex
	secrets []string // the answers to POSTs
	// intercept answers a request itself, or lets the stand-in do it.
	intercept func(http.ResponseWriter, *http.Request) bool
	// change changes an answer.
	change func(*http.Request, map[string]any)
}

func (a *azure) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("x-ms-correlation-request-id", "correlation-canary")
	if a.intercept != nil && a.intercept(w, r) {
		return
	}
	answer := httptest.NewRecorder()
	a.Server.ServeHTTP(answer, r)
	text := answer.Body.Bytes()
	var body map[string]any
	if answer.Code < 300 && json.Unmarshal(text, &body) == nil {
		complete(r, body)
		if a.change != nil {
			a.change(r, body)
		}
		text, _ = json.Marshal(body)
	}
	if r.Method == http.MethodPost && answer.Code < 300 { // an error has the code of one
		a.mutex.Lock()
		a.secrets = append(a.secrets, strs(text)...)
		a.mutex.Unlock()
	}
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.Code)
	w.Write(text)
}

// complete adds what Azure answers, and the stand-in, which knows nothing of it, does not.
func complete(r *http.Request, body map[string]any) {
	properties, _ := body["properties"].(map[string]any)
	switch path := strings.ToLower(r.URL.Path); {
	case strings.HasSuffix(path, "/listkeys") && strings.Contains(path, "/storageaccounts/"):
		body["keys"] = []any{map[string]any{"keyName": "key1", "value": "c2VjcmV0IG9mIHRoZSBhY2NvdW50"}}
	case strings.HasSuffix(path, "/listkeys"):
		body["primaryKey"], body["secondaryKey"] = "c2VjcmV0IG9mIHRoZSBjYWNoZQ==", "YW5vdGhlciBzZWNyZXQ="
	case properties != nil && strings.Contains(path, "/storageaccounts/"):
		properties["primaryEndpoints"] = map[string]any{"blob": "https://contosofiles.blob.example/"}
	case properties != nil && strings.Contains(path, "/redis/"):
		properties["hostName"] = "contosocache.redis.example"
	}
}

// strs returns the longer strings in a text of JSON.
func strs(text []byte) []string {
	var all []string
	for _, found := range regexp.MustCompile(`"([^"]{12,})"`).FindAllSubmatch(text, -1) {
		all = append(all, string(found[1]))
	}
	return all
}

func newAzure(t *testing.T, behavior armtest.Behavior) *azure {
	t.Helper()
	server, err := armtest.New(os.DirFS(os.Getenv("TEST_SRCDIR")))
	if err != nil {
		t.Fatal(err)
	}
	server.Behave(behavior)
	a := &azure{Server: server}
	listening := httptest.NewServer(a)
	t.Cleanup(listening.Close)
	a.url = listening.URL
	return a
}

// run is a running smoke.
type run struct {
	*exec.Cmd
	folder string
	output output
	ended  chan struct{}
}

// output collects what a process writes. It is an [io.Writer].
type output struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (o *output) Write(text []byte) (int, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.text.Write(text)
}

func (o *output) String() string {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.text.String()
}

// start starts smoke in the same way as `bazel run`.
func start(t *testing.T, a *azure, flags ...string) *run {
	t.Helper()
	flags = append([]string{"--subscription", subscription, "--arm-endpoint", a.url, "--refresh", "1s", "--log", "the.log"}, flags...)
	r := &run{Cmd: exec.Command("tools/smoke/smoke_/smoke", flags...), folder: t.TempDir(), ended: make(chan struct{})}
	r.Dir = filepath.Join("..", "..")
	r.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "KUBEBUILDER_ASSETS=") })
	r.Env = append(r.Env, "HOME="+t.TempDir(), "TMPDIR="+r.folder, "BUILD_WORKING_DIRECTORY="+t.TempDir())
	r.Stdout, r.Stderr = &r.output, &r.output
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		r.Wait()
		close(r.ended)
	}()
	t.Cleanup(func() {
		r.Process.Signal(os.Interrupt) // if the test has failed
		<-r.ended
	})
	return r
}

// ends waits for the end, and checks the exit code, and that no process and no file is left.
func (r *run) ends(t *testing.T, code int) {
	t.Helper()
	<-r.ended
	if r.ProcessState.ExitCode() != code {
		t.Errorf("it ended with %v, expected exit code %d:\n%s", r.ProcessState, code, &r.output)
	}
	if left := r.processes(t); len(left) > 0 {
		t.Errorf("these still run: %v", left)
	}
	if left, err := filepath.Glob(filepath.Join(r.folder, "*")); err != nil || len(left) > 0 {
		t.Errorf("these files are left: %q, %v", left, err)
	}
}

// processes returns the ids of the programs that smoke has started. All of them have a file of its
// folder among their arguments.
func (r *run) processes(t *testing.T) []int {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var all []int
	for _, file := range files {
		var id int
		text, err := os.ReadFile(file)
		if _, scanErr := fmt.Sscanf(file, "/proc/%d/", &id); err == nil && scanErr == nil && bytes.Contains(text, []byte(r.folder)) {
			all = append(all, id)
		}
	}
	return all
}

// suffix returns the suffix of the run, as soon as it has printed it.
func (r *run) suffix(t *testing.T) string {
	t.Helper()
	r.await(t, "The suffix of this run is")
	return regexp.MustCompile(`The suffix of this run is (\w+)`).FindStringSubmatch(r.output.String())[1]
}

// await waits until smoke has written something.
func (r *run) await(t *testing.T, text string) {
	t.Helper()
	await.Until(t, fmt.Sprintf("it writes %q", text), func() error {
		var over bool
		select {
		case <-r.ended:
			over = true
		default:
		}
		out := r.output.String()
		if strings.Contains(out, text) {
			return nil
		}
		if over {
			t.Fatalf("it ended before it wrote %q:\n%s", text, out)
		}
		return fmt.Errorf("it wrote: %s", out)
	})
}

// log returns the log, and checks that it has nothing that identifies somebody or is secret.
func (r *run) log(t *testing.T, a *azure) string {
	t.Helper()
	folder := strings.TrimPrefix(r.Env[len(r.Env)-1], "BUILD_WORKING_DIRECTORY=")
	text, err := os.ReadFile(filepath.Join(folder, "the.log"))
	if err != nil {
		t.Fatal(err)
	}
	hidden := append([]string{subscription, r.suffix(t), a.url, r.folder, "/subscriptions/"}, canaries...)
	a.mutex.Lock()
	hidden = append(hidden, a.secrets...)
	a.mutex.Unlock()
	for _, word := range hidden {
		if strings.Contains(strings.ToLower(string(text)), strings.ToLower(word)) {
			t.Errorf("the log has %q:\n%s", word, text)
		}
	}
	return string(text)
}

// outcomes returns the table at the end of a log.
func outcomes(t *testing.T, log string) map[string]string {
	t.Helper()
	all := map[string]string{}
	_, table, _ := strings.Cut(log, "\nstep ")
	for _, found := range regexp.MustCompile(`(?m)^(\S.*?) +[0-9.]+  (\S.*)$`).FindAllStringSubmatch(table, -1) {
		all[found[1]] = found[2]
	}
	if len(all) == 0 {
		t.Fatalf("the log has no table:\n%s", log)
	}
	return all
}

// empty checks that ARM has nothing any more.
func (a *azure) empty(t *testing.T) {
	t.Helper()
	if ids := a.IDs(); len(ids) > 0 {
		t.Errorf("ARM still has %q", ids)
	}
}

func TestSmoke(t *testing.T) {
	t.Run("all steps succeed, nothing is left, and the log hides who and what", testWhole)
	t.Run("in a resource group that is there, only what it made goes", testGiven)
	t.Run("what fails is told from what does not, and all is removed", testFailures)
	t.Run("an interrupt removes all", testInterrupt)
	t.Run("what a killed run has left is removed by its suffix", testKilled)
	t.Run("what another has made is not touched", testForeign)
	t.Run("flags are checked", testFlags)
}

func testWhole(t *testing.T) {
	a := newAzure(t, armtest.Behavior{Slowest: 2 * time.Second, RetryAfter: 500 * time.Millisecond, Rates: armtest.Rates{
		armtest.AsyncOperation: .4, armtest.LocationOperation: .2, armtest.MissingParent: 1, armtest.ShowsState: 1,
	}})
	r := start(t, a)
	r.ends(t, 0)
	log := r.log(t, a)
	got := outcomes(t, log)
	for _, name := range []string{"storage account", "redis", "virtual network", "subnet"} {
		for _, step := range []string{"create", "read at both versions", "edit at the older version", "refresh without a PUT", "delete"} {
			if got[name+": "+step] != "ok" {
				t.Errorf("%s: %s: found %q, expected ok", name, step, got[name+": "+step])
			}
		}
	}
	for _, step := range []string{
		"names are free", "start", "resource group: create", "storage account: keys in a Secret", "redis: keys in a Secret",
		"resource group: delete", "clean up",
	} {
		if got[step] != "ok" {
			t.Errorf("%s: found %q, expected ok", step, got[step])
		}
	}
	for _, line := range []string{
		"storage account: Microsoft.Storage/storageAccounts, created at v20260401, edited at v20181101",
		"operator: PUT Microsoft.Cache/redis at 2024-11-01: 201",
		"operator: POST Microsoft.Storage/storageAccounts listkeys at 2026-04-01: 200",
		"redis: Ready is True, Succeeded",
	} {
		if !strings.Contains(log, line) {
			t.Errorf("the log does not have %q", line)
		}
	}
	if len(a.secrets) < 2 {
		t.Errorf("ARM has answered with %d secrets, so this test shows nothing", len(a.secrets))
	}
	a.empty(t)
	checkRequests(t, a, r.suffix(t))
	if t.Failed() {
		t.Logf("%s\n%s", &r.output, log)
	}
}

// checkRequests checks what ARM was sent: all is in the run's resource group, which has the tags, and
// an edit at the older version has been sent at the newest.
func checkRequests(t *testing.T, a *azure, suffix string) {
	t.Helper()
	var edits []armtest.Request
	for _, q := range a.Requests() {
		if q.Method == http.MethodGet || q.Method == http.MethodPost {
			continue
		}
		if !strings.HasPrefix(strings.ToLower(q.ID), strings.ToLower(groupsID+"armature-smoke-"+suffix)) {
			t.Errorf("%s %s is not in the run's group", q.Method, q.ID)
		}
		if q.Method == http.MethodPut && strings.HasSuffix(q.ID, "/redis/armature-smoke-"+suffix) {
			edits = append(edits, q)
		}
		if q.Method == http.MethodPut && strings.HasSuffix(q.ID, "/armature-smoke-"+suffix) && strings.Count(q.ID, "/") == 4 {
			for _, tag := range []string{`"` + remains.Tag + `":"` + suffix + `"`, `"` + remains.ExpiryTag + `":"20`} {
				if !strings.Contains(string(q.Body), tag) {
					t.Errorf("the resource group has no tag %s: %s", tag, q.Body)
				}
			}
		}
	}
	if len(edits) != 2 {
		t.Fatalf("the Redis got %d PUTs, expected two", len(edits))
	}
	for _, part := range []string{`"maxmemory-policy":"volatile-lru"`, `"armature-smoke-edited":"yes"`} {
		if edits[1].APIVersion != "2024-11-01" || !strings.Contains(string(edits[1].Body), part) {
			t.Errorf("the edit was sent at %s as %s, expected the newest version and %s", edits[1].APIVersion, edits[1].Body, part)
		}
	}
}

func testGiven(t *testing.T) {
	a := newAzure(t, armtest.Behavior{Rates: armtest.Rates{armtest.MissingParent: 1}})
	given := groupsID + "contoso"
	a.put(t, given, `{"location": "westeurope"}`)
	r := start(t, a, "--resource-group", "contoso", "--skip", "redis,network", "--keep")
	r.ends(t, 0)
	if log := r.log(t, a); strings.Contains(log, "contoso") {
		t.Errorf("the log has the name of the group:\n%s", log)
	}
	account := given + "/providers/Microsoft.Storage/storageAccounts/armsmoke" + r.suffix(t)
	if _, found := a.Resource(account); !found {
		t.Errorf("with --keep, the account is gone; ARM has %q", a.IDs())
	}
	r = start(t, a, "--resource-group", "contoso", "--cleanup", r.suffix(t))
	r.ends(t, 0)
	if ids := a.IDs(); !slices.Equal(ids, []string{given}) {
		t.Errorf("after the cleanup ARM has %q, expected %q", ids, given)
	}
}

// put makes a resource as somebody else.
func (a *azure) put(t *testing.T, id, body string) {
	t.Helper()
	request := httptest.NewRequest(http.MethodPut, id+"?api-version=2025-04-01", strings.NewReader(body))
	answer := httptest.NewRecorder()
	a.Server.ServeHTTP(answer, request)
	if answer.Code != http.StatusCreated {
		t.Fatalf("%d %s", answer.Code, answer.Body)
	}
}

func testFailures(t *testing.T) {
	a := newAzure(t, armtest.Behavior{})
	a.intercept = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPut || !strings.Contains(r.URL.Path, "/Microsoft.Cache/") {
			return false
		}
		w.WriteHeader(http.StatusForbidden)
		io.WriteString(w, `{"error": {"code": "RequestDisallowedByPolicy", "message": "`+strings.Join(canaries[:3], " ")+`"}}`)
		return true
	}
	a.change = func(r *http.Request, body map[string]any) {
		if properties, is := body["properties"].(map[string]any); is && properties["accessTier"] == "Cool" {
			properties["minimumTlsVersion"] = "TLS1_0" // as an ARM that loses it
		}
	}
	r := start(t, a, "--longest", "2m", "--skip", "network")
	r.ends(t, 1)
	log := r.log(t, a)
	got := outcomes(t, log)
	for step, want := range map[string]string{
		"redis: create":                              "failed: RequestDisallowedByPolicy",
		"redis: edit at the older version":           "not run",
		"storage account: create":                    "ok",
		"storage account: edit at the older version": "failed: lost: properties.minimumTlsVersion",
		"storage account: delete":                    "not run",
		"storage account: read at both versions":     "ok",
		"resource group: delete":                     "not run",
		"clean up":                                   "ok",
	} {
		if got[step] != want {
			t.Errorf("%s: found %q, expected %q", step, got[step], want)
		}
	}
	for _, line := range []string{"403, code RequestDisallowedByPolicy", "other than sent: properties.minimumTlsVersion"} {
		if !strings.Contains(log, line) {
			t.Errorf("the log does not have %q", line)
		}
	}
	if !strings.Contains(r.output.String(), canaries[0]) {
		t.Errorf("the terminal does not show what ARM has said:\n%s", &r.output)
	}
	a.empty(t)
	if t.Failed() {
		t.Logf("%s\n%s", &r.output, log)
	}
}

func testInterrupt(t *testing.T) {
	a := newAzure(t, armtest.Behavior{Slowest: time.Hour, Rates: armtest.Rates{}})
	held := make(chan struct{})
	var once sync.Once
	a.intercept = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPut && strings.Contains(r.URL.Path, "/redis/") {
			a.Server.ServeHTTP(httptest.NewRecorder(), r) // ARM has taken it, and nobody hears of that
			once.Do(func() { close(held) })
			panic(http.ErrAbortHandler)
		}
		return false
	}
	r := start(t, a, "--longest", "4m", "--skip", "network")
	select {
	case <-held:
	case <-r.ended:
		t.Fatalf("it ended before the Redis was sent:\n%s", &r.output)
	}
	if err := r.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	r.ends(t, 1)
	if !strings.Contains(r.output.String(), "Stopped. Cleaning up") {
		t.Errorf("found %s, expected that it cleans up", &r.output)
	}
	got := outcomes(t, r.log(t, a))
	for step, want := range map[string]string{"redis: create": "stopped", "redis: delete": "not run", "clean up": "ok"} {
		if got[step] != want {
			t.Errorf("%s: found %q, expected %q", step, got[step], want)
		}
	}
	a.empty(t)
}

func testKilled(t *testing.T) {
	a := newAzure(t, armtest.Behavior{})
	held := make(chan struct{})
	var once sync.Once
	var killed atomic.Bool
	a.intercept = func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodDelete && !killed.Load() {
			once.Do(func() { close(held) })
			panic(http.ErrAbortHandler)
		}
		return false
	}
	r := start(t, a, "--skip", "redis,network")
	select {
	case <-held:
	case <-r.ended:
		t.Fatalf("it ended before it deleted anything:\n%s", &r.output)
	}
	if err := r.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-r.ended
	killed.Store(true)
	for _, id := range r.processes(t) { // kube-apiserver and etcd, which nobody stops
		syscall.Kill(id, syscall.SIGKILL)
	}
	if len(a.IDs()) == 0 {
		t.Fatal("ARM has nothing, so this test shows nothing")
	}
	suffix := r.suffix(t)
	r = start(t, a, "--cleanup", suffix)
	r.ends(t, 0)
	a.empty(t)
}

func testForeign(t *testing.T) {
	a := newAzure(t, armtest.Behavior{})
	a.put(t, groupsID+"armature-smoke-abcdefgh", `{"location": "westeurope", "tags": {"`+remains.Tag+`": "another"}}`)
	r := start(t, a, "--cleanup", "abcdefgh")
	r.ends(t, 1)
	if want := "it has no tag " + remains.Tag + "=abcdefgh"; !strings.Contains(r.output.String(), want) {
		t.Errorf("found %s, expected %q", &r.output, want)
	}
	if len(a.IDs()) != 1 {
		t.Errorf("ARM has %q, expected the group", a.IDs())
	}
}

func testFlags(t *testing.T) {
	a := newAzure(t, armtest.Behavior{})
	r := start(t, a, "--subscription", "mine", "--cleanup", "?", "--skip", "sql", "--resource-group", "/a", "--longest", "0s")
	r.ends(t, 1)
	for _, flag := range []string{"--subscription: ", "--cleanup: ", "--skip: ", "--resource-group: ", "--longest and --refresh: "} {
		if !strings.Contains(r.output.String(), flag) {
			t.Errorf("found %s, expected a fault of %s", &r.output, flag)
		}
	}
}
