package armtest

import (
	"fmt"
	"net/http"
	"strings"
)

// Extension resources that ARM treats unlike others, in lower case.
const (
	lockType = "microsoft.authorization/locks"
	// outlasting ends the ids of what stays when the resource goes that it is on.
	outlasting = "/providers/microsoft.insights/diagnosticsettings/"
)

// locked returns the refusal of a request that a lock forbids. One with the level CanNotDelete
// forbids to delete what it is on, what lies in that, and what that lies in; one with the level
// ReadOnly also every other write, and actions. A lock itself can always be deleted.
func (s *Server) locked(e *exchange) *answer {
	id := key(e.id)
	if strings.Contains(id, "/providers/"+lockType+"/") {
		return nil
	}
	deletes := e.method == http.MethodDelete
	for lock, r := range s.locks {
		scope, _, _ := strings.Cut(lock, "/providers/"+lockType+"/")
		properties, _ := r.body["properties"].(map[string]any)
		within := id == scope || strings.HasPrefix(id, scope+"/")
		if deletes && (within || strings.HasPrefix(scope, id+"/")) || !deletes && within && properties["level"] == "ReadOnly" {
			a := refuse(http.StatusConflict, "ScopeLocked", fmt.Sprintf("A lock on %q forbids it: remove the lock, and try again.", scope))
			return &a
		}
	}
	return nil
}
