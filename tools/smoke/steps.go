package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/util/retry"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/tools/smoke/record"
)

// step is a part of a run.
type step struct {
	name    string
	longest time.Duration
	do      func(context.Context) error
}

// failure is an error whose cause can be shown to others.
type failure struct {
	cause string // made of codes and names of properties
	err   error  // with names and ARM's message
}

func (f *failure) Error() string { return f.err.Error() }

func (f *failure) Unwrap() error { return f.err }

func fail(cause, format string, arguments ...any) error {
	return &failure{cause, fmt.Errorf(format, arguments...)}
}

// causeOf returns what of an error can be shown to others.
func causeOf(err error) string {
	var f *failure
	if errors.As(err, &f) {
		return f.cause
	}
	if e, ok := client.AsError(err); ok {
		return record.Code(e.Code)
	}
	if reason := apierrors.ReasonForError(err); reason != metav1.StatusReasonUnknown {
		return string(reason)
	}
	return "see the terminal"
}

// steps takes steps until one fails, if good, and reports whether all have succeeded.
func (s *smoke) steps(ctx context.Context, good bool, all []step) bool {
	for _, one := range all {
		if !good || ctx.Err() != nil {
			good = false
			s.note(result{one.name, notRun, 0})
			continue
		}
		good = s.step(ctx, one.name, one.longest, one.do)
	}
	return good
}

func (s *smoke) note(r result) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.results = append(s.results, r)
}

// step takes a step, which has some time, and reports whether it has succeeded.
func (s *smoke) step(ctx context.Context, name string, longest time.Duration, do func(context.Context) error) bool {
	s.say("%s …", name)
	s.log.Print("%s begins", name)
	begin := time.Now()
	within, cancel := context.WithTimeout(ctx, min(longest, s.longest))
	defer cancel()
	stop := s.remind(name, begin)
	err := guard(within, do)
	stop()
	r := result{name, passed, time.Since(begin)}
	switch {
	case err != nil && ctx.Err() != nil:
		r.outcome = stopped
	case err != nil:
		r.outcome = failed + ": " + causeOf(err)
		s.say("%s failed: %v", name, err)
	}
	s.note(r)
	s.say("%s: %s, %.1f s", name, r.outcome, r.took.Seconds())
	s.log.Print("%s: %s", name, r.outcome)
	return err == nil
}

// reminder is how often a step that goes on is said to.
const reminder = time.Minute

// remind says from time to time that a step goes on, until the function that it returns is called.
func (s *smoke) remind(name string, begin time.Time) (stop func()) {
	done := make(chan struct{})
	go func() {
		ticker := time.NewTicker(reminder)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				s.say("%s goes on, %.0f s", name, time.Since(begin).Seconds())
			case <-done:
				return
			}
		}
	}()
	return func() { close(done) }
}

// guard calls do, and makes an error of a panic.
func guard(ctx context.Context, do func(context.Context) error) (err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fail("panic", "panic: %v\n%s", problem, debug.Stack())
		}
	}()
	return do(ctx)
}

// pause waits, and returns an error if the context ends.
func pause(ctx context.Context, wait time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(wait):
		return nil
	}
}

// objects returns a client of the objects of a subject's kind at a version.
func (s *smoke) objects(one *subject, version string) dynamic.ResourceInterface {
	return s.stage.Client.Resource(one.resource.WithVersion(version)).Namespace(namespace)
}

// create makes a resource at the newest version.
func (s *smoke) create(one *subject) step {
	return step{one.name + ": create", one.create, func(ctx context.Context) error {
		object := &unstructured.Unstructured{Object: map[string]any{"spec": one.spec}}
		object.SetAPIVersion(one.resource.WithVersion(one.newest).GroupVersion().String())
		object.SetKind(one.kind)
		object.SetName(one.object)
		created, err := s.objects(one, one.newest).Create(ctx, object, metav1.CreateOptions{})
		if err != nil {
			return err
		}
		return s.ready(ctx, one, created.GetGeneration())
	}}
}

// waits has the reasons of objects that wait for ARM or for others.
var waits = map[string]bool{
	"": true, "InProgress": true, "Deleting": true, "NotVisibleYet": true, "Throttled": true, "WaitingForOwner": true,
	"WaitingForReference": true, "NoAnswer": true, "NotSent": true, "OutputMissing": true,
}

// refusalsTime is how long an object may be refused in the same way, as rights take some time in Azure.
const refusalsTime = 5 * time.Minute

