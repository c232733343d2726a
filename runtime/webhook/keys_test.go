package webhook_test

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/runtime/remainder"
	"github.com/armature-dev/armature/runtime/webhook"
)

// keyFolder is a folder with keys, as a kubelet mounts a Secret.
func keyFolder(t *testing.T, keys map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	mount(t, folder, keys)
	return folder
}

// mount puts other keys into a folder in one step.
func mount(t *testing.T, folder string, keys map[string]string) {
	t.Helper()
	data, err := os.MkdirTemp(folder, "..data_")
	if err != nil {
		t.Fatal(err)
	}
	for name, key := range keys {
		if err := os.WriteFile(filepath.Join(data, name), []byte(key), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	old, _ := filepath.Glob(filepath.Join(folder, "[a-z]*"))
	for _, file := range old {
		os.Remove(file)
	}
	for name := range keys {
		if err := os.Symlink(filepath.Join(filepath.Base(data), name), filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
}

// key is one that is long enough.
func key(of string) string { return strings.Repeat(of, remainder.MinKey) }

func TestKeyFolder(t *testing.T) {
	t.Run("current signs, and all are accepted", currentSigns)
	t.Run("without keys a warning is logged", noKeys)
	t.Run("the first key of a webhook that runs refuses nothing that was not signed before", firstKey)
	t.Run("bad keys are errors", badKeys)
	t.Run("keys are read again while it runs, and the former ones stay on an error", readAgain)
}

var widgetObject = remainder.Object{Group: "example.com", Kind: "Widget", Name: "a"}

// takes reports whether keys accept what others have signed.
func takes(t *testing.T, keys, signer *remainder.Keys) bool {
	t.Helper()
	annotations, err := remainder.Note{Object: widgetObject, Spec: "x", OriginalVersion: "v1"}.Write(nil, remainder.Limits{}, signer)
	if err != nil {
		t.Fatal(err)
	}
	_, err = remainder.Read(annotations, widgetObject, keys, nil)
	return err == nil
}

func newKeys(t *testing.T, folder string) *webhook.KeyFolder {
	t.Helper()
	keys, err := webhook.NewKeyFolder(folder, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func currentSigns(t *testing.T) {
	next := newKeys(t, keyFolder(t, map[string]string{"current": key("a"), "next": key("b")})).Keys()
	promoted := newKeys(t, keyFolder(t, map[string]string{"current": key("b"), "previous": key("a")})).Keys()
	before := newKeys(t, keyFolder(t, map[string]string{"current": key("a")})).Keys()
	after := newKeys(t, keyFolder(t, map[string]string{"current": key("b")})).Keys()
	for _, test := range []struct {
		what          string
		taker, signer *remainder.Keys
		want          bool
	}{
		{"next does not sign", before, next, true},
		{"next is accepted", next, after, true},
		{"previous is accepted", promoted, before, true},
		{"previous does not sign", after, promoted, true},
		{"a signature of an unknown key is not accepted", after, before, false},
	} {
		if got := takes(t, test.taker, test.signer); got != test.want {
			t.Errorf("%s: %v, want %v", test.what, got, test.want)
		}
	}
}

func noKeys(t *testing.T) {
	for what, folder := range map[string]string{"no folder": filepath.Join(t.TempDir(), "absent"), "an empty folder": keyFolder(t, nil)} {
		var log bytes.Buffer
		keys, err := webhook.NewKeyFolder(folder, slog.New(slog.NewTextHandler(&log, nil)))
		if err != nil || keys.Keys() != nil {
			t.Errorf("%s: %v, %v", what, keys.Keys(), err)
		}
		contains(t, log.String(), "is not signed", "level=WARN")
	}
}

func firstKey(t *testing.T) {
	folder := keyFolder(t, nil)
	running := newKeys(t, folder)
	mount(t, folder, map[string]string{"current": key("a")})
	if err := running.Read(); err != nil {
		t.Fatal(err)
	}
	started := newKeys(t, folder)
	other := newKeys(t, keyFolder(t, map[string]string{"current": key("b")}))
	for _, test := range []struct {
		what          string
		taker, signer *remainder.Keys
		want          bool
	}{
		{"the webhook that had no key accepts what is not signed", running.Keys(), nil, true},
		{"it signs", started.Keys(), running.Keys(), true},
		{"it accepts what another replica has signed", running.Keys(), started.Keys(), true},
		{"it accepts no signature of an unknown key", running.Keys(), other.Keys(), false},
		{"a webhook that started with the key accepts nothing without a signature", started.Keys(), nil, false},
	} {
		if got := takes(t, test.taker, test.signer); got != test.want {
			t.Errorf("%s: %v, want %v", test.what, got, test.want)
		}
	}
	mount(t, folder, map[string]string{"current": key("c"), "previous": key("a")})
	if err := running.Read(); err != nil || !takes(t, running.Keys(), nil) {
		t.Errorf("after another key it refuses what is not signed: %v", err)
	}
}

func badKeys(t *testing.T) {
	for want, keys := range map[string]map[string]string{
		"current has 31 bytes, expected 32 random bytes or more": {"current": key("a")[1:]},
		"previous has 0 bytes": {"current": key("a"), "previous": ""},
		"has next, previous, expected also current, the key that signs": {"next": key("a"), "previous": key("b")},
	} {
		if _, err := webhook.NewKeyFolder(keyFolder(t, keys), slog.New(slog.DiscardHandler)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		} else if strings.Contains(err.Error(), "aaa") {
			t.Errorf("the error tells the key: %v", err)
		}
	}
}

func readAgain(t *testing.T) {
	folder := keyFolder(t, map[string]string{"current": key("a")})
	keys := newKeys(t, folder)
	first := keys.Keys()
	for _, test := range []struct {
		what string
		keys map[string]string
		err  bool
		same bool
	}{
		{"nothing changed", map[string]string{"current": key("a")}, false, true},
		{"a bad key", map[string]string{"current": "short"}, true, true},
		{"no key", nil, false, true},
		{"another key", map[string]string{"current": key("b")}, false, false},
	} {
		mount(t, folder, test.keys)
		if err := keys.Read(); (err != nil) != test.err {
			t.Errorf("%s: %v", test.what, err)
		}
		if got := keys.Keys() == first; got != test.same {
			t.Errorf("%s: the keys are the same: %v, want %v", test.what, got, test.same)
		}
	}
	// Start does it without being asked.
	done := make(chan error, 1)
	before := keys.Keys()
	mount(t, folder, map[string]string{"current": key("c")})
	go func() { done <- keys.Start(t.Context()) }()
	await.True(t, "it has read the key", func() bool { return keys.Keys() != before })
}
