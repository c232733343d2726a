package webhook

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/remainder"
)

// KeyFolder has the keys with which the webhook signs the annotations that it
// gives to clients. It reads them from a folder with a file for each key, such as a
// mounted Secret. The key in the file current signs, and the signatures of all keys are
// accepted, so that all replicas can know a key before the first one signs with it.
type KeyFolder struct {
	path   string
	logger *slog.Logger
	// unsigned reports whether there were no keys at the start. What was not signed then stays valid until the process
	// ends, so that the first key stops no write.
	unsigned bool
	sum      [sha256.Size]byte // of the files that were read last
	keys     atomic.Pointer[remainder.Keys]
}

// signingFile is the name of the file with the key that signs.
const signingFile = "current"

// keysInterval is how often the folder is read.
const keysInterval = 10 * time.Second

// NewKeyFolder reads the keys. A folder that is empty or does not exist has no keys, and
// may get some later; see [KeyFolder.Start]. Then annotations without a signature are
// accepted on: those from before the first key have none.
func NewKeyFolder(path string, logger *slog.Logger) (*KeyFolder, error) {
	f := &KeyFolder{path: path, logger: logger}
	if err := f.Read(); err != nil {
		return nil, err
	}
	if f.Keys() == nil {
		f.unsigned = true
		logger.Warn("there are no keys, so the annotation "+annotation.Remainder+" is not signed: whoever may "+
			"write an object can forge it", "folder", path)
	}
	return f, nil
}

// Keys returns the keys that were read last, or nil if there are none.
func (f *KeyFolder) Keys() *remainder.Keys { return f.keys.Load() }

// Start reads the keys every 10 seconds, because they may change, until the context ends.
func (f *KeyFolder) Start(ctx context.Context) error {
	ticker := time.NewTicker(keysInterval)
	defer ticker.Stop()
	var last string
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		text := ""
		if err := f.Read(); err != nil {
			text = err.Error()
		}
		if text != "" && text != last {
			f.logger.Error("the keys cannot be read: the keys that were read before stay in use", "error", text)
		}
		last = text
	}
}

// NeedLeaderElection returns false, for a manager of controller-runtime: every
// replica needs the keys.
func (f *KeyFolder) NeedLeaderElection() bool { return false }

// Read reads the keys in the folder. If it fails, or the folder has no key, the keys from
// before stay in use.
func (f *KeyFolder) Read() error {
	entries, err := os.ReadDir(f.path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("the folder of keys: %w", err)
	}
	var names []string
	var keys [][]byte
	sum := sha256.New()
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), ".") || entry.IsDir() { // the kubelet's own
			continue
		}
		key, err := os.ReadFile(filepath.Join(f.path, entry.Name()))
		switch {
		case err != nil:
			return fmt.Errorf("key: %w", err)
		case len(key) < remainder.MinKey:
			return fmt.Errorf("key %s has %d bytes, expected %d random bytes or more", filepath.Join(f.path, entry.Name()),
				len(key), remainder.MinKey)
		}
		fmt.Fprintf(sum, "%q %q\n", entry.Name(), key)
		names, keys = append(names, entry.Name()), append(keys, key)
	}
	at := slices.Index(names, signingFile)
	switch {
	case keys == nil:
		return nil
	case at < 0:
		return fmt.Errorf("the folder of keys %s has %s, expected also %s, the key that signs",
			f.path, strings.Join(names, ", "), signingFile)
	case [sha256.Size]byte(sum.Sum(nil)) == f.sum:
		return nil
	}
	keys[0], keys[at] = keys[at], keys[0]
	read, err := remainder.NewKeys(keys...)
	if err != nil {
		return err
	}
	f.sum = [sha256.Size]byte(sum.Sum(nil))
	if f.unsigned {
		read = read.AcceptUnsigned()
	}
	f.keys.Store(read)
	f.logger.Info("the annotation "+annotation.Remainder+" is signed", "folder", f.path, "keys", names, "acceptsUnsigned", f.unsigned)
	return nil
}
