// Package program has what the main functions of the programs share.
package program

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"k8s.io/apimachinery/pkg/runtime"
)

// Main calls run with the command line and the groups, until the process gets a signal
// to stop, and exits if run returns an error. Each of groups adds a group to a scheme.
func Main(run func(ctx context.Context, arguments []string, log io.Writer, groups ...func(*runtime.Scheme) error) error,
	groups ...func(*runtime.Scheme) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch err := run(ctx, os.Args[1:], os.Stderr, groups...); {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
