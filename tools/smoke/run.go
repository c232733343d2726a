package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	cachescheme "github.com/armature-dev/armature/apis/cache/scheme"
	networkscheme "github.com/armature-dev/armature/apis/network/scheme"
	resourcesscheme "github.com/armature-dev/armature/apis/resources/scheme"
	storagescheme "github.com/armature-dev/armature/apis/storage/scheme"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/reconcile"
	"github.com/armature-dev/armature/runtime/version"
	"github.com/armature-dev/armature/tools/controlplane"
	"github.com/armature-dev/armature/tools/demo/stage"
	"github.com/armature-dev/armature/tools/smoke/record"
	"github.com/armature-dev/armature/tools/smoke/remains"
)

// smoke is a run.
type smoke struct {
	options
	*plan
	out     io.Writer
	log     *record.Log
	azure   *azure
	arm     *client.Client
	remains *remains.Remains

	stage        *stage.Stage
	stopOperator func() error // nil while none runs
	begun        bool         // there may be something in Azure

	mutex   sync.Mutex
	results []result
}

// result is a line of the table at the end.
type result struct {
	step, outcome string
	took          time.Duration
}

// Outcomes of steps.
const (
	passed  = "ok"
	failed  = "failed"
	stopped = "stopped"
	notRun  = "not run"
)

const (
	namespace = "default"
	// expiry is after which time nobody needs the resources, whatever became of the run.
	expiry = 24 * time.Hour
	// tick is the time between two looks at an object.
	tick = 500 * time.Millisecond
	// armTick is the time between two looks at a resource that is being deleted.
	armTick = 5 * time.Second
	// objectsTime is how long a run that failed waits for its objects, before it deletes what they
	// stand for itself.
	objectsTime = 5 * time.Minute
)

// binaries is the folder with kube-apiserver and etcd, where `bazel run` starts smoke.
var binaries = filepath.Join("tools", "controlplane", "binaries", "bin")

// newSuffix returns eight letters and digits.
func newSuffix() string { return strings.ToLower(rand.Text()[:8]) }

// start does a run, or cleans up after another.
func start(run, clean context.Context, o options, out io.Writer) (err error) {
	s := &smoke{options: o, out: out, plan: newPlan(o, cmp.Or(o.cleanup, newSuffix()), time.Now().Add(expiry))}
	written := io.Discard
	if o.cleanup == "" {
		file, err := os.Create(s.logFile())
		if err != nil {
			return fmt.Errorf("--log: %w", err)
		}
		defer file.Close()
		written = file
	}
	s.log = record.NewLog(written, o.subscription, s.suffix, s.groupName)
	if s.azure, err = newAzure(o.endpoint, o.caFile, s.log); err != nil {
		return err
	}
	if s.arm, err = s.azure.client(); err != nil {
		return err
	}
	for _, one := range s.all() {
		s.azure.recorder.Name(one.id, one.armType)
	}
	s.remains = &remains.Remains{Client: s.arm, Suffix: s.suffix, Resources: s.outermost(), Pause: armTick}
	if o.cleanup != "" {
		return s.remove(run)
	}
	return s.try(run, clean)
}

// logFile returns the name of the log. bazel run starts smoke in another folder than the user's.
func (s *smoke) logFile() string {
	name := cmp.Or(s.options.log, "armature-smoke-"+s.suffix+".log")
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(os.Getenv("BUILD_WORKING_DIRECTORY"), name)
}

// say writes a line for the user, which may have names.
func (s *smoke) say(format string, arguments ...any) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	fmt.Fprintf(s.out, format+"\n", arguments...)
}

// cleanupCommand is what removes the remains of the run.
func (s *smoke) cleanupCommand() string {
	command := "./bazelw run //tools/smoke -- --subscription " + s.subscription + " --cleanup " + s.suffix
	if s.options.group != "" {
		command += " --resource-group " + s.options.group
	}
	return command
}

