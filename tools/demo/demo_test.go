package main_test

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/armature-dev/armature/internal/await"
)

// demo is a running demo.
type demo struct {
	*exec.Cmd
	folder         string        // for its temporary files
	ended          chan struct{} // closed when it has ended
	stdout, stderr output
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

// start starts the demo in the same way as `bazel run`.
func start(t *testing.T, flags ...string) *demo {
	t.Helper()
	d := &demo{Cmd: exec.Command("tools/demo/demo_/demo", flags...), folder: t.TempDir(), ended: make(chan struct{})}
	d.Dir = filepath.Join("..", "..")
	// As a user's environment: this test's KUBEBUILDER_ASSETS is relative to another folder, and it has no HOME.
	d.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "KUBEBUILDER_ASSETS=") })
	d.Env = append(d.Env, "HOME="+t.TempDir(), "TMPDIR="+d.folder)
	d.Stdout, d.Stderr = &d.stdout, &d.stderr
	if err := d.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		d.Wait()
		close(d.ended)
	}()
	t.Cleanup(func() {
		d.Process.Signal(os.Interrupt) // if the test has failed
		<-d.ended
	})
	return d
}

// await waits until the demo has written something.
func (d *demo) await(t *testing.T, text string) {
	t.Helper()
	await.Until(t, fmt.Sprintf("the demo writes %q", text), func() error {
		var over bool
		select {
		case <-d.ended:
			over = true
		default:
		}
		out := d.stdout.String()
		if strings.Contains(out, text) {
			return nil
		}
		if over {
			t.Fatalf("the demo ended before it wrote %q:\n%s%s", text, out, &d.stderr)
		}
		return fmt.Errorf("it wrote: %s%s", out, &d.stderr)
	})
}

// ends waits for the demo to end, and checks its exit code and that it leaves no
// process and no file.
func (d *demo) ends(t *testing.T, code int) {
	t.Helper()
	<-d.ended
	if d.ProcessState.ExitCode() != code {
		t.Errorf("the demo ended with %v, expected exit code %d:\n%s%s", d.ProcessState, code, &d.stdout, &d.stderr)
	}
	if left := d.processes(t); len(left) > 0 {
		t.Errorf("these still run: %q", left)
	}
	if left, err := filepath.Glob(filepath.Join(d.folder, "*")); err != nil || len(left) > 0 {
		t.Errorf("these files are left: %q, %v", left, err)
	}
}

// processes returns the names of the programs that the demo has started. All of
// them have a file of the demo's folder among their arguments.
func (d *demo) processes(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var programs []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err == nil && bytes.Contains(text, []byte(d.folder)) {
			program, _, _ := strings.Cut(string(text), "\x00")
			programs = append(programs, filepath.Base(program))
		}
	}
	return programs
}

func TestDemo(t *testing.T) {
	t.Run("the story is true, and an interrupt at the end stops everything", testStory)
	t.Run("an interrupt at the start stops everything", testInterrupt)
	t.Run("a port in use is named", testPortInUse)
	t.Run("groups are built where Bazel runs", testGroupsAlone)
}

