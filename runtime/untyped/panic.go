package untyped

import (
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
)

// PanicError is a panic in a mapping or a conversion. Its message says where the
// panic was, and leaves out its value, which may contain secrets of an object.
type PanicError struct {
	Value any    // the argument of panic
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

// Recovered returns the error of a panic. The deferred function that recovers calls
// it with the result of recover.
func Recovered(value any) *PanicError {
	return &PanicError{Value: value, Place: placeOfPanic(), Stack: debug.Stack()}
}

// placeOfPanic returns the innermost line outside of Go's runtime that was running
// when the panic began. It is called while the panic is being recovered.
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
