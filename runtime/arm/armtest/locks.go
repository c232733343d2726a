package armtest

import (
	"fmt"
	"net/http"
	"strings"
)

// Extension resources that ARM treats unlike others, in lower case.
const (
	lockType = "microsoft.authorization/locks"
	// outlastingPath is in the ids of extension resources that outlast the resource they extend.
	outlastingPath = "/providers/microsoft.insights/diagnosticsettings/"
)

// checkLocks returns the refusal of a request that a lock forbids, or nil. A lock with the level
// CanNotDelete forbids the deletion of its scope, of resources in the scope, and of all that contains
// the scope. A lock with the level ReadOnly also forbids actions and other writes in its scope. A lock
// itself can always be deleted.
func (s *Server) checkLocks(e *exchange) *answer {
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
