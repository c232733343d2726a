// Package golden tests a verb as a process, case by case. A case is a folder
// of the verb's testdata:
//
//	args       the arguments, one a line; paths are relative to the folder
//	…          the input files that these name
//	want.txt   the exit code, and what is on stderr
//	want/      the files that the verb writes to out/
//
// Its functions are [Main] and [Test].
package golden

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/armature-dev/armature/internal/golden"
)

// asVerb is the environment variable that makes a test binary run the verb.
const asVerb = "ARMATURE_TEST_AS_VERB"

// Main is the TestMain of a verb's test. It lets the test binary run as the verb.
func Main(m *testing.M, verb func()) {
	if os.Getenv(asVerb) != "" {
		verb()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// Test runs all cases in testdata. If ARMATURE_UPDATE is set, it writes the
// expected files.
func Test(t *testing.T) {
	folders, err := filepath.Glob("testdata/*/args")
	if err != nil || len(folders) == 0 {
		t.Fatalf("no cases in testdata: %v", err)
	}
	for _, args := range folders {
		folder := filepath.Dir(args)
		t.Run(filepath.Base(folder), func(t *testing.T) { test(t, folder) })
	}
}

func test(t *testing.T, folder string) {
	work := t.TempDir()
	if err := os.CopyFS(work, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, filepath.Join(folder, "want.txt"), run(t, work))
	golden.EqualFolder(t, filepath.Join(folder, "want"), read(t, filepath.Join(work, "out")))
}

// run runs the verb and returns its exit code and stderr in the form of want.txt.
func run(t *testing.T, work string) string {
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	verb := exec.Command(binary, "@args")
	verb.Dir, verb.Stderr = work, &stderr
	verb.Env = append(os.Environ(), asVerb+"=1")
	var exit *exec.ExitError
	if err := verb.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return fmt.Sprintf("exit %d\n%s", verb.ProcessState.ExitCode(), &stderr)
}

// read returns the files below a folder by their slash-separated names. It returns
// none if the folder does not exist.
func read(t *testing.T, folder string) map[string]string {
	files := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(folder, path)
		files[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return files
}
