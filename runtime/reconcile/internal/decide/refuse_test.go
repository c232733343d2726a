package decide_test

import (
	"errors"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
)

// TestRefuse has what follows from a refusal, for each rule and each kind of request that it is about.
func TestRefuse(t *testing.T) {
	const (
		s, m = time.Second, time.Minute
		code = "AnotherOperationInProgress"
	)
	type refusal = decide.Refusal
	const (
		PUT, DELETE, GET, CHILD = decide.PutRequest, decide.DeleteRequest, decide.GetRequest, decide.ChildRequest
		POLL, POST, GONE, WRITE = decide.PollRequest, decide.PostRequest, decide.GoneRequest, decide.WriteRequest
	)
	at := decide.Moment{Now: now, UID: "uid", Refresh: time.Hour}
	untilRefresh := decide.Turn("uid", time.Hour, now).Sub(now)
	for _, row := range []struct {
		what    string
		request decide.Request
		refusal refusal
		// before is how many refusals there were, after how many there are.
		before, after int
		// wait is the least wait. With jitter it is up to a fifth longer.
		wait time.Duration
		say  decide.Say
	}{
		{"a PUT that ARM refuses is sent again after five seconds", PUT, refusal{}, 0, 1, 5 * s, decide.Waiting},
		{"then after ten", PUT, refusal{}, 1, 2, 10 * s, decide.Waiting},
		{"and after ten minutes at last", PUT, refusal{}, 30, 31, 10 * m, decide.Waiting},
		{"the same refusal after the longest wait lasts", PUT, refusal{Code: code}, 9, 10, 10 * m, decide.Lasting},
		{"but not the first one after that wait", PUT, refusal{Code: code}, 7, 8, 10 * m, decide.Waiting},
		{"nor another one", PUT, refusal{Code: "Other"}, 9, 10, 10 * m, decide.Waiting},
		{"nor that it came too soon", PUT, refusal{Kind: decide.Busy, Code: code}, 9, 10, 10 * m, decide.Waiting},
		{"nor that there was no answer", PUT, refusal{Kind: decide.NoAnswer, Code: code}, 9, 10, 10 * m, decide.Waiting},
		{"ARM may ask to wait longer", PUT, refusal{RetryAfter: m}, 0, 1, m, decide.Waiting},
		{"a PUT that is invalid waits for the refresh", PUT, refusal{Kind: decide.Invalid}, 2, 2, untilRefresh, decide.Stalled},
		{"one that may not be sent is tried again", PUT, refusal{Kind: decide.Unauthorized}, 0, 1, 5 * s, decide.Stalled},
		{"a limit of ARM does not count", PUT, refusal{Kind: decide.Throttled, RetryAfter: m}, 3, 3, m, decide.Waiting},
		{"nor does a PUT that was not sent", PUT, refusal{Kind: decide.NotSent}, 3, 3, 5 * s, decide.Nothing},

		{"a DELETE that ARM refuses", DELETE, refusal{}, 1, 2, 10 * s, decide.Waiting},
		{"a lock", DELETE, refusal{Code: code}, 9, 10, 10 * m, decide.Lasting},
		{"a limit does not count", DELETE, refusal{Kind: decide.Throttled, RetryAfter: m}, 3, 3, m, decide.Waiting},
		{"a DELETE that was not sent", DELETE, refusal{Kind: decide.NotSent}, 1, 2, 10 * s, decide.Nothing},
		{"a DELETE without an answer", DELETE, refusal{Kind: decide.NoAnswer, Code: code}, 9, 10, 10 * m, decide.Waiting},
		{"a DELETE after which the resource is there", DELETE, refusal{Kind: decide.StillThere}, 1, 2, 10 * s, decide.Waiting},
		{"an invalid one is repeated", DELETE, refusal{Kind: decide.Invalid}, 1, 2, 10 * s, decide.Stalled},

		{"a GET that ARM refuses", GET, refusal{}, 0, 1, 5 * s, decide.Waiting},
		{"is not said of what is ready", GET, refusal{Harmless: true}, 3, 4, 40 * s, decide.Nothing},
		{"before the fifth", GET, refusal{Harmless: true}, 4, 5, 80 * s, decide.Waiting},
		{"but at once if it may not be read", GET, refusal{Kind: decide.Unauthorized, Harmless: true}, 0, 1, 5 * s, decide.Stalled},
		{"or if something is not found", GET, refusal{Kind: decide.NotFound, Harmless: true}, 0, 1, 5 * s, decide.Waiting},
		{"a limit is not said", GET, refusal{Kind: decide.Throttled, RetryAfter: m}, 0, 1, m, decide.Nothing},
		{"what ARM is at work on, each minute", GET, refusal{Kind: decide.Unfinished, Age: m}, 9, 10, m, decide.Waiting},
		{"for an hour", GET, refusal{Kind: decide.Unfinished, Age: time.Hour}, 9, 10, 10 * m, decide.Waiting},

		{"a child that cannot be read", CHILD, refusal{Harmless: true}, 0, 1, 5 * s, decide.Waiting},
		{"but for a limit", CHILD, refusal{Kind: decide.Throttled}, 0, 1, 5 * s, decide.Nothing},

		{"an action that ARM refuses", POST, refusal{Harmless: true}, 0, 1, 5 * s, decide.Nothing},
		{"and goes on to", POST, refusal{Harmless: true}, 4, 5, 80 * s, decide.Waiting},

		{"a poll that ARM refuses", POLL, refusal{}, 1, 2, 10 * s, decide.Waiting},
		{"but for a limit, which does not count", POLL, refusal{Kind: decide.Throttled, RetryAfter: m}, 1, 1, m, decide.Nothing},
		{"a poll without a credential is tried each minute", POLL, refusal{Kind: decide.NoCredential}, 9, 10, m, decide.Waiting},

		{"a resource that is there after its DELETE", GONE, refusal{Kind: decide.StillThere}, 0, 1, 5 * s, decide.Waiting},
		{"is looked for each minute", GONE, refusal{Kind: decide.StillThere}, 9, 10, m, decide.Waiting},
		{"one that ARM may show yet, less and less often", GONE, refusal{Kind: decide.NotShown}, 9, 10, 10 * m, decide.Waiting},

		{"a write that the API server refuses", WRITE, refusal{}, 1, 2, 10 * s, decide.Stalled},
	} {
		t.Run(row.what, func(t *testing.T) {
			before := decide.Series{Count: row.before, Code: code}
			after, say := decide.Refuse(row.request, row.refusal, before, at)
			wantCode := code
			if row.after > row.before {
				wantCode = row.refusal.Code
			}
			if after.Count != row.after || after.Code != wantCode || say != row.say {
				t.Errorf("got %+v and %v, want the count %d, the code %q and %v", after, say, row.after, wantCode, row.say)
			}
			if wait := after.Next.Sub(now); wait < row.wait || wait > row.wait+row.wait/5 {
				t.Errorf("got a wait of %v, want %v", wait, row.wait)
			}
		})
	}
}