// try does a run, removes what it has made, and writes the table.
func (s *smoke) try(run, clean context.Context) (err error) {
	where := "Azure's public cloud"
	if s.endpoint != "" {
		where = "another ARM than that of the public cloud"
	}
	if s.azure.standIn {
		where = "a stand-in for ARM"
	}
	s.log.Heading(fmt.Sprintf("Armature %s on %s, in %s, %s", version.String(), where, record.Code(s.location),
		time.Now().UTC().Format(time.DateOnly)))
	s.log.Heading("")
	s.say("The suffix of this run is %s. All of its resources have it, and are in the resource group %s.", s.suffix, s.groupName)
	s.say("It removes them at the end, also after ctrl-C. If it is killed, this removes them:\n\n  %s\n", s.cleanupCommand())
	run, end := context.WithCancelCause(run)
	defer end(nil)
	defer func() {
		if s.stage != nil {
			err = errors.Join(err, s.stage.Stop())
		}
	}()
	s.story(run, end)
	interrupted := run.Err() != nil
	switch {
	case !s.begun:
	case s.keep && !interrupted:
		err = s.haltOperator()
		s.say("\nKept. This removes what is there:\n\n  %s", s.cleanupCommand())
	default:
		if interrupted {
			s.say("\nStopped. Cleaning up, which takes minutes; another ctrl-C leaves what is there.")
		}
		s.step(clean, "clean up", s.longest, s.cleanUp)
	}
	return errors.Join(err, s.conclude(interrupted))
}

// story takes the steps one after the other, and those of different lanes side by side.
func (s *smoke) story(ctx context.Context, end context.CancelCauseFunc) {
	first := []step{
		{"names are free", 5 * time.Minute, s.remains.CheckFree},
		{"start", 30 * time.Minute, func(ctx context.Context) error { return s.startAll(ctx, end) }},
	}
	if s.plan.group != nil {
		first = append(first, s.create(s.plan.group))
	}
	good := s.steps(ctx, true, first)
	var tracks sync.WaitGroup
	fine := make([]bool, len(lanes))
	for i, lane := range lanes {
		tracks.Go(func() { fine[i] = s.steps(ctx, good, s.laneSteps(lane)) })
	}
	tracks.Wait()
	for _, f := range fine {
		good = good && f
	}
	if s.plan.group != nil && !s.keep {
		s.steps(ctx, good, []step{s.delete(s.plan.group)})
	}
}

// laneSteps returns the steps of a lane. All of its resources are there when the first is edited, as the
// PUT of a virtual network must not take its subnets away.
func (s *smoke) laneSteps(lane string) []step {
	var creations, middle, deletions []step
	for _, one := range s.subjects {
		if one.lane != lane {
			continue
		}
		creations = append(creations, s.create(one))
		middle = append(middle, s.read(one))
		if one.secret != "" {
			middle = append(middle, s.outputs(one))
		}
		middle = append(middle, s.edit(one), s.rest(one))
		deletions = append([]step{s.delete(one)}, deletions...)
	}
	if s.keep {
		deletions = nil
	}
	return slices.Concat(creations, middle, deletions)
}

// startAll starts what manages the resources.
func (s *smoke) startAll(ctx context.Context, end context.CancelCauseFunc) (err error) {
	scheme := runtime.NewScheme()
	err = errors.Join(corev1.AddToScheme(scheme), cachescheme.AddToScheme(scheme), networkscheme.AddToScheme(scheme),
		resourcesscheme.AddToScheme(scheme), storagescheme.AddToScheme(scheme))
	if err != nil {
		return err
	}
	if s.stage, err = stage.New(); err != nil {
		return err
	}
	if err := s.stage.StartControlPlane(binaries, 0); err != nil {
		return err
	}
	if _, err := s.stage.ServeWebhook(scheme); err != nil {
		return err
	}
	var folders []string
	var crds []*apiextensionsv1.CustomResourceDefinition
	for _, one := range s.all() {
		group, _, _ := strings.Cut(one.resource.Group, ".")
		folder := filepath.Join("apis", group, "crds")
		if slices.Contains(folders, folder) {
			continue
		}
		more, err := controlplane.ReadCRDs(folder)
		if err != nil {
			return err
		}
		folders, crds = append(folders, folder), append(crds, more...)
	}
	if err := s.choose(crds); err != nil {
		return err
	}
	if err := s.stage.Install(ctx, folders...); err != nil {
		return err
	}
	for _, one := range s.all() {
		s.log.Print("%s: %s, created at %s, edited at %s", one.name, one.armType, one.newest, one.oldest)
	}
	return s.startOperator(scheme, end)
}