// ready waits until the operator says that ARM has what the Spec says since a generation.
func (s *smoke) ready(ctx context.Context, one *subject, generation int64) error {
	var last metav1.Condition
	since := time.Now()
	for {
		object, err := s.objects(one, one.newest).Get(ctx, one.object, metav1.GetOptions{})
		if err != nil && ctx.Err() == nil {
			return err
		}
		if err == nil {
			is := conditionsOf(object)
			now := is["Ready"]
			if now.Reason != last.Reason || now.Status != last.Status {
				since = time.Now()
				s.log.Print("%s: Ready is %s, %s", one.name, now.Status, record.Code(now.Reason))
			}
			last = now
			if last.Status == metav1.ConditionTrue && last.ObservedGeneration >= generation {
				return nil
			}
			stalled := is["Stalled"]
			isStalled := stalled.Status == metav1.ConditionTrue && stalled.ObservedGeneration >= generation
			isRefused := last.Status == metav1.ConditionFalse && !waits[last.Reason] &&
				time.Since(since) > min(refusalsTime, s.longest/4)
			if isStalled || isRefused {
				return fail(record.Code(last.Reason), "%s: %s", last.Reason, last.Message)
			}
		}
		if pause(ctx, tick) != nil {
			return fail("not ready in time, "+record.Code(last.Reason), "it is not ready in time: %s: %s", last.Reason, last.Message)
		}
	}
}

// conditionsOf returns the conditions of an object by type.
func conditionsOf(object *unstructured.Unstructured) map[string]metav1.Condition {
	var status struct {
		Status struct{ Conditions []metav1.Condition }
	}
	all := map[string]metav1.Condition{}
	text, err := object.MarshalJSON()
	if err != nil || json.Unmarshal(text, &status) != nil {
		return all
	}
	for _, c := range status.Status.Conditions {
		all[c.Type] = c
	}
	return all
}

// read reads an object at both versions.
func (s *smoke) read(one *subject) step {
	return step{one.name + ": read at both versions", 5 * time.Minute, func(ctx context.Context) error {
		newest, err := s.objects(one, one.newest).Get(ctx, one.object, metav1.GetOptions{})
		if err != nil {
			return err
		}
		oldest, err := s.objects(one, one.oldest).Get(ctx, one.object, metav1.GetOptions{})
		if err != nil {
			return err
		}
		got := leavesOf(newest.Object["spec"])
		for path, want := range leavesOf(one.spec) {
			if !reflect.DeepEqual(got[path], want) {
				return fail("spec."+path, "spec.%s is not what was written", path)
			}
		}
		id, _, _ := unstructured.NestedString(newest.Object, "status", "id")
		if !strings.EqualFold(id, one.id) {
			return fail("status.id", "status.id: found %q, expected %q", id, one.id)
		}
		old, _, _ := unstructured.NestedFieldNoCopy(oldest.Object, append([]string{"spec"}, one.at...)...)
		if new, found, _ := unstructured.NestedFieldNoCopy(newest.Object, append([]string{"spec"}, one.at...)...); found &&
			!equality.Semantic.DeepEqual(old, new) {
			return fail("spec."+strings.Join(one.at, "."), "%s shows spec.%s as %v, and %s as %v", one.oldest, strings.Join(one.at, "."),
				old, one.newest, new)
		}
		if oldest.GetAnnotations()[annotation.Remainder] == "" {
			return fail("no remainder", "the version %s holds all of the object, so an edit at it shows nothing", one.oldest)
		}
		return nil
	}}
}

// leavesOf returns the leaves of a value of Kubernetes' as those of its JSON.
func leavesOf(value any) map[string]any {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // it was JSON before
	}
	return record.Leaves(text)
}

// outputs checks that a Secret has what ARM answers to the action that lists keys.
func (s *smoke) outputs(one *subject) step {
	return step{one.name + ": keys in a Secret", 5 * time.Minute, func(ctx context.Context) error {
		found, err := s.stage.Client.Resource(corev1.SchemeGroupVersion.WithResource("secrets")).Namespace(namespace).
			Get(ctx, one.secret, metav1.GetOptions{})
		if err != nil {
			return err
		}
		data, _, _ := unstructured.NestedStringMap(found.Object, "data")
		for _, key := range one.keys {
			if data[key] == "" {
				return fail("no "+key, "the Secret has no %s", key)
			}
		}
		return nil
	}}
}

