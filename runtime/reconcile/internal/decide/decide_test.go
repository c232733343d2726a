package decide_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/policy"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
)

const id, otherID = "/subscriptions/s/resourceGroups/g/providers/Contoso.Homes/houses/h", "/subscriptions/s/resourceGroups/other"

var (
	now   = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	soon  = now.Add(time.Minute)
	past  = now.Add(-time.Minute)
	cause = errors.New("a reason")
)

// change is something that a state has.
type change func(*decide.State)

// The states of an object, before and after it was sent.
var (
	// fresh has a Spec that can be sent, and of which ARM has nothing.
	fresh = all(held, resolved, free)
	// ready is done, and was read a moment ago.
	ready = all(fresh, accepted, same, isReady, readNow)
	// atWork has an operation that is not to be asked yet.
	atWork = all(fresh, sending, sentByThis, operation(soon))
	// gone is being deleted, and everything that a DELETE needs is known.
	gone = all(held, accepted, deleting, ownerStays, authorized, claimed)
)

func all(changes ...change) change {
	return func(s *decide.State) {
		for _, c := range changes {
			c(s)
		}
	}
}

func held(s *decide.State)         { s.Object.HasFinalizer = true }
func notHeld(s *decide.State)      { s.Object.HasFinalizer = false }
func deleting(s *decide.State)     { s.Object.Deleting = true }
func isReady(s *decide.State)      { s.Object.Ready = true }
func notReady(s *decide.State)     { s.Object.Ready = false }
func family(s *decide.State)       { s.Object.Family = true }
func resolved(s *decide.State)     { s.Found.Resolved, s.Found.ID, s.Found.Digest = true, id, "digest" }
func unresolved(s *decide.State)   { s.Found.Resolved, s.Found.Unresolved = true, cause }
func nothingFound(s *decide.State) { s.Found = decide.Findings{} }
func free(s *decide.State)         { s.Found.Free = true }
func notFree(s *decide.State)      { s.Found.Free = false }
func same(s *decide.State)         { s.Found.Same = true }
func edited(s *decide.State)       { s.Found.Same = false }
func orphan(s *decide.State)       { s.Found.Orphan = true }
func compared(s *decide.State)     { s.Found.Compared = true }
func changed(s *decide.State)      { s.Found.Compared, s.Found.Changed = true, true }
func absent(s *decide.State)       { s.Found.Absent = true }
func polled(s *decide.State)       { s.Found.Polled = true }
func ownerStays(s *decide.State)   { s.Found.OwnerChecked = true }
func ownerGoes(s *decide.State)    { s.Found.OwnerChecked, s.Found.OwnerDeleting = true, cause }
func authorized(s *decide.State)   { s.Found.Authorized = true }
func claimed(s *decide.State)      { s.Found.Claimed = true }
func notClaimed(s *decide.State)   { s.Found.Claimed = false }
func taken(s *decide.State)        { s.Found.Taken = "another" }
func meant(s *decide.State)        { s.Found.Meant = true }
func readNow(s *decide.State)      { s.Memory.Read = now }
func readLong(s *decide.State)     { s.Memory.Read = now.Add(-3 * time.Hour) }
func sentByThis(s *decide.State)   { s.Memory.Sent = true }
func deleted(s *decide.State)      { s.Memory.Deletion.Done = past }

func accepted(s *decide.State) {
	s.Confirmed, s.Record = true, &record.Record{Phase: record.Accepted, ID: id, Exists: true}
}
func sending(s *decide.State) { accepted(s); s.Record.Phase = record.Sending }
func refused(s *decide.State) {
	accepted(s)
	s.Record.Phase, s.Record.Exists = record.Refused, false
}
func done(s *decide.State)     { accepted(s); s.Record.Phase = record.Done }
func forged(s *decide.State)   { s.Confirmed = false }
func ofOther(s *decide.State)  { s.Record.ID = otherID }
func previous(s *decide.State) { s.Record.Previous = "secret" }

// policyOf returns the policy of an object with two annotations.
func policyOf(adopt, deletion string) policy.Policy {
	annotations := map[string]string{annotation.Adopt: adopt, annotation.Deletion: deletion}
	return policy.Of(&metav1.ObjectMeta{Annotations: annotations}, nil, policy.Defaults{})
}

func says(adopt, deletion string) change {
	return func(s *decide.State) { s.Object.Policy = policyOf(adopt, deletion) }
}