// startOperator starts the operator with the user's credential. If it ends by itself, it ends the run.
func (s *smoke) startOperator(scheme *runtime.Scheme, end context.CancelCauseFunc) error {
	m, err := ctrl.NewManager(s.stage.Config, ctrl.Options{
		Scheme: scheme, Logger: logr.Discard(), Metrics: metricsserver.Options{BindAddress: "0"},
	})
	if err != nil {
		return err
	}
	var kinds []schema.GroupKind
	for _, one := range s.all() {
		kinds = append(kinds, schema.GroupKind{Group: one.resource.Group, Kind: one.kind})
	}
	err = reconcile.Setup(m, reconcile.Options{
		Kinds: kinds, Namespace: namespace, Credential: s.azure.credential, CredentialNamespaces: []string{namespace},
		Subscription: s.subscription, Cloud: s.azure.cloud, Transport: s.azure.recorder.As(operatorName), Refresh: s.refresh,
		Metrics: prometheus.NewRegistry(), InsecureHTTP: s.azure.standIn,
	})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		err := m.Start(ctx)
		if ctx.Err() == nil {
			s.say("The operator ended: %v", err)
			end(err)
		}
		done <- err
	}()
	s.begun = true
	s.stopOperator = func() error {
		cancel()
		return <-done
	}
	return nil
}

// haltOperator stops the operator, if it runs.
func (s *smoke) haltOperator() error {
	if s.stopOperator == nil {
		return nil
	}
	stop := s.stopOperator
	s.stopOperator = nil
	return stop()
}

// cleanUp deletes the objects, and then, without the operator, which would make anew what is gone,
// whatever is left in Azure.
func (s *smoke) cleanUp(ctx context.Context) error {
	if s.stopOperator != nil {
		s.deleteObjects(ctx)
	}
	if err := s.haltOperator(); err != nil {
		s.say("The operator ended: %v", err)
	}
	return s.remove(ctx)
}

// deleteObjects deletes all objects, and waits for some time until they are gone. What stays is no
// error, as its resource is looked for afterwards.
func (s *smoke) deleteObjects(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, min(objectsTime, s.longest/2))
	defer cancel()
	for {
		left := 0
		for _, one := range s.all() {
			objects := s.objects(one, one.newest)
			if err := objects.Delete(ctx, one.object, metav1.DeleteOptions{}); !apierrors.IsNotFound(err) {
				left++
			}
		}
		if left == 0 || pause(ctx, tick) != nil {
			return
		}
	}
}

// remove removes what is left in Azure, and says what that does not remove.
func (s *smoke) remove(ctx context.Context) error {
	left, err := s.remains.Remove(ctx)
	for _, one := range left {
		s.say("Left: %s", one.ID)
	}
	if err != nil {
		s.say("This removes what the run has made:\n\n  %s\n", s.cleanupCommand())
	}
	return err
}

// conclude writes the table, and returns an error unless all went well.
func (s *smoke) conclude(interrupted bool) error {
	width, bad := len("step"), 0
	for _, r := range s.results {
		width = max(width, len(r.step))
		if r.outcome != passed {
			bad++
		}
	}
	lines := []string{"", fmt.Sprintf("%-*s  %8s  %s", width, "step", "seconds", "result")}
	for _, r := range s.results {
		lines = append(lines, fmt.Sprintf("%-*s  %8.1f  %s", width, r.step, r.took.Seconds(), r.outcome))
	}
	for _, line := range lines {
		s.log.Heading(line)
		s.say("%s", line)
	}
	s.say("\nThe log is %s. It has no ids, names or secrets.", s.logFile())
	switch {
	case interrupted:
		return errors.New("stopped")
	case bad > 0:
		return fmt.Errorf("%d of %d steps did not succeed", bad, len(s.results))
	}
	return nil
}
