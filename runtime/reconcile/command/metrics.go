package command

import (
	"crypto/tls"
	"flag"

	"sigs.k8s.io/controller-runtime/pkg/metrics/filters"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// metrics says where metrics are, and for whom.
type metrics struct {
	address string
	secure  bool
	certDir string
}

func (m *metrics) register(flags *flag.FlagSet) {
	flags.StringVar(&m.address, "metrics-address", ":8080", "where /metrics is, without TLS unless --metrics-secure is set; 0 for nowhere")
	flags.BoolVar(&m.secure, "metrics-secure", false,
		"serve /metrics with TLS, and only to whom the API server allows to get that path, by the token of the request")
	flags.StringVar(&m.certDir, "metrics-cert-dir", "",
		"folder with tls.crt and tls.key for --metrics-secure, which are read again when they change; "+
			"if empty, the operator makes a certificate that no authority has signed")
}

// options returns the options of the server.
func (m *metrics) options() metricsserver.Options {
	options := metricsserver.Options{BindAddress: m.address}
	if m.secure {
		options.SecureServing, options.CertDir = true, m.certDir
		options.FilterProvider = filters.WithAuthenticationAndAuthorization
		// Scrapers do not need HTTP/2, by which one client can open and reset many streams before it is refused.
		options.TLSOpts = []func(*tls.Config){func(c *tls.Config) { c.NextProtos = []string{"http/1.1"} }}
	}
	return options
}
