// Package digests has the digests by which the published specs are pinned, and the
// format of the lists of them. Its main function is [Of].
package digests

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Of returns the SHA-256 of a JSON file in canonical form (RFC 8785). So it does not change with white space, a byte
// order mark or the order of members, which mean nothing.
func Of(text []byte) (string, error) {
	value := jsontext.Value(bytes.TrimPrefix(text, []byte("\ufeff"))).Clone()
	if err := value.Canonicalize(); err != nil {
		return "", err
	}
	sum := sha256.Sum256(value)
	return hex.EncodeToString(sum[:]), nil
}

// Format returns a list of digests, a line for each file.
func Format(digests map[string]string) string {
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(digests)) {
		fmt.Fprintf(&text, "%s  %s\n", digests[name], name)
	}
	return text.String()
}

// Parse reads such a list.
func Parse(text string) (map[string]string, error) {
	digests := map[string]string{}
	for line := range strings.Lines(text) {
		digest, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if !ok || len(digest) != hex.EncodedLen(sha256.Size) || !filepath.IsLocal(name) || strings.ContainsAny(name, `*?[]\! `) {
			return nil, fmt.Errorf("found the line %q; expected a digest and a path", line)
		}
		digests[name] = digest
	}
	return digests, nil
}

// PinsFile returns the file of a repository with the digests of a checkout.
func PinsFile(checkout string) string { return "tools/specs/" + checkout + ".sha256" }

// ReadPins returns the digests of a checkout that the repository at root pins. It need not pin any.
func ReadPins(root, checkout string) (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(PinsFile(checkout))))
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	pins, err := Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", PinsFile(checkout), err)
	}
	return pins, nil
}

// StampSuffix follows the name of a checkout in the name of the file beside it that says what tools/specs has
// fetched. It is empty until all is there.
const StampSuffix = ".done"

// Stamp returns the text of that file.
func Stamp(commit string, digests map[string]string) string { return commit + "\n" + Format(digests) }

// Others returns the pinned files that a stamp does not have with their digests, sorted. A checkout may have more files
// than are pinned.
func Others(stamp string, pinned map[string]string) []string {
	has := map[string]bool{}
	for line := range strings.Lines(stamp) {
		has[line] = true
	}
	var others []string
	for _, name := range slices.Sorted(maps.Keys(pinned)) {
		if !has[pinned[name]+"  "+name+"\n"] {
			others = append(others, name)
		}
	}
	return others
}
