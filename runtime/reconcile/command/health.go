package command

import (
	"fmt"
	"net"
	"net/http"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/armature-dev/armature/runtime/reconcile"
)

// addHealth adds the server of /healthz and /readyz. It is not the manager's, which says no
// more than the names of the checks that fail: /readyz?verbose says as well what the operator
// has no right to, and which kinds the API server does not list. Neither is a reason to be unready,
// as everything else works.
func addHealth(m manager.Manager, address string, rights *reconcile.Rights) error {
	if address == "" || address == "0" {
		return nil
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("--health-address: %w", err)
	}
	ping := &healthz.Handler{Checks: map[string]healthz.Checker{"ping": healthz.Ping}}
	mux := http.NewServeMux()
	for _, path := range []string{"/healthz", "/readyz"} {
		mux.Handle(path+"/", http.StripPrefix(path, ping)) // a check by its name
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			http.StripPrefix(path, ping).ServeHTTP(w, r)
			if path == "/readyz" && r.URL.Query().Has("verbose") {
				for _, sentence := range rights.Missing() {
					fmt.Fprintf(w, "[!]%s\n", sentence)
				}
			}
		})
	}
	return m.Add(&manager.Server{Name: "health", Listener: listener,
		Server: &http.Server{Handler: mux, ReadHeaderTimeout: 32 * time.Second, IdleTimeout: 90 * time.Second}})
}