func operation(due time.Time) change {
	return func(s *decide.State) {
		s.Memory.Operation = decide.Operation{Current: new(client.Operation), Due: due, Pending: &record.Record{}}
		s.Found.Pending = true
	}
}
func postponed(request decide.Request) change {
	return func(s *decide.State) { s.Memory.Postpone(request, soon) }
}
func sentEarlier(s *decide.State) { s.Record.Time = past }
func verified(s *decide.State)    { s.Found.Verified = true }
func settled(s *decide.State)     { s.Found.Settled = true }
func probed(s *decide.State)      { s.Found.Probed = true }
func inDoubt(s *decide.State) {
	refused(s)
	s.Record.Maybe = past
}
func forADay(s *decide.State)          { s.Record.Maybe = now.Add(-25 * time.Hour) }
func otherThanPending(s *decide.State) { s.Found.Pending = false }

func tried(digest string, next time.Time) change {
	return func(s *decide.State) {
		s.Memory.Put = decide.Attempt{Digest: digest, Refusal: cause}
		s.Memory.Refusals = map[decide.Request]decide.Series{decide.PutRequest: {Count: 1, Next: next}}
	}
}

// rest waits for a change or the next refresh.
var rest = decide.Wait{Outcome: decide.Stop(nil)}

func waitUntil(at time.Time) decide.Wait { return decide.Wait{Outcome: decide.ComeBack(at)} }

func tell(why decide.Why, cause error) decide.Tell {
	return decide.Tell{Why: why, Cause: cause, Outcome: decide.Stop(nil)}
}

func tellUntil(at time.Time, why decide.Why, cause error) decide.Tell {
	return decide.Tell{Why: why, Cause: cause, Outcome: decide.ComeBack(at)}
}

func newState() decide.State {
	return decide.State{
		Now:    now,
		Times:  decide.Times{Refresh: time.Hour, Request: 90 * time.Second},
		Object: decide.Object{UID: "uid", Policy: policyOf("", "")},
		Memory: decide.Memory{First: past, Wrote: past, Read: past},
	}
}

