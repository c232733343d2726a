package plan

import (
	"encoding/json"
	"fmt"
	"strings"
)

// HookSource is the part of a hand-written hook that a plan depends on. It has
// neither the body nor the position, so that an edit of those runs no ArmPlan.
type HookSource struct {
	// Package is the generated package that the method is compiled into.
	Package string `json:"package"`
	// Receiver is the type of the package that has the method.
	Receiver string `json:"receiver"`
	// Method is the method's name, such as "AssignToPerson_Spec".
	Method string `json:"method"`
	// Signature is the method's signature with import paths for package names,
	// such as "func (*Person_Spec) AssignToPerson_Spec(*example.com/next.Person_Spec) error".
	Signature string `json:"signature"`
}

// HookPlace is the position of a [HookSource].
type HookPlace struct {
	Package  string `json:"package"`
	Receiver string `json:"receiver"`
	Method   string `json:"method"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
}

// The prefixes of the names of hooks.
const (
	assignTo   = "AssignTo"
	assignFrom = "AssignFrom"
)

// operator has, by the names of the hooks that the operator calls, the half of a
// resource that has them, and their parameters and results. Package reconcile of
// the runtime has them as interfaces.
var operator = map[string]struct{ half, types string }{
	"BeforeSend":    {"_Spec", "(context.Context, *" + runtimeARM + ".Request) error"},
	"AfterRead":     {"_Status", "(context.Context, []byte) error"},
	"ClassifyError": {"_Spec", "(*" + runtimeARM + "/client.Error) " + runtimeARM + "/client.Class"},
}

const runtimeARM = "github.com/armature-dev/armature/runtime/arm"

// IsOperatorHook reports whether a method has the name of a hook that the operator
// calls, and not a conversion.
func IsOperatorHook(method string) bool { return operator[method].half != "" }

// OperatorHook returns what a hook of an API package for the operator has to be, for
// a resource of a kind.
func OperatorHook(pkg, kind, method string) HookSource {
	h := operator[method]
	return HookSource{Package: pkg, Receiver: kind + h.half, Method: method, Signature: "func (*" + kind + h.half + ") " + method + h.types}
}

// IsHook reports whether a method has the name of a hook, of a conversion or of the
// operator.
func IsHook(method string) bool {
	if IsOperatorHook(method) {
		return true
	}
	for _, prefix := range []string{assignTo, assignFrom} {
		if rest, ok := strings.CutPrefix(method, prefix); ok && rest != "" && strings.ToUpper(rest[:1]) == rest[:1] {
			return true
		}
	}
	return false
}

// IsHookTo reports whether a hook of that name is called on the way to a neighbour.
func IsHookTo(method string) bool { return strings.HasPrefix(method, assignTo) }

// Hook is a hand-written method that the conversion of a pair calls last.
type Hook struct {
	// Type is the package's type, There the neighbour's.
	Type      string `json:"type"`
	Neighbour string `json:"neighbour"`
	There     string `json:"there"`
	// To is set if the hook is called on the way to the neighbour, and not from it.
	To bool `json:"to,omitempty"`
}

// Method returns the name of the hook.
func (h Hook) Method() string { return h.prefix() + h.There }

// Interface returns the name of the interface that a type with the hook implements,
// such as "assignableToPerson_Spec". A small letter tells it from all types.
func (h Hook) Interface() string {
	return "assignable" + strings.TrimPrefix(h.prefix(), "Assign") + h.There
}

func (h Hook) prefix() string {
	if h.To {
		return assignTo
	}
	return assignFrom
}

// Call returns the method as an interface has it, where the type of the neighbour
// has a name such as "next.Person_Spec".
func (h Hook) Call(there string) string {
	end := "src"
	if h.To {
		end = "dst"
	}
	return fmt.Sprintf("%s(%s *%s) error", h.Method(), end, there)
}

// Declaration returns the first line of the hook in Go, without the brace.
func (h Hook) Declaration(there string) string {
	return fmt.Sprintf("func (%s *%s) %s", strings.ToLower(h.Type[:1]), h.Type, h.Call(there))
}

// Misfit is a method that has the name of a hook but that no conversion calls.
type Misfit struct {
	Receiver string `json:"receiver"`
	Method   string `json:"method"`
	Message  string `json:"message"`
}

// DecodeHooks reads a file that armhooks wrote: a list of [HookSource] or of
// [HookPlace].
func DecodeHooks[T HookSource | HookPlace](text []byte) ([]T, error) {
	var hooks []T
	if err := json.Unmarshal(text, &hooks); err != nil {
		return nil, fmt.Errorf("no list of hooks of this generator: %w", err)
	}
	return hooks, nil
}
