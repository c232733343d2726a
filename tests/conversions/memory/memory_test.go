package memory

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	cache "github.com/armature-dev/armature/apis/cache/scheme"
	crm "github.com/armature-dev/armature/apis/crm/scheme"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/conversion"
)

// process is the webhook's.
type process struct {
	t       *testing.T
	pid     int
	address string
	client  *http.Client
	config  *tls.Config
	limit   int // bytes of memory that its container may have
}

// setting returns what the release's Deployment says.
func setting(t *testing.T, pattern string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "release", "base", "webhook", "deployment.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(pattern + `\s+(\d+)(Mi|Gi)`).FindSubmatch(text)
	if found == nil {
		t.Fatalf("the Deployment has no %s", pattern)
	}
	n, _ := strconv.Atoi(string(found[1]))
	return n << map[string]int{"Mi": 20, "Gi": 30}[string(found[2])]
}

func start(t *testing.T) *process {
	t.Helper()
	p := &process{t: t, limit: setting(t, `limits:\s+memory:`)}
	folder := t.TempDir()
	p.config = &tls.Config{RootCAs: certificate(t, folder)}
	command := exec.Command(filepath.Join("webhook_", "webhook"), "--cert-dir="+folder, "--address=127.0.0.1:0",
		"--operations-address=127.0.0.1:0", "--drain=0")
	command.Env = append(os.Environ(), fmt.Sprintf("GOMEMLIMIT=%d", setting(t, `name: GOMEMLIMIT\s+value:`)))
	log, err := command.StderrPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	p.pid = command.Process.Pid
	p.confine()
	lines := bufio.NewReader(log)
	for p.address == "" {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err, line)
		}
		_, after, _ := strings.Cut(line, `"address":"`)
		p.address, _, _ = strings.Cut(after, `"`)
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	p.client = p.newClient()
	return p
}

// confine has the kernel end the process where it takes more memory than its container may have, if there is a control
// group for that, as in .ci/nodes.
func (p *process) confine() {
	parent := os.Getenv("ARMATURE_NODE_CGROUP")
	if parent == "" {
		return
	}
	group := filepath.Join("/sys/fs/cgroup/memory", parent, "webhook")
	if err := os.Mkdir(group, 0o755); err != nil {
		p.t.Fatal(err)
	}
	for _, setting := range []struct {
		file  string
		value int
	}{{"memory.limit_in_bytes", p.limit}, {"cgroup.procs", p.pid}} {
		if err := os.WriteFile(filepath.Join(group, setting.file), []byte(strconv.Itoa(setting.value)), 0o644); err != nil {
			p.t.Fatal(err)
		}
	}
}

func certificate(t *testing.T, folder string) *x509.CertPool {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	for file, block := range map[string]*pem.Block{"tls.key": {Type: "PRIVATE KEY", Bytes: private},
		"tls.crt": {Type: "CERTIFICATE", Bytes: der}} {
		text := pem.EncodeToMemory(block)
		roots.AppendCertsFromPEM(text)
		if err := os.WriteFile(filepath.Join(folder, file), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return roots
}

// newClient returns a client as the API server's is: it keeps 25 connections.
func (p *process) newClient() *http.Client {
	transport := &http.Transport{TLSClientConfig: p.config.Clone(), MaxIdleConnsPerHost: 25}
	p.t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// peak returns the most memory that the process has had since the last call.
func (p *process) peak() int {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.pid))
	if err != nil {
		p.t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	fields := strings.Fields(after)
	if len(fields) == 0 {
		p.t.Fatalf("the webhook is gone: %s", status)
	}
	kilobytes, err := strconv.Atoi(fields[0])
	if err != nil {
		p.t.Fatal(err)
	}
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.pid), []byte("5"), 0)
	return kilobytes << 10
}

// review returns the body of a review.
func review(to schema.GroupVersion, objects ...string) string {
	return fmt.Sprintf(`{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"u","desiredAPIVersion":%q,"objects":[`, to) +
		strings.Join(objects, ",") + `]}}`
}

// post sends a review, and again where the webhook asks for it, as the API server
// does. It returns the status, and how the answer ends.
func (p *process) post(client *http.Client, body string) (status int, end string, err error) {
	for range 11 {
		response, err := client.Post("https://"+p.address+"/convert", "application/json", strings.NewReader(body))
		if err != nil {
			return 0, "", err
		}
		var last bytes.Buffer
		_, err = io.Copy(&tail{&last}, response.Body)
		response.Body.Close()
		status, end = response.StatusCode, last.String()
		if err != nil || status != http.StatusServiceUnavailable {
			return status, end, err
		}
		time.Sleep(time.Second)
	}
	return status, end, nil
}

// tail keeps the end of what is written.
type tail struct{ *bytes.Buffer }