// TestNext has what is done next about an object, in the order in which it comes.
func TestNext(t *testing.T) {
	for _, row := range []struct {
		what string
		has  change
		want decide.Action
	}{
		// An object that is not in ARM.
		{"a new object is resolved", all(), decide.Resolve{}},
		{"a Spec that is no request says so", all(unresolved), tell(decide.SpecInvalid, cause)},
		{"before it is sent, who else has it is looked for", all(fresh, notFree), decide.CheckFree{}},
		{"then it is read, as ARM may have it from somebody else", all(fresh), decide.Probe{}},
		{"and sent", all(fresh, probed), decide.Put{}},
		{"what was refused is not repeated yet", all(fresh, refused, tried("digest", soon)),
			tellUntil(soon, decide.PutRefused, cause)},
		{"but when it is time", all(fresh, refused, tried("digest", past), probed), decide.Put{}},
		{"or when the Spec has changed", all(fresh, refused, tried("other", soon), probed), decide.Put{}},
		{"what ARM has perhaps taken is sent again", all(fresh, inDoubt, probed), decide.Put{}},
		{"and after a day read before that", all(fresh, inDoubt, forADay), decide.Settle{}},
		{"once in a reconcile", all(fresh, inDoubt, forADay, settled, probed), decide.Put{}},
		{"but not while it waits", all(fresh, inDoubt, forADay, tried("digest", soon)),
			tellUntil(soon, decide.PutRefused, cause)},
		{"a policy that is none is told", all(says("", "mange")), tell(decide.PolicyInvalid, nil)},
		{"who only looks sends nothing", all(fresh, says(annotation.AdoptObserve, "")), decide.Observe{}},

		// An object that ARM has.
		{"a finalizer that was taken away comes back", all(ready, notHeld), decide.AddFinalizer{}},
		{"what is ready and was read is left alone", all(ready), decide.Deliver{}},
		{"when it is time, it is read", all(ready, readLong), decide.Read{}},
		{"what is not ready is read", all(ready, notReady), decide.Read{}},
		{"but not sooner than it should", all(ready, notReady, postponed(decide.GetRequest)), waitUntil(soon)},
		{"a change is sent", all(ready, edited), decide.Put{}},
		{"what is gone is sent", all(ready, readLong, absent), decide.Put{Absent: true}},
		{"a Spec that means another id is refused", all(ready, ofOther), tell(decide.IDChanged, nil)},
		{"a record that is not the operator's own is sent once more", all(ready, forged, probed), decide.Put{}},
		{"also if another credential was used before", all(ready, forged, previous, probed), decide.Put{}},
		{"but not one of another id", all(ready, forged, ofOther), tell(decide.IDUnconfirmed, nil)},
		{"the credential of before is let go", all(ready, previous), decide.ReleaseCredential{}},
		{"a reference to the owner that is missing is set, though nothing is sent", all(ready, orphan), decide.SetOwner{}},
		{"who has a family looks at it", all(ready, family), decide.Compare{}},
		{"and is left alone if nothing has changed", all(ready, family, compared), decide.Deliver{}},
		{"or sent again", all(ready, family, changed), decide.Put{}},
		{"a family does not keep what is gone from being sent", all(ready, family, absent), decide.Put{Absent: true}},
		{"what somebody else has changed is corrected", all(ready, func(s *decide.State) { s.Found.Drifted = true }),
			decide.Put{Correct: true}},

		// An object that ARM is at work on.
		{"an operation is waited for", all(atWork), waitUntil(soon)},
		{"and asked for when it is time", all(atWork, operation(past)), decide.Poll{}},
		{"once in a reconcile", all(atWork, operation(past), polled), waitUntil(past)},
		{"a change does not wait for it", all(atWork, otherThanPending, edited), decide.Put{}},
		{"a Spec that is broken meanwhile does not end it, and is told", all(atWork, unresolved),
			tell(decide.SpecInvalid, cause)},
		{"what another instance was sending is sent at once", all(fresh, sending, same), decide.Put{}},
		{"but not with another content", all(fresh, sending, edited),
			tellUntil(past.Add(90*time.Second), decide.OtherInstance, nil)},
		{"unless it was this one", all(fresh, sending, edited, sentByThis), decide.Put{}},

		// An object that is being deleted.
		{"without a finalizer there is nothing to do", all(accepted, deleting), rest},
		{"what was never sent goes", all(held, deleting), decide.Detach{}},
		{"and what ARM has refused", all(held, refused, deleting), decide.Detach{}},
		{"a policy leaves the resource", all(gone, says("", annotation.DeletionDetach)),
			decide.Detach{Why: "as the annotation armature.dev/deletion says, or because it was there before the object"}},
		{"a policy that is none deletes nothing", all(gone, says("", "mange")), tell(decide.PolicyInvalid, nil)},
		{"what is done is finished", all(gone, done), decide.Finish{}},
		{"the owner comes first", all(gone, nothingFound), decide.CheckOwner{}},
		{"who goes with its owner waits", all(gone, ownerGoes), tell(decide.OwnerDeletes, cause)},
		{"without looking for a credential if its record is not the operator's own",
			all(gone, nothingFound, forged, ownerGoes), tell(decide.OwnerDeletes, cause)},
		{"then the credential", all(gone, nothingFound, ownerStays), decide.Authorize{}},
		{"a record that is not the operator's own deletes nothing that the Spec does not mean", all(gone, forged), decide.ConfirmRecord{}},
		{"nor what another object has", all(gone, forged, taken), decide.Detach{Why: "another"}},
		{"nor before it is asked who has it", all(gone, forged, notClaimed), decide.Claim{}},
		{"but what the Spec means, once it was read", all(gone, forged, meant), decide.Verify{}},
		{"and then is deleted", all(gone, forged, meant, verified), decide.Delete{}},
		{"then who has the id", all(gone, nothingFound, ownerStays, authorized), decide.Claim{}},
		{"what another object has stays", all(gone, func(s *decide.State) { s.Found.Taken = "h" }), decide.Detach{Why: "h"}},
		{"an operation is waited for before a DELETE", all(gone, operation(soon)), waitUntil(soon)},
		{"and asked for", all(gone, operation(past)), decide.Poll{}},
		{"what another instance was sending is waited for", all(gone, sending),
			tellUntil(past.Add(90*time.Second), decide.OtherInstance, nil)},
		{"then it is deleted", all(gone), decide.Delete{}},
		{"what another instance has sent is read before, as its record may be an old one", all(gone, sentEarlier), decide.Verify{}},
		{"what ARM has perhaps taken, too", all(gone, inDoubt), decide.Verify{}},
		{"and then deleted", all(gone, sentEarlier, verified), decide.Delete{}},
		{"but not if ARM has created it later", all(gone, sentEarlier, verified, taken), decide.Detach{Why: "another"}},
		{"but not sooner than it should", all(gone, postponed(decide.DeleteRequest)), waitUntil(soon)},
		{"a PUT that was refused does not hold the deletion up", all(gone, tried("digest", soon)), decide.Delete{}},
		{"and looked for until it is gone", all(gone, deleted), decide.CheckGone{}},
	} {
		t.Run(row.what, func(t *testing.T) {
			s := newState()
			row.has(&s)
			if got := decide.Next(s); !reflect.DeepEqual(got, row.want) {
				t.Errorf("got %#v, want %#v", got, row.want)
			}
		})
	}
}

