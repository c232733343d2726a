// Command demo shows in a terminal what Armature does, with nothing but
// loopback: a kube-apiserver with etcd, the conversion webhook, a stand-in for
// Azure's Resource Manager (ARM), and the operator.
//
//	./bazelw run //tools/demo
//	./bazelw run //tools/demo -- --keep
//	./bazelw run //tools/demo -- --groups resources,storage,network
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/go-logr/logr"
	"github.com/spf13/cobra"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/armature-dev/armature/tools/demo/stage"
)

func main() {
	// SIGPIPE: the reader of the output may end before the demo has stopped what it started.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	defer stop()
	ctrllog.SetLogger(logr.Discard()) // the demo shows what matters
	err := newCommand(os.Stdout).ExecuteContext(ctx)
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "interrupted; all is stopped")
		os.Exit(130)
	case err != nil:
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	keep   bool
	port   int
	groups []string
}

func newCommand(out io.Writer) *cobra.Command {
	var o options
	command := &cobra.Command{
		Use:           "demo",
		Short:         "Show API versions side by side in a cluster on this machine, without an Azure account",
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(c *cobra.Command, _ []string) error {
			return run(c.Context(), newScreen(out), o)
		},
	}
	command.Flags().BoolVar(&o.keep, "keep", false, "leave it running at the end, until ctrl-C, with commands to try")
	command.Flags().StringSliceVar(&o.groups, "groups", nil,
		"run these groups instead, such as resources,storage,network, until ctrl-C, to apply manifests of your own")
	command.Flags().IntVar(&o.port, "port", 0, "port of the API server on loopback, any free one if 0")
	return command
}

// run starts everything, tells the story or runs groups, and stops everything.
func run(ctx context.Context, s *screen, o options) (err error) {
	g, err := stage.New()
	defer func() {
		if stopErr := g.Stop(); stopErr != nil {
			err = errors.Join(err, fmt.Errorf("stopping: %w", stopErr))
		}
	}()
	if err != nil {
		return err
	}
	if len(o.groups) > 0 {
		return try(ctx, s, g, o)
	}
	s.print("", s.bold("Armature: the API versions of a service, side by side in one cluster"), "")
	metrics, err := build(ctx, s, g, o.port)
	if err != nil {
		return err
	}
	if err := tell(ctx, s, g); err != nil {
		return cmp.Or(ctx.Err(), err)
	}
	if !o.keep {
		s.print("", "Stopping. With --keep it stays, with commands to try.")
		return nil
	}
	return keep(ctx, s, g, metrics)
}