// TestHappened has which events end which series of refusals.
func TestHappened(t *testing.T) {
	requests := map[decide.Request]string{
		decide.PutRequest: "PUT", decide.DeleteRequest: "DELETE", decide.GetRequest: "GET", decide.GoneRequest: "gone",
		decide.ChildRequest: "child", decide.PollRequest: "poll", decide.PostRequest: "POST", decide.WriteRequest: "write",
	}
	for _, row := range []struct {
		event decide.Event
		ends  []decide.Request
	}{
		{decide.Accepted, []decide.Request{decide.PutRequest}},
		{decide.Edited, []decide.Request{decide.PutRequest}},
		{decide.Deleted, []decide.Request{decide.GoneRequest}},
		{decide.InVain, []decide.Request{decide.GoneRequest}},
		{decide.Answered, []decide.Request{decide.GetRequest}},
		{decide.ChildAnswered, []decide.Request{decide.ChildRequest}},
		{decide.Shown, []decide.Request{decide.GetRequest, decide.PostRequest}},
		{decide.Begun, []decide.Request{decide.PollRequest}},
		{decide.Written, []decide.Request{decide.WriteRequest}},
	} {
		m := decide.Memory{Refusals: map[decide.Request]decide.Series{}}
		for request := range requests {
			m.Refusals[request] = decide.Series{Count: 1}
		}
		m.Happened(row.event)
		want := map[decide.Request]int{}
		for _, request := range row.ends {
			want[request] = 1
		}
		for request, name := range requests {
			if got := 1 - m.Refusals[request].Count; got != want[request] {
				t.Errorf("event %d ends %d series of %s, want %d", row.event, got, name, want[request])
			}
		}
	}
}

