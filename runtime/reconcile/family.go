package reconcile

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/family"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
	"github.com/armature-dev/armature/runtime/reference"
)

// member returns the resource of the request as a member of its families.
func (r *run) member() *family.Member {
	return &family.Member{
		Families: r.op.families, Host: host{r}, Name: r.name, Kind: r.kind, Object: r.object, Record: r.sent,
		Request: r.request, Complete: r.completeLists(), Now: r.now, Known: &r.memory.known, Memory: &r.memory.children,
	}
}

// completeLists reports whether the lists of the Spec are complete.
func (r *run) completeLists() bool { return r.operatorSpec.InlineChildren == reference.InlineComplete }

// compare notes whether the family has changed the resource since it was sent.
func (r *run) compare(ctx context.Context) (o decide.Outcome) {
	if r.found.Changed, o = r.member().Compare(ctx); !o.Ends() {
		r.found.Compared = true
	}
	return o
}

// host makes a run a [family.Host].
type host struct{ *run }

func (h host) DependOn(on ref) { h.resolver.dependOn(on) }

func (h host) Conceal(secrets []string) client.Secrets {
	h.resolver.secrets = append(h.resolver.secrets, secrets...)
	return client.NewSecrets(h.resolver.secrets...)
}

func (h host) Read(ctx context.Context, request decide.Request, id, version string, use decide.Use) (*client.Answer, decide.Outcome) {
	if h.found.Probed && request == decide.GetRequest && version == h.request.APIVersion && arm.SameID(id, h.request.ID) {
		return h.probed, decide.GoOn() // it was read a moment ago
	}
	return h.readFirst(ctx, request, id, version, use)
}

func (h host) Contradict(id, why string) decide.Outcome {
	h.noteExists(id)
	return decide.ComeBack(h.now.Add(decide.FirstRetry)).Because(&problem.Problem{Reason: ReasonNotVisible, Message: fmt.Sprintf(
		"ARM answers that it does not have %s, and %s: nothing is sent before it shows it", id, why)})
}

func (h host) AwaitRecord(of ref, other kinds.Resource) error {
	first, is := h.op.memories.isReconciled(of, other.GetUID())
	// The operator signs what it writes, so an object that is newer than this instance has never had a signed record.
	if isNew := first.Sub(other.GetCreationTimestamp().Time) < decide.Visible; is && (isNew || h.now.Sub(first) > awaitSigned) {
		return nil
	}
	return claiming{h.run}.awaitReconcile(of, other, h.request.ID)
}

// awaitSigned is how long after the start of an instance a parent waits for the records of its children.
const awaitSigned = 2 * time.Minute

func (h host) WriteRecord(ctx context.Context, next *record.Record) error {
	return h.writeRecord(ctx, next)
}

func (h host) Other(name ref, k *kinds.Kind, object kinds.Resource) family.Other {
	return &other{h.op.newResolver(name, object), k}
}

// other makes an object about which a member asks a [family.Other].
type other struct {
	*resolver
	kind *kinds.Kind
}

func (o *other) ID(ctx context.Context, known ref, knownID string) (string, error) {
	o.known, o.knownID = known, knownID
	return o.idBySpec(ctx)
}

func (o *other) Encode(ctx context.Context, spec arm.ARMTransformer) (body []byte, secrets []string, err error) {
	if err = o.lookUp(ctx, spec); err == nil {
		body, err = arm.Encode(ctx, spec, o.resolver)
	}
	return body, o.secrets, err
}

func (o *other) DependsOn() []ref { return slices.Collect(maps.Keys(o.dependsOn)) }

func (o *other) IsAccepted(ctx context.Context, sent *record.Record) (bool, error) {
	its := &run{op: o.op, kind: o.kind, name: o.of, object: o.object, resolver: o.op.newResolver(o.of, o.object)}
	request, err := resolution{its}.newRequest(ctx)
	if err != nil || sent == nil || sent.Phase != record.Accepted {
		return false, err
	}
	digest, _, known, err := its.digest(ctx, request, sent.Key)
	return known && digest == sent.Digest, err
}
