// Package program has what the main functions of the programs share.
package program

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/armature-dev/armature/runtime/version"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/runtime"
)

// BuildInfo returns the metric that says which version of Armature the program has.
func BuildInfo() prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "armature_build_info", Help: "Always 1. The label has the version of Armature.",
		ConstLabels: prometheus.Labels{"version": version.String()},
	}, func() float64 { return 1 })
}

// Parse parses the command line of a program, whose help is written to output when it is
// asked for. What is wrong is the error alone: the help would hide it.
func Parse(flags *flag.FlagSet, arguments []string, output io.Writer, help func(*flag.FlagSet)) error {
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	switch err := flags.Parse(arguments); {
	case errors.Is(err, flag.ErrHelp):
		var text bytes.Buffer
		flags.SetOutput(&text)
		help(flags)
		fmt.Fprint(output, strings.ReplaceAll("\n"+text.String(), "\n  -", "\n  --")[1:])
		return err
	case err != nil:
		return fmt.Errorf("%s; --help lists the flags", dashes.Replace(err.Error()))
	}
	return nil
}

// dashes makes messages name flags with two dashes, as documents do. Package flag takes both, and writes one.
var dashes = strings.NewReplacer("for flag -", "for flag --", "not defined: -", "not defined: --", "argument: -", "argument: --")

// Main calls run with the command line and the groups, until the process gets a signal
// to stop, and exits if run returns an error. Each of groups adds a group to a scheme.
func Main(run func(ctx context.Context, arguments []string, log io.Writer, groups ...func(*runtime.Scheme) error) error,
	groups ...func(*runtime.Scheme) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch err := run(ctx, os.Args[1:], os.Stderr, groups...); {
	case err != nil && !errors.Is(err, flag.ErrHelp):
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
