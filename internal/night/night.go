// Package night says how large the tests are that have a small form by day and a large one by night, when .ci/nightly
// runs them. Its main function is [Times].
package night

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// variable is not set by day. By night it is 1, with which each part of .ci/nightly takes at most half an hour on two
// cores, or a number by which that is multiplied.
const variable = "ARMATURE_NIGHT"

// Is reports whether tests take their large form.
func Is() bool { return scale() > 0 }

// Times returns a number of day, or what night is times the scale of the night.
func Times(day, night int) int {
	if !Is() {
		return day
	}
	return night * scale()
}

// scale returns the number in the variable, or 0.
func scale() int {
	text := os.Getenv(variable)
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		panic(fmt.Sprintf("%s is %q, expected a number from 1 on, or nothing by day", variable, text))
	}
	return n
}

// seedVariable has the seed of tests with random histories: a number, or "random".
const seedVariable = "ARMATURE_SEED"

// Seed returns the seed of a test, which is the same each time by default. It logs how to repeat the test.
func Seed(t testing.TB) uint64 {
	t.Helper()
	seed := uint64(1)
	switch text := os.Getenv(seedVariable); text {
	case "":
	case "random":
		seed = rand.Uint64()
	default:
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("%s: %v", seedVariable, err)
		}
	}
	t.Logf("to repeat this: --test_env=%s=%d", seedVariable, seed)
	return seed
}
