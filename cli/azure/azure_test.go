package azure

import (
	"fmt"
	"strings"
	"testing"

	"github.com/armature-dev/armature/runtime/arm/client"
)

func TestWithoutToken(t *testing.T) {
	refused := fmt.Errorf("listing: %w", &client.Error{Code: client.NoToken, Message: "EnvironmentCredential: missing AZURE_TENANT_ID"})
	got := WithoutToken(refused).Error()
	for _, want := range []string{"az login", "AZURE_CLIENT_SECRET", "missing AZURE_TENANT_ID"} {
		if !strings.Contains(got, want) || strings.Contains(got, "\n") {
			t.Errorf("got %q, want one line with %s", got, want)
		}
	}
	if other := fmt.Errorf("another"); WithoutToken(other) != other {
		t.Errorf("got %v of another error", WithoutToken(other))
	}
}