// edit changes a property at the oldest version, and checks that ARM has the change, and still all
// else that was sent.
func (s *smoke) edit(one *subject) step {
	return step{one.name + ": edit at the older version", one.edit, func(ctx context.Context) error {
		sent, before, err := s.has(ctx, one)
		if err != nil {
			return err
		}
		var edited *unstructured.Unstructured
		err = retry.RetryOnConflict(retry.DefaultBackoff, func() error {
			object, err := s.objects(one, one.oldest).Get(ctx, one.object, metav1.GetOptions{})
			if err != nil {
				return err
			}
			if err := unstructured.SetNestedField(object.Object, one.value, append([]string{"spec"}, one.at...)...); err != nil {
				return err
			}
			edited, err = s.objects(one, one.oldest).Update(ctx, object, metav1.UpdateOptions{})
			return err
		})
		if err != nil {
			return err
		}
		if err := s.ready(ctx, one, edited.GetGeneration()); err != nil {
			return err
		}
		sentAgain, after, err := s.has(ctx, one)
		if err != nil {
			return err
		}
		if got := fmt.Sprint(after[one.armLeaf]); got != one.want {
			return fail("not changed: "+one.armLeaf, "%s: ARM has %s, expected %s", one.armLeaf, got, one.want)
		}
		return lost(one, sent, sentAgain, before, after)
	}}
}

// has returns the leaves of what the operator has sent of a resource last, and of what ARM has.
func (s *smoke) has(ctx context.Context, one *subject) (sent, now map[string]any, err error) {
	answer, err := s.arm.Get(ctx, client.Request{ID: one.id, APIVersion: armVersion(one.newest)})
	if err != nil {
		return nil, nil, err
	}
	return record.Leaves(s.azure.recorder.Sent(one.id)), record.Leaves(answer.Body), nil
}

// lost returns an error if an edit has changed what it does not concern: in what is sent, or in what
// ARM shows.
func lost(one *subject, sent, sentAgain, before, after map[string]any) error {
	var lost []string
	for path := range sent {
		if strings.HasPrefix(path, one.armAt) {
			continue
		}
		if !reflect.DeepEqual(sent[path], sentAgain[path]) || !reflect.DeepEqual(before[path], after[path]) {
			lost = append(lost, path)
		}
	}
	if len(lost) > 0 {
		slices.Sort(lost)
		return fail("lost: "+strings.Join(lost, ", "), "the edit has changed %s too", strings.Join(lost, ", "))
	}
	return nil
}

// rest checks that the operator goes on asking how a resource is, and sends nothing.
func (s *smoke) rest(one *subject) step {
	return step{one.name + ": refresh without a PUT", 5*time.Minute + 4*s.refresh, func(ctx context.Context) error {
		count := func(method string) int { return s.azure.recorder.Count(operatorName, method, one.id) }
		reads, writes := count(http.MethodGet), count(http.MethodPut)
		for count(http.MethodGet) < reads+2 {
			if pause(ctx, tick) != nil {
				return fail("no refresh", "the operator has not asked ARM again")
			}
		}
		if more := count(http.MethodPut) - writes; more > 0 {
			return fail(fmt.Sprintf("%d PUTs", more), "the operator has sent %d PUTs although nothing has changed", more)
		}
		object, err := s.objects(one, one.newest).Get(ctx, one.object, metav1.GetOptions{})
		if err != nil {
			return err
		}
		return s.ready(ctx, one, object.GetGeneration())
	}}
}

// delete deletes an object, and checks that ARM has its resource no longer.
func (s *smoke) delete(one *subject) step {
	return step{one.name + ": delete", one.remove, func(ctx context.Context) error {
		if err := s.objects(one, one.newest).Delete(ctx, one.object, metav1.DeleteOptions{}); err != nil {
			return err
		}
		for {
			object, err := s.objects(one, one.newest).Get(ctx, one.object, metav1.GetOptions{})
			if apierrors.IsNotFound(err) {
				break
			}
			if err != nil && ctx.Err() == nil {
				return err
			}
			if pause(ctx, tick) != nil {
				r := conditionsOf(object)["Ready"]
				return fail("not deleted in time, "+record.Code(r.Reason), "it is not deleted in time: %s: %s", r.Reason, r.Message)
			}
		}
		_, err := s.arm.Get(ctx, client.Request{ID: one.id, APIVersion: armVersion(one.newest)})
		if e, ok := client.AsError(err); ok && e.Gone() {
			return nil
		}
		if err != nil {
			return err
		}
		return fail("still in ARM", "the object is gone, and ARM still has %s", one.id)
	}}
}