// TestLaws makes many states at random, and checks what is true of every decision.
func TestLaws(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0))
	flag := func() bool { return random.IntN(2) == 0 }
	policies := []policy.Policy{policyOf("", ""), policyOf("exact", "delete"), policyOf("", "detach"), policyOf("", "protect"),
		policyOf("observe", ""), policyOf("", "mange")}
	phases := []record.Phase{record.Sending, record.Refused, record.Accepted, record.Done}
	changes := []change{
		resolved, resolved, free, free, same, orphan, compared, changed, absent, polled, ownerStays, ownerGoes, authorized, claimed,
		sentByThis, deleted, tried("digest", soon), operation(soon), operation(past), otherThanPending, unresolved,
		readLong, isReady, family, meant, verified, settled, probed,
	}
	decisions := map[string]int{}
	for range 200_000 {
		s := newState()
		s.Object.Policy = policies[random.IntN(len(policies))]
		s.Object.Deleting, s.Object.HasFinalizer = flag(), random.IntN(8) > 0
		if flag() {
			s.Record = &record.Record{Phase: phases[random.IntN(4)], ID: id, Exists: flag()}
			if flag() {
				s.Record.Maybe = now.Add(-time.Duration(random.IntN(48)) * time.Hour)
			}
			if s.Confirmed = flag(); random.IntN(8) == 0 {
				s.Record.ID = otherID
			} else if random.IntN(4) == 0 {
				s.Record.Previous = "secret"
			}
		}
		for _, c := range changes {
			if flag() {
				c(&s)
			}
		}
		action := decide.Next(s)
		decisions[fmt.Sprintf("%T", action)]++
		writes := false
		switch action := action.(type) {
		case decide.Put:
			writes = true
			if s.Object.Deleting || s.Object.Policy.Observes() {
				t.Errorf("%+v is sent", s.Object)
			}
			if !s.Found.Free || s.Found.Unresolved != nil {
				t.Errorf("it is sent with %+v", s.Found)
			}
			if s.Record.MayExist() && s.Record.ID != s.Found.ID {
				t.Errorf("it is sent with the record %+v, confirmed %v", s.Record, s.Confirmed)
			}
			done := s.Confirmed && s.Record != nil && s.Record.Phase == record.Accepted && s.Found.Same
			if done && !s.Found.Changed && !action.Absent && !action.Correct {
				t.Error("it is sent though ARM has it")
			}
		case decide.Delete:
			writes = true
			if !s.Object.Deleting || !s.Object.Policy.Deletes() || !(s.Confirmed || s.Found.Meant) ||
				!s.Record.MayExist() || !s.Found.Claimed || s.Found.Taken != "" || s.Found.OwnerDeleting != nil {
				t.Errorf("it is deleted with %+v, the record %+v and %+v", s.Object, s.Record, s.Found)
			}
		case decide.Finish:
			if s.Record == nil || s.Record.Phase != record.Done {
				t.Errorf("it is let go with the record %+v", s.Record)
			}
		case decide.Detach:
			if s.Object.Policy.Deletes() && s.Record.MayExist() && s.Found.Taken == "" {
				t.Errorf("what ARM has is left there: %+v", s.Record)
			}
		}
		if writes && s.Now.Before(s.Arrival()) && !s.Found.Same {
			t.Error("it does not wait for what another instance has sent")
		}
		if again := decide.Next(s); !reflect.DeepEqual(again, action) {
			t.Errorf("got %#v and then %#v of the same", action, again)
		}
		if t.Failed() {
			t.Fatalf("%#v of %+v", action, s)
		}
	}
	if len(decisions) != 24 {
		t.Errorf("got %v, want all 24 actions", decisions)
	}
}
