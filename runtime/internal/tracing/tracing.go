// Package tracing has the flags of programs that send spans to a collector of
// OpenTelemetry, [Flags].
package tracing

import (
	"context"
	"flag"
	"fmt"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// Flags has the values of the flags.
type Flags struct {
	endpoint string
	insecure bool
	ratio    float64
}

// Register adds the flags to a set. ratio describes what is traced in part.
func (f *Flags) Register(flags *flag.FlagSet, ratio string) {
	flags.StringVar(&f.endpoint, "otlp-endpoint", "", "host and port of an OpenTelemetry collector (gRPC) that takes traces; none if empty")
	flags.BoolVar(&f.insecure, "otlp-insecure", false, "send traces without TLS")
	flags.Float64Var(&f.ratio, "trace-ratio", 1, ratio)
}

// Provider sends spans to a collector, if there is one. The function that it
// returns sends the last of them, for at most 5 seconds.
func (f *Flags) Provider(ctx context.Context) (trace.TracerProvider, func() error, error) {
	if f.endpoint == "" {
		return noop.NewTracerProvider(), func() error { return nil }, nil
	}
	options := []otlptracegrpc.Option{otlptracegrpc.WithEndpoint(f.endpoint)}
	if f.insecure {
		options = append(options, otlptracegrpc.WithInsecure())
	}
	exporter, err := otlptracegrpc.New(ctx, options...)
	if err != nil {
		return nil, nil, fmt.Errorf("--otlp-endpoint %s: %w", f.endpoint, err)
	}
	self, err := resource.New(ctx, resource.WithFromEnv(), resource.WithTelemetrySDK(), resource.WithProcessRuntimeVersion())
	if err != nil {
		return nil, nil, err
	}
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithBatcher(exporter),
		sdktrace.WithResource(self),
		sdktrace.WithSampler(sdktrace.ParentBased(sdktrace.TraceIDRatioBased(f.ratio))),
	)
	flush := func() error {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		return provider.Shutdown(end)
	}
	return provider, flush, nil
}