func testStory(t *testing.T) {
	t.Parallel()
	d := start(t, "--keep")
	d.await(t, "What ARM gets from now on")
	output := d.stdout.String()
	for _, expected := range []string{
		"It is stored at v20241101storage",
		"minimumTlsVersion    carried     1.2         1.2         1.2\n",
		"originalVersion      carried     –           carried     v20240301\n",
		"sku.capacity         1         2\n",
		"minimumTlsVersion    1.2       1.2\n",
		"Nothing is lost",
		"PUT …/Microsoft.Cache/redis/sessions?api-version=2024-03-01  201 Created\n",
		"PUT …/Microsoft.Cache/redis/sessions?api-version=2024-03-01  200 OK\n",
		`"capacity": 2`,
		`"minimumTlsVersion": "1.2"`,
		`"publicNetworkAccess": "Disabled"`,
		`"replicasPerPrimary": 1`,
		"middleName       B.          carried          in the bag\n",
		"PUT …/Contoso.Crm/persons/grace?api-version=2013-03-03  201 Created\n",
		`{"properties":{"firstName":"Grace","lastName":"Hopper","middleName":"B."}}`,
		"   Ready=False AlreadyExists\n   ARM has …/Microsoft.Cache/redis/orders",
		"\n   The operator has read it, and sent nothing:\n\n   GET …/Microsoft.Cache/redis/orders?api-version=2024-03-01  200 OK\n",
		"   kubectl annotate redis orders armature.dev/adopt=exact\n\n   PUT …/Microsoft.Cache/redis/orders?api-version=2024-03-01  200 OK\n",
		"Nothing of somebody else is changed by mistake:",
		"   kubectl annotate redis orders armature.dev/refresh=now\n\n   GET …/Microsoft.Cache/redis/orders?api-version=2024-03-01  200 OK\n",
		"   Drifted=True ChangedInARM\n",
		"somebody has changed the resource in ARM: spec.sku.capacity is 4, the Spec\n   says 2\n",
		"PUT …/Microsoft.Cache/redis/sessions?api-version=2024-03-01  no answer\n",
		"   GET /subscriptions/armtest/operations/",
		"DELETE …/Contoso.Crm/persons/grace?api-version=2013-03-03  200 OK\n",
		"Both are gone:",
	} {
		if !strings.Contains(output, expected) {
			t.Errorf("the output does not have %q", expected)
		}
	}
	if strings.Contains(output, "\x1b") {
		t.Error("the output has colour, although it is not a terminal")
	}
	checkSizes(t, output)
	story, _, _ := strings.Cut(output, "To try in another terminal") // commands may be longer
	for line := range strings.Lines(story) {
		if width := utf8.RuneCountInString(line) - 1; width > 80 {
			t.Errorf("a line has %d columns, expected at most 80: %s", width, line)
		}
	}
	kubeconfig := regexp.MustCompile(`KUBECONFIG=(\S+)`).FindStringSubmatch(output)
	if kubeconfig == nil {
		t.Fatalf("the output does not say where the kubeconfig is:\n%s", output)
	}
	if text, err := os.ReadFile(kubeconfig[1]); err != nil || !bytes.Contains(text, []byte("https://127.0.0.1:")) {
		t.Errorf("the kubeconfig: %v\n%s", err, text)
	}
	if programs := d.processes(t); len(programs) < 2 {
		t.Errorf("found %q, expected kube-apiserver and etcd to run", programs)
	}
	if t.Failed() {
		t.Log(output)
	}
	if err := d.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	d.ends(t, 0)
}

// checkSizes checks that the docs have the sizes of the annotations that the demo shows.
func checkSizes(t *testing.T, output string) {
	t.Helper()
	sizes := regexp.MustCompile(`(?m)^ +the annotation +([0-9]+) bytes +– +([0-9]+) bytes +–$`).FindStringSubmatch(output)
	if sizes == nil {
		t.Error("the output does not have the sizes of the annotations")
		return
	}
	page := func(name string) string {
		text, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(strings.Fields(string(text)), " ")
	}
	line := strings.Join(strings.Fields(sizes[0]), " ")
	if !strings.Contains(page("tutorial.md"), line) {
		t.Errorf("docs/tutorial.md does not have %q", line)
	}
	for _, text := range []string{"The annotation has " + sizes[1] + " bytes", "an annotation of " + sizes[2] + " bytes"} {
		if !strings.Contains(page("annotations.md"), text) {
			t.Errorf("docs/annotations.md does not have %q", text)
		}
	}
}

func testInterrupt(t *testing.T) {
	t.Parallel()
	d := start(t)
	d.await(t, "Armature:") // the first line, at which the API server starts
	if err := d.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	d.ends(t, 130)
	if !strings.Contains(d.stderr.String(), "interrupted; all is stopped") {
		t.Errorf("found %q, expected that everything is stopped", &d.stderr)
	}
}

func testPortInUse(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	port := listener.Addr().(*net.TCPAddr).Port
	d := start(t, "--port", fmt.Sprint(port))
	d.ends(t, 1)
	if expected := fmt.Sprintf("error: port %d is in use: choose another by --port", port); !strings.Contains(d.stderr.String(), expected) {
		t.Errorf("found %q, expected %q", &d.stderr, expected)
	}
}

func testGroupsAlone(t *testing.T) {
	t.Parallel()
	d := start(t, "--groups", "resources,storage")
	d.ends(t, 1)
	if expected := "start it with ./bazelw run //tools/demo"; !strings.Contains(d.stderr.String(), expected) {
		t.Errorf("found %q, expected %q", &d.stderr, expected)
	}
}