// TestDelay has the delays after failures in a row, and their spread.
func TestDelay(t *testing.T) {
	plain := decide.Delay{Least: time.Second, Growth: 3, Most: 20 * time.Second}
	for failures, want := range map[int]time.Duration{
		0: time.Second, 1: time.Second, 2: 3 * time.Second, 3: 9 * time.Second, 4: 20 * time.Second, 1 << 40: 20 * time.Second,
	} {
		if got := plain.After(failures, "uid", now); got != want {
			t.Errorf("after %d failures: got %v, want %v", failures, got, want)
		}
	}
	if got := (decide.Delay{Least: time.Second}).After(9, "uid", now); got != time.Second {
		t.Errorf("without growth: got %v, want a second", got)
	}
	plain.Jitter = true
	delays := map[time.Duration]bool{}
	for _, uid := range []types.UID{"a", "b", "c", "d"} {
		d := plain.After(4, uid, now)
		if d < 20*time.Second || d > 24*time.Second || d != plain.After(4, uid, now) {
			t.Errorf("with jitter: got %v, want from 20 to 24 s, each time the same", d)
		}
		delays[d] = true
	}
	if len(delays) < 3 {
		t.Errorf("got %v for four objects, want them spread", delays)
	}
}

// TestOutcome has what the three outcomes say.
func TestOutcome(t *testing.T) {
	why := errors.New("why")
	for _, row := range []struct {
		what    string
		outcome decide.Outcome
		ends    bool
		at      time.Time
		because error
	}{
		{"the next step follows", decide.GoOn(), false, time.Time{}, nil},
		{"also if an operation is due", decide.GoOn().NoLaterThan(soon), false, time.Time{}, nil},
		{"a time", decide.ComeBack(soon), true, soon, nil},
		{"with a reason", decide.ComeBack(soon).Because(why), true, soon, why},
		{"an earlier time", decide.ComeBack(soon).NoLaterThan(now), true, now, nil},
		{"a later time changes nothing", decide.ComeBack(now).NoLaterThan(soon), true, now, nil},
		{"no time", decide.Stop(why), true, time.Time{}, why},
		{"no time and an operation", decide.Stop(nil).NoLaterThan(soon), true, soon, nil},
	} {
		at, ok := row.outcome.At()
		if row.outcome.Ends() != row.ends || !at.Equal(row.at) || ok == row.at.IsZero() || row.outcome.Cause() != row.because {
			t.Errorf("%s: got %+v", row.what, row.outcome)
		}
	}
}

// TestRefusalOf has the kind of refusal of each class of errors.
func TestRefusalOf(t *testing.T) {
	for class, want := range map[client.Class]decide.Kind{
		client.Retriable: decide.Refused, client.Invalid: decide.Invalid, client.Throttled: decide.Throttled,
		client.Unauthorized: decide.Unauthorized, client.NotFound: decide.NotFound, client.Unknown: decide.NoAnswer,
		client.Malformed: decide.Unreadable, client.NotSent: decide.NotSent,
	} {
		r := decide.RefusalOf(&client.Error{Class: class, Code: "code", RetryAfter: time.Second})
		if r != (decide.Refusal{Kind: want, Code: "code", RetryAfter: time.Second}) {
			t.Errorf("%v: got %+v", class, r)
		}
	}
	if r := decide.RefusalOf(&client.Error{Status: 429}); r.Kind != decide.Busy {
		t.Errorf("status 429: got %+v, want Busy", r)
	}
}
