package plan

import (
	"encoding/json"
	"fmt"
	"strings"
)

// HookSource is a hand-written method that is named like a hook: all that a
// plan depends on of it. Its body and its place are left out, so that an edit
// of them plans nothing.
type HookSource struct {
	// Package is the generated package that the method is compiled into.
	Package string `json:"package"`
	// Receiver is the type of the package that has the method.
	Receiver string `json:"receiver"`
	// Method such as "AssignToPerson_Spec".
	Method string `json:"method"`
	// Signature is the whole with import paths in the place of their names, such
	// as "func (*Person_Spec) AssignToPerson_Spec(*example.com/next.Person_Spec) error".
	Signature string `json:"signature"`
}

// HookPlace is where a [HookSource] stands.
type HookPlace struct {
	Package  string `json:"package"`
	Receiver string `json:"receiver"`
	Method   string `json:"method"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
}

// The beginnings of the names of hooks.
const (
	assignTo   = "AssignTo"
	assignFrom = "AssignFrom"
)

// IsHook tells whether a method is named like a hook.
func IsHook(method string) bool {
	for _, prefix := range []string{assignTo, assignFrom} {
		if rest, ok := strings.CutPrefix(method, prefix); ok && rest != "" && strings.ToUpper(rest[:1]) == rest[:1] {
			return true
		}
	}
	return false
}

// IsHookTo reports whether a hook of that name is of the way to a neighbour.
func IsHookTo(method string) bool { return strings.HasPrefix(method, assignTo) }

// Hook is a hook that the conversion of a pair calls last.
type Hook struct {
	// Type is the package's, There the neighbour's.
	Type      string `json:"type"`
	Neighbour string `json:"neighbour"`
	There     string `json:"there"`
	// To tells that the hook is of the way to the neighbour, not from it.
	To bool `json:"to,omitempty"`
}

// Method is the name of a hook.
func (h Hook) Method() string {
	if h.To {
		return assignTo + h.There
	}
	return assignFrom + h.There
}

// Misfit is a method that is named like a hook and that no conversion calls.
type Misfit struct {
	Receiver string `json:"receiver"`
	Method   string `json:"method"`
	Message  string `json:"message"`
}

// DecodeHooks reads what armhooks has written: a list of [HookSource] or of
// [HookPlace].
func DecodeHooks[T HookSource | HookPlace](text []byte) ([]T, error) {
	var hooks []T
	if err := json.Unmarshal(text, &hooks); err != nil {
		return nil, fmt.Errorf("no list of hooks of this generator: %w", err)
	}
	return hooks, nil
}
