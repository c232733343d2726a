package decide

import "time"

// Outcome says how a reconcile continues after a step. The zero value is that of [GoOn].
type Outcome struct {
	ends    bool
	at      time.Time
	because error
}

// GoOn is the outcome of a step that another step follows.
func GoOn() Outcome { return Outcome{} }

// GoOnUnless is [GoOn], or the outcome of [Stop] if there is an error.
func GoOnUnless(err error) Outcome {
	if err != nil {
		return Stop(err)
	}
	return GoOn()
}

// ComeBack ends a reconcile. The object is reconciled again at the given time.
func ComeBack(at time.Time) Outcome { return Outcome{ends: true, at: at} }

// Stop ends a reconcile. The object is reconciled again when something that it depends on changes, and at
// the next refresh. because is what its conditions say, or an error of the API server; if it is nil, there
// is nothing to say.
func Stop(because error) Outcome { return Outcome{ends: true, because: because} }

// Because returns the outcome with what the conditions say meanwhile.
func (o Outcome) Because(why error) Outcome {
	o.because = why
	return o
}

// NoLaterThan returns the outcome with the given time if it has none or a later one, unless the reconcile
// goes on.
func (o Outcome) NoLaterThan(at time.Time) Outcome {
	if o.ends && (o.at.IsZero() || at.Before(o.at)) {
		o.at = at
	}
	return o
}

// Ends reports whether the reconcile ends.
func (o Outcome) Ends() bool { return o.ends }

// At returns when the object is reconciled again. ok is false if no time is set.
func (o Outcome) At() (at time.Time, ok bool) { return o.at, !o.at.IsZero() }

// Cause returns what [Stop] or [Outcome.Because] was given.
func (o Outcome) Cause() error { return o.because }
