package webhook

import (
	"testing"
	"time"
)

// SetPatience changes, until the test ends, for how long a connection may wait for its client. Servers start and end
// while it is so.
func SetPatience(t testing.TB, d time.Duration) {
	before := patience
	patience = d
	t.Cleanup(func() { patience = before })
}
