// Command smoke tries Armature on Azure itself: it starts an API server with etcd, the conversion
// webhook and the operator on this machine, makes a few resources in a resource group of its own
// with the user's credential, edits, reads and deletes them, and writes a log without ids and
// secrets that can be shown to others.
//
//	./bazelw run //tools/smoke -- --subscription ID
//	./bazelw run //tools/smoke -- --subscription ID --cleanup SUFFIX
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	"github.com/spf13/cobra"
	"k8s.io/klog/v2"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"
)

func main() {
	// The operator logs what has ids; what matters of it is in conditions, which smoke shows.
	ctrllog.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	run, clean, stop := contexts()
	defer stop()
	if err := newCommand(run, clean).Execute(); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// contexts returns two contexts: the first signal to stop ends the first of them, after which smoke
// cleans up, and the next one ends the second.
func contexts() (run, clean context.Context, stop func()) {
	run, stopRun := context.WithCancel(context.Background())
	clean, stopClean := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 1)
	// SIGPIPE: the reader of the output may end before smoke has removed what it made.
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	go func() {
		for got := range signals {
			if run.Err() != nil && got != syscall.SIGPIPE {
				stopClean()
			}
			stopRun()
		}
	}()
	return run, clean, func() {
		stopRun()
		stopClean()
	}
}

// options are the flags.
type options struct {
	subscription, location, group, endpoint, caFile, log, cleanup string
	skip                                                          []string
	keep                                                          bool
	longest, refresh                                              time.Duration
}

func newCommand(run, clean context.Context) *cobra.Command {
	var o options
	command := &cobra.Command{
		Use:   "smoke --subscription ID",
		Short: "Try Armature on Azure, with resources that it removes again",
		Long: `Try Armature on Azure, with resources that it removes again, and write a log without ids and secrets.

The credential is that of the Azure CLI, or what the environment says. docs/azure.md has the rights it needs, and what
the resources cost.`,
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(*cobra.Command, []string) error {
			if err := o.check(); err != nil {
				return err
			}
			return start(run, clean, o, os.Stdout)
		},
	}
	flags := command.Flags()
	flags.StringVar(&o.subscription, "subscription", "", "id of the subscription, which must be given")
	flags.StringVar(&o.location, "location", "westeurope", "where the resources are")
	flags.StringVar(&o.group, "resource-group", "", "a resource group that exists and stays, instead of one of its own")
	flags.StringSliceVar(&o.skip, "skip", nil, "what not to try, with commas between: "+strings.Join(lanes, ", "))
	flags.BoolVar(&o.keep, "keep", false, "delete nothing at the end, and say how to do it")
	flags.StringVar(&o.cleanup, "cleanup", "", "remove what the run with this suffix has left, and do nothing else")
	flags.StringVar(&o.log, "log", "", "file for the log, by default armature-smoke-<suffix>.log in the current folder")
	flags.DurationVar(&o.longest, "longest", time.Hour, "how long a step may take at most; most have less time by themselves")
	flags.DurationVar(&o.refresh, "refresh", time.Minute, "how often the operator asks ARM how a resource is")
	flags.StringVar(&o.endpoint, "arm-endpoint", "",
		"URL of ARM, by default that of the public cloud; with http it is a stand-in, which gets no credential")
	flags.StringVar(&o.caFile, "ca-file", "",
		"file with certificate authorities of ARM or of a proxy, in PEM, which are trusted beside those of the system")
	return command
}

var (
	subscriptionID = regexp.MustCompile(`(?i)^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
	suffix         = regexp.MustCompile(`^[a-z0-9]{8}$`)
	groupName      = regexp.MustCompile(`^[\w().-]{0,89}[\w()-]$`)
)

// check returns all faults of the flags.
func (o *options) check() error {
	var errs []error
	if !subscriptionID.MatchString(o.subscription) {
		errs = append(errs, fmt.Errorf("--subscription: found %q, expected an id such as az account show --query id prints",
			o.subscription))
	}
	if o.group != "" && !groupName.MatchString(o.group) {
		errs = append(errs, fmt.Errorf("--resource-group: found %q, expected the name of one, and not its id", o.group))
	}
	if o.cleanup != "" && !suffix.MatchString(o.cleanup) {
		errs = append(errs, fmt.Errorf("--cleanup: found %q, expected the eight letters and digits that the run has printed", o.cleanup))
	}
	for _, name := range o.skip {
		if !slices.Contains(lanes, name) {
			errs = append(errs, fmt.Errorf("--skip: found %q, expected some of %s", name, strings.Join(lanes, ", ")))
		}
	}
	if o.longest <= 0 || o.refresh <= 0 {
		errs = append(errs, fmt.Errorf("--longest and --refresh: found %s and %s, expected more than zero", o.longest, o.refresh))
	}
	return errors.Join(errs...)
}