func (t *tail) Write(p []byte) (int, error) {
	t.Buffer.Write(p)
	if n := t.Len(); n > 1000 {
		t.Next(n - 1000)
	}
	return len(p), nil
}

// ordinary sends ordinary reviews until stop is closed, and checks that they
// succeed while the API server waits.
func (p *process) ordinary(stop chan struct{}) (ended chan string) {
	ended = make(chan string)
	client := p.newClient()
	body := review(hub.GroupVersion(),
		fmt.Sprintf(`{"apiVersion":%q,"kind":%q,"metadata":{"name":"ada","namespace":"default","uid":"u"},"spec":{"azureName":"ada"}}`,
			newest.GroupVersion(), newest.Kind))
	go func() {
		var count int
		var slowest time.Duration
		for {
			began := time.Now()
			status, end, err := p.post(client, body)
			took := time.Since(began)
			if err != nil || status != http.StatusOK || !strings.Contains(end, `"status":"Success"`) || took > 30*time.Second {
				p.t.Errorf("an ordinary review: status %d after %s, %v: %s", status, took, err, end)
			}
			count, slowest = count+1, max(slowest, took)
			select {
			case <-stop:
				ended <- fmt.Sprintf("%d ordinary reviews, the slowest took %s", count, slowest.Round(time.Millisecond))
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	return ended
}

var (
	newest = schema.GroupVersionKind{Group: "crm.azure.armature.dev", Version: "v20211111", Kind: "Person"}
	oldest = schema.GroupVersionKind{Group: "crm.azure.armature.dev", Version: "v20110101", Kind: "Person"}
	hub    = schema.GroupVersionKind{Group: "crm.azure.armature.dev", Version: "v20211111storage", Kind: "Person"}
)

// target is a place in the objects of a kind.
type target struct {
	place
	at, hub, other schema.GroupVersionKind // the version of the place, the hub, and another API version
}

// targets returns those in a version of each kind that the webhook has, of each
// kind the one with the largest elements, and of these the worst few. At the hub
// or at the newest version.
func targets(t *testing.T, atHub bool) []target {
	t.Helper()
	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{cache.AddToScheme, crm.AddToScheme} {
		if err := add(s); err != nil {
			t.Fatal(err)
		}
	}
	kinds := map[schema.GroupKind][]schema.GroupVersionKind{} // by date
	hubs := map[schema.GroupKind]schema.GroupVersionKind{}
	for gvk, goType := range s.AllKnownTypes() {
		switch instance := reflect.New(goType).Interface().(type) {
		case conversion.Hub:
			hubs[gvk.GroupKind()] = gvk
		case conversion.KubernetesResource:
			if !strings.HasSuffix(gvk.Version, "storage") && instance.OriginalGVK().Version == gvk.Version {
				kinds[gvk.GroupKind()] = append(kinds[gvk.GroupKind()], gvk)
			}
		}
	}
	date := regexp.MustCompile(`\d{8}`)
	var all []target
	for kind, versions := range kinds {
		slices.SortFunc(versions, func(a, b schema.GroupVersionKind) int {
			return cmp.Or(strings.Compare(date.FindString(a.Version), date.FindString(b.Version)), strings.Compare(a.Version, b.Version))
		})
		newest := target{at: versions[len(versions)-1], hub: hubs[kind], other: versions[0]}
		if atHub {
			newest.at = newest.hub
		}
		places := placesOf(s.AllKnownTypes()[newest.at])
		if len(places) > 0 {
			newest.place = places[0]
			all = append(all, newest)
		}
	}
	slices.SortFunc(all, func(a, b target) int {
		return cmp.Or(cmp.Compare(b.size, a.size), strings.Compare(a.at.String(), b.at.String()))
	})
	return all[:min(len(all), 3)]
}

// TestMemory attacks one webhook in many ways, one after the other.
func TestMemory(t *testing.T) {
	p := start(t)
	t.Logf("at rest it has %d MB", p.peak()>>20)
	for _, attack := range []struct {
		name string
		run  func(p *process)
	}{
		{"40 connections announce 256 MiB", announceTooMuch},
		{"40 connections announce 32 MiB, and send one", sendLittle},
		{"250 connections send 64 KiB, and nothing more", sendNothing},
		{"300 connections that wait after a refused request", waitIdle},
		{"the largest reviews that an API server sends, with lists of {}", lists},
		{"ten objects that may just be stored, at once", storable},
		{"32 MiB of other JSON", bulk},
		{"JSON as deep as it may be", deep},
		{"annotations that look like the webhook's", forged},
		{"many objects in a review", manyObjects},
		{"answers that nobody reads", unread},
	} {
		t.Run(attack.name, func(t *testing.T) {
			p.t = t
			stop := make(chan struct{})
			ended := p.ordinary(stop)
			defer func() {
				close(stop)
				reviews := <-ended
				peak := p.peak()
				t.Logf("peak %d MB; %s", peak>>20, reviews)
				if peak > p.limit {
					t.Errorf("it takes %d MB, and its container may have %d", peak>>20, p.limit>>20)
				}
			}()
			attack.run(p)
		})
	}
}

// connect opens a connection and sends the beginning of a review on it.
func (p *process) connect(announced, sent int) net.Conn {
	c, err := tls.Dial("tcp", p.address, p.config)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { c.Close() })
	fmt.Fprintf(c, "POST /convert HTTP/1.1\r\nHost: webhook\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", announced)
	_ = c.SetWriteDeadline(time.Now().Add(20 * time.Second))
	_, _ = io.WriteString(c, strings.Repeat(" ", sent)) // it may be refused before
	return c
}

// status returns the status that comes on a connection.
func (p *process) status(c net.Conn) int {
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0
	}
	response.Body.Close()
	return response.StatusCode
}

// together runs something many times at once.
func together(times int, run func(i int)) {
	var all sync.WaitGroup
	for i := range times {
		all.Go(func() { run(i) })
	}
	all.Wait()
}

func announceTooMuch(p *process) {
	together(40, func(int) {
		if status := p.status(p.connect(256<<20, 100)); status != http.StatusRequestEntityTooLarge {
			p.t.Errorf("status %d", status)
		}
	})
}

func sendLittle(p *process) {
	together(40, func(int) {
		if status := p.status(p.connect(32<<20, 1<<20)); status != http.StatusRequestTimeout && status != http.StatusServiceUnavailable {
			p.t.Errorf("status %d", status)
		}
	})
}

func sendNothing(p *process) {
	together(250-25, func(int) {
		if status := p.status(p.connect(32<<20, 64<<10-1)); status != http.StatusRequestTimeout {
			p.t.Errorf("status %d", status)
		}
	})
}

func waitIdle(p *process) {
	together(300, func(int) {
		c, err := tls.Dial("tcp", p.address, p.config)
		if err != nil {
			p.t.Error(err)
			return
		}
		p.t.Cleanup(func() { c.Close() })
		_, _ = io.WriteString(c, "GET /convert HTTP/1.1\r\nHost: webhook\r\n\r\n")
		if status := p.status(c); status != http.StatusMethodNotAllowed && status != 0 { // 0 if it has made room before
			p.t.Errorf("status %d", status)
		}
	})
	body := review(hub.GroupVersion(), fmt.Sprintf(`{"apiVersion":%q,"kind":%q,"metadata":{"name":"ada","namespace":"default","uid":"u"}}`,
		newest.GroupVersion(), newest.Kind))
	began := time.Now()
	if status, end, err := p.post(p.newClient(), body); err != nil || status != http.StatusOK || time.Since(began) > 5*time.Second {
		p.t.Errorf("a review on a new connection: status %d after %s, %v: %s", status, time.Since(began), err, end)
	}
}

func lists(p *process) {
	for _, atHub := range []bool{true, false} {
		for _, target := range targets(p.t, atHub) {
			to := target.other
			if !atHub {
				to = target.hub
			}
			for _, element := range []string{target.element, target.filled} {
				body := review(to.GroupVersion(), target.object(target.at, element, 13_500_000))
				together(10, func(int) { p.any(body) })
			}
		}
	}
}

// any sends a review that may be refused, but is answered.
func (p *process) any(body string) (converted bool) {
	status, end, err := p.post(p.client, body)
	if err != nil || status != http.StatusOK && status != http.StatusServiceUnavailable && status != http.StatusRequestTimeout {
		p.t.Errorf("status %d, %v: %s", status, err, end)
	}
	return strings.Contains(end, `"status":"Success"`)
}

// storable finds the largest objects that can be written, and reads them at once.
func storable(p *process) {
	const most = 1_500_000 // of etcd
	for _, target := range targets(p.t, false) {
		for _, element := range []string{target.element, target.filled} {
			size, stored := most, ""
			for {
				object := target.object(target.at, element, size)
				if stored = p.convert(review(target.hub.GroupVersion(), object)); stored != "" && len(stored) <= most {
					break
				}
				if size = size * 4 / 5; size < 1000 {
					p.t.Fatalf("nothing can be written at %s of %s", target.before, target.at)
				}
			}
			var converted atomic.Int64
			body := review(target.other.GroupVersion(), stored)
			together(10, func(int) {
				if p.any(body) {
					converted.Add(1)
				}
			})
			p.t.Logf("%s of %s: %d bytes of %.40s may be written, %d of 10 were read", target.before, target.at.Kind,
				size, element, converted.Load())
			if converted.Load() == 0 {
				p.t.Errorf("what was written at %s of %s cannot be read", target.before, target.at)
			}
		}
	}
}

// convert returns the object that a review of one object gives, "" if it fails.
func (p *process) convert(body string) string {
	response, err := p.client.Post("https://"+p.address+"/convert", "application/json", strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	defer response.Body.Close()
	var answer struct {
		Response struct{ ConvertedObjects []json.RawMessage }
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		p.t.Fatal(response.Status, err)
	}
	if len(answer.Response.ConvertedObjects) == 0 {
		return ""
	}
	return string(answer.Response.ConvertedObjects[0])
}

// person returns a person at the oldest version, with more members.
func person(metadata, spec, more string) string {
	return fmt.Sprintf(`{"apiVersion":%q,"kind":"Person","metadata":{"name":"ada","namespace":"default","uid":"u"%s},"spec":{%s}%s}`,
		oldest.GroupVersion(), metadata, spec, more)
}

func bulk(p *process) {
	const size = 31 << 20
	text := func(c string) string { return strings.Repeat(c, size/len(c)) }
	for _, object := range []string{
		person("", "", `,"more":{`+members(`"":0`, size)+`}`),
		person(`,"labels":{`+members(`"":""`, size)+`}`, "", ""),
		person(`,"managedFields":[{`+members(`"":{}`, size)+`}]`, "", ""),
		person(`,"ownerReferences":[`+strings.TrimSuffix(text(`{},`), ",")+`]`, "", ""),
		person(`,"finalizers":[`+strings.TrimSuffix(text(`"",`), ",")+`]`, "", ""),
		person("", `"lastName":"`+text("x")+`"`, ""),
		person("", `"lastName":"`+text(`\u003c`)+`"`, ""),
		person("", `"lastName":`+text("7"), ""),
		person("", `"`+text("x")+`":{}`, ""),
		person("", "", `,"more":[`+strings.TrimSuffix(text("0,"), ",")+`]`),
	} {
		together(6, func(int) { p.any(review(hub.GroupVersion(), object)) })
	}
}

func deep(p *process) {
	for _, way := range []schema.GroupVersionKind{oldest, hub} {
		nested := strings.Repeat(`{"a":[`, 4900) + strings.Repeat(`]}`, 4900)
		together(40, func(int) { p.any(review(way.GroupVersion(), person("", `"lastName":`+nested, `,"more":`+nested))) })
	}
}

func forged(p *process) {
	stored := p.convert(review(hub.GroupVersion(), person("", `"lastName":"Lovelace"`, "")))
	var shown struct {
		Metadata struct{ Annotations map[string]string }
	}
	text := p.convert(review(newest.GroupVersion(), stored))
	if err := json.Unmarshal([]byte(text), &shown); err != nil {
		p.t.Fatal(err)
	}
	genuine := shown.Metadata.Annotations[annotation.Remainder]
	if genuine == "" {
		p.t.Fatalf("no annotation: %s", text)
	}
	for _, value := range []string{`["+",{}]`, `{"a":["-",0]}`, `["@",["a"],{}]`} {
		lost := `"lost":{` + members(`"":`+value, 250<<10) + `},`
		note := strings.Replace(genuine, `"object"`, lost+`"object"`, 1)
		quoted, err := json.Marshal(note)
		if err != nil {
			p.t.Fatal(err)
		}
		object := person(`,"annotations":{"`+annotation.Remainder+`":`+string(quoted)+`}`, "", "")
		body := review(hub.GroupVersion(), strings.Replace(object, oldest.Version, newest.Version, 1))
		together(40, func(int) { p.any(body) })
	}
}

func manyObjects(p *process) {
	for _, object := range []string{
		fmt.Sprintf(`{"apiVersion":%q,"kind":"Person"}`, oldest.GroupVersion()),
		person("", `"lastName":"Lovelace"`, ""),
	} {
		body := review(hub.GroupVersion(), slices.Repeat([]string{object}, 31<<20/(len(object)+1))...)
		some := review(hub.GroupVersion(), slices.Repeat([]string{object}, 50_000)...)
		together(4, func(int) {
			p.any(body)
			p.any(some)
		})
	}
}

func unread(p *process) {
	body := review(hub.GroupVersion(), person("", `"lastName":"`+strings.Repeat("x", 5<<20)+`"`, ""))
	together(100, func(int) {
		c, err := tls.Dial("tcp", p.address, p.config)
		if err != nil {
			p.t.Error(err)
			return
		}
		p.t.Cleanup(func() { c.Close() })
		_ = c.SetWriteDeadline(time.Now().Add(20 * time.Second))
		fmt.Fprintf(c, "POST /convert HTTP/1.1\r\nHost: webhook\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	})
	time.Sleep(3 * time.Second)
}
