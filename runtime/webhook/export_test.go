package webhook

import (
	"testing"
	"time"
)

// SetPatience changes how long a connection may wait for its client, until the test ends. It is called before a server
// starts, so that the server has ended when the change does.
func SetPatience(t testing.TB, d time.Duration) {
	before := patience
	patience = d
	t.Cleanup(func() { patience = before })
}
