package release

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// Commands returns the block of commands of a page that has a text.
func Commands(t testing.TB, page, with string) string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range regexp.MustCompile("(?ms)^```sh\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		if strings.Contains(block[1], with) {
			return block[1]
		}
	}
	t.Fatalf("%s has no commands with %q", page, with)
	return ""
}

// Shell is where a person types commands: a folder with the files of releases, and a file kubeconfig.
type Shell struct{ Folder string }

// Add writes a file into the folder.
func (s Shell) Add(t testing.TB, name string, text []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.Folder, name), text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Link has a program in the folder bin, which the shell finds.
func (s Shell) Link(t testing.TB, program, file string) {
	t.Helper()
	bin := filepath.Join(s.Folder, "bin")
	file, err := filepath.Abs(file)
	if err == nil {
		err = os.MkdirAll(bin, 0o755)
	}
	if err == nil {
		err = os.Symlink(file, filepath.Join(bin, program))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Command returns commands that are not started yet, in a process group of their own. kubectl is that of the control
// plane.
func (s Shell) Command(t testing.TB, commands string) *exec.Cmd {
	t.Helper()
	binaries, err := filepath.Abs(os.Getenv("KUBEBUILDER_ASSETS"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", commands)
	cmd.Dir = s.Folder
	cmd.Env = append(os.Environ(), "KUBECONFIG="+filepath.Join(s.Folder, "kubeconfig"), "HOME="+s.Folder,
		"PATH="+filepath.Join(s.Folder, "bin")+":"+binaries+":"+os.Getenv("PATH"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd
}

// Run runs commands, and returns what they print. If one fails, the test does.
func (s Shell) Run(t testing.TB, commands string) string {
	t.Helper()
	out, stderr, err := s.Try(t, commands)
	if err != nil {
		t.Fatalf("%v\n%s\n%s%s", err, commands, out, stderr)
	}
	return out
}

// Try runs commands, and returns what they print, and the error of the first that fails.
func (s Shell) Try(t testing.TB, commands string) (stdout, stderr string, err error) {
	t.Helper()
	cmd := s.Command(t, commands)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}
