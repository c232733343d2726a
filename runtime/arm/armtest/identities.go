package armtest

import (
	"strings"
	"time"

	"github.com/google/uuid"
)

const (
	identityType = "Microsoft.ManagedIdentity/userAssignedIdentities"
	// identityDelay is how long after the PUT of an identity its answers lack what Entra ID makes for it. Its ETag does
	// not change then.
	identityDelay = time.Second
)

// addIdentity adds to an answer about an identity the ids that Entra ID has made for it.
func (s *Server) addIdentity(r *resource, answer map[string]any) {
	if r.body["type"] != identityType || s.behavior.Now().Before(r.created.Add(identityDelay)) {
		return
	}
	properties := propertiesOf(answer)
	for _, name := range []string{"principalId", "clientId"} {
		properties[name] = uuid.NewSHA1(uuid.NameSpaceURL, []byte(strings.ToLower(r.id)+"/"+name)).String()
	}
	properties["tenantId"] = uuid.NewSHA1(uuid.NameSpaceURL, []byte("tenant")).String()
}
