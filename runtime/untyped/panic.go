package untyped

import (
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
)

// PanicError is a panic in a mapping or a conversion. Its message says where that was, and not
// what was passed to panic, which may quote an object with its secrets.
type PanicError struct {
	Value any    // what was passed to panic
	Place string // file and line
	Stack []byte
}

func (e *PanicError) Error() string {
	if err, ok := e.Value.(runtime.Error); ok {
		return fmt.Sprintf("panic at %s: %s", e.Place, err)
	}
	return fmt.Sprintf("panic at %s, with a %T", e.Place, e.Value)
}

// call calls a mapping and turns its panic into an error.
func call(mapping func(Convertible) (Convertible, error), object Convertible) (result Convertible, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = Recovered(value)
		}
	}()
	return mapping(object)
}

// Recovered is the error of a panic. It is called by the deferred function
// that recovers, with what recover returned.
func Recovered(value any) *PanicError {
	return &PanicError{Value: value, Place: placeOfPanic(), Stack: debug.Stack()}
}

// placeOfPanic is the innermost line outside of Go's runtime that was running
// when the panic began, asked for while it is being recovered from.
func placeOfPanic() string {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(0, callers)])
	panicking := false
	for {
		frame, more := frames.Next()
		inRuntime := strings.HasPrefix(frame.Function, "runtime.")
		if panicking && !inRuntime {
			return fmt.Sprintf("%s:%d", filepath.Base(frame.File), frame.Line)
		}
		panicking = panicking || frame.Function == "runtime.gopanic"
		if !more {
			return "an unknown place"
		}
	}
}
