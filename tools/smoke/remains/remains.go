// Package remains removes what a run has made in Azure, and nothing else: everything that a run
// makes has a tag with the run's suffix, and what does not have it stays. Its main type is [Remains].
package remains

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/armature-dev/armature/runtime/arm/client"
)

// Tags of what a run makes.
const (
	// Tag has the suffix of the run.
	Tag = "armature-smoke"
	// ExpiryTag says after which time nobody needs it any more.
	ExpiryTag = "armature-smoke-expires"
)

// Resource is what a run makes, with an API version to read and delete it.
type Resource struct{ ID, APIVersion string }

// Remains are the resources of a run that contain all others.
type Remains struct {
	Client    *client.Client
	Suffix    string
	Resources []Resource
	// Pause is how long to wait between two looks at a resource.
	Pause time.Duration
}

// errAbsent is the error of a resource that does not exist.
var errAbsent = errors.New("it is not there")

// CheckFree returns an error if one of the resources exists already.
func (r *Remains) CheckFree(ctx context.Context) error {
	for _, one := range r.Resources {
		_, err := r.look(ctx, one)
		switch {
		case err == nil:
			return fmt.Errorf("%s exists already, and is not touched", one.ID)
		case !errors.Is(err, errAbsent):
			return fmt.Errorf("%s: %w", one.ID, err)
		}
	}
	return nil
}

// Remove deletes the resources that have the tag of the run, and waits until they are gone. It
// returns those that are left, or may be, with the reasons.
func (r *Remains) Remove(ctx context.Context) (left []Resource, err error) {
	var errs []error
	for _, one := range r.Resources {
		if err := r.remove(ctx, one); err != nil {
			left = append(left, one)
			errs = append(errs, fmt.Errorf("%s: %w", one.ID, err))
		}
	}
	return left, errors.Join(errs...)
}

// patience is after how many looks at a resource that is still there its deletion is asked for again,
// as the operation may have failed.
const patience = 20

// remove deletes a resource, and asks for it again until it is gone.
func (r *Remains) remove(ctx context.Context, one Resource) error {
	var refused error // the last refusal
	for looks := 0; ; {
		tags, err := r.look(ctx, one)
		if errors.Is(err, errAbsent) {
			return nil
		}
		if err != nil {
			return errors.Join(err, refused)
		}
		if tags[Tag] != r.Suffix {
			return fmt.Errorf("it has no tag %s=%s, so this run has not made it, and it is not touched", Tag, r.Suffix)
		}
		err = nil
		if looks%patience == 0 {
			_, err = r.Client.Delete(ctx, client.Request{ID: one.ID, APIVersion: one.APIVersion})
		}
		e, isRefused := client.AsError(err)
		switch {
		case !isRefused || e.Gone():
			looks++
		case !mayPass(err):
			return err
		case ctx.Err() == nil:
			refused = err
		}
		if err := r.wait(ctx, err); err != nil {
			return errors.Join(err, refused)
		}
	}
}

// look returns the tags of a resource. What ARM may answer later is asked again.
func (r *Remains) look(ctx context.Context, one Resource) (tags map[string]string, err error) {
	for {
		answer, err := r.Client.Get(ctx, client.Request{ID: one.ID, APIVersion: one.APIVersion})
		if err == nil {
			var body struct{ Tags map[string]string }
			err = json.Unmarshal(answer.Body, &body)
			return body.Tags, err
		}
		if e, ok := client.AsError(err); ok && e.Gone() {
			return nil, errAbsent
		}
		if !mayPass(err) {
			return nil, err
		}
		if waitErr := r.wait(ctx, err); waitErr != nil {
			return nil, errors.Join(waitErr, err)
		}
	}
}

// mayPass reports whether ARM may answer later what it refused by an error.
func mayPass(err error) bool {
	e, ok := client.AsError(err)
	return ok && (e.Class == client.Throttled || e.Class == client.Unknown || e.IsBusy() ||
		e.Status == http.StatusConflict || e.Status >= 500)
}

// wait waits before the next look, at least as long as an error asks for.
func (r *Remains) wait(ctx context.Context, err error) error {
	pause := r.Pause
	if e, ok := client.AsError(err); ok {
		pause = max(pause, e.RetryAfter)
	}
	select {
	case <-time.After(pause):
		return nil
	case <-ctx.Done():
		return fmt.Errorf("it is still there, or ARM does not say: %w", ctx.Err())
	}
}
