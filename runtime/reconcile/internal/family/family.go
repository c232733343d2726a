// Package family coordinates the resources that one PUT can change: a resource with collections, and its children
// in them. [Families] gives turns, so that one resource of a family is written at a time. [Member] is one resource
// of a family during a reconcile.
//
// A PUT of a resource with collections deletes the children that it leaves out, and writes those that it lists,
// at its own API version. So it is sent with the children that ARM has, apart from those that its Spec listed
// before and lists no longer. Its API version may not know all that a child has, so what ARM shows of each child
// that has an object is compared before and after the PUT, and a child that the PUT has changed is sent again.
// What others changed in a child before the PUT stays: the operator cannot tell that from what it sent itself.
package family

import (
	"context"
	"crypto/sha256"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	armclient "github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/reconcile/internal/decide"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/policy"
	"github.com/armature-dev/armature/runtime/reconcile/internal/record"
)

// Families are the families of all resources.
type Families struct {
	// Deleted has the resources that this instance has deleted.
	Deleted Deleted

	objects *kinds.Objects
	keys    *record.Keys
	scheme  *runtime.Scheme
	policy  func(metav1.Object) policy.Policy
	wake    func(named.Object)
	now     func() time.Time
	turns   *turns
	damaged objectSet // children that a PUT of their parent has changed
}

// New returns the families of objects with records that are signed by keys. policy returns the policy of an object, and
// wake lets an object be reconciled.
func New(objects *kinds.Objects, keys *record.Keys, scheme *runtime.Scheme, policy func(metav1.Object) policy.Policy,
	wake func(named.Object), now func() time.Time) *Families {
	return &Families{objects: objects, keys: keys, scheme: scheme, policy: policy, wake: wake, now: now, turns: newTurns()}
}

// Host is what a member needs of the operator.
type Host interface {
	// DependOn notes that the member depends on another object.
	DependOn(named.Object)
	// Conceal removes secrets from every message about the member, and returns all secrets that are
	// removed.
	Conceal(secrets []string) armclient.Secrets
	// Read reads a resource from ARM for a decision about what to send. The answer is nil if ARM does not
	// have it, with the proof that the use takes.
	Read(ctx context.Context, request decide.Request, id, version string, use decide.Use) (*armclient.Answer, decide.Outcome)
	// Contradict notes that ARM has a resource that it does not show, and why that is known. It returns when to
	// ask again.
	Contradict(id, why string) decide.Outcome
	// AwaitRecord returns the problem of a member that waits until the operator has tried to have the
	// record of another object signed, or nil if it has.
	AwaitRecord(named.Object, kinds.Resource) error
	// WriteRecord writes the record of the member.
	WriteRecord(context.Context, *record.Record) error
	// Other returns what the operator knows of another object.
	Other(named.Object, *kinds.Kind, kinds.Resource) Other
}

// Other is what the operator knows of an object other than the member.
type Other interface {
	// ID returns the ARM id that its Spec gives, if the object known has the id knownID.
	ID(ctx context.Context, known named.Object, knownID string) (string, error)
	// Encode returns the body that a Spec of the object gives, and the secrets in the body.
	Encode(ctx context.Context, spec arm.ARMTransformer) (body []byte, secrets []string, err error)
	// DependsOn returns the objects that Encode has read.
	DependsOn() []named.Object
	// IsAccepted reports whether a record says that ARM has accepted what its Spec says now.
	IsAccepted(context.Context, *record.Record) (bool, error)
}

// Member is a resource of a family during a reconcile of its object.
type Member struct {
	*Families
	Host   Host
	Name   named.Object
	Kind   *kinds.Kind
	Object kinds.Resource
	// Record is the record of what was sent, nil if there is none.
	Record *record.Record
	// Request is the request that the Spec gives, and Complete reports whether its lists have all that ARM
	// is to have.
	Request  *arm.Request
	Complete bool
	Now      time.Time
	// Known is what is known of the object, and Memory what is known of its children.
	Known  *decide.Memory
	Memory *Memory
}

// Memory holds what this instance knows of the children of a resource. If it is lost, they are compared or
// sent again.
type Memory struct {
	// before is what ARM showed of the children before the last PUT, and damaged holds those that the PUT
	// has changed. damaged is nil if that is not known yet.
	before  snapshots
	damaged map[named.Object]bool
	// read has what was read of single children, until all of them have been: another attempt does not read them
	// again.
	read map[named.Object]reading
}

// reading is what ARM showed of a child when it was read.
type reading struct {
	at     time.Time
	exists bool
	digest [sha256.Size]byte
}

// readingKept is how long a reading is used.
const readingKept = 30 * time.Minute

// IsCompared reports whether the children were compared after the last PUT.
func (m *Memory) IsCompared() bool { return m.damaged != nil }

// writeRecord writes the record of the member.
func (m *Member) writeRecord(ctx context.Context, next *record.Record) error {
	err := m.Host.WriteRecord(ctx, next)
	if err == nil {
		m.Record = next
	}
	return err
}

// Written notes that ARM has accepted a PUT of a child, and reports whether a PUT of its parent had changed it.
func (f *Families) Written(child named.Object) bool { return f.damaged.remove(child) }

// Forget drops what is known of an object that is gone.
func (f *Families) Forget(object named.Object) {
	f.damaged.remove(object)
	f.EndTurn(object, time.Time{})
}

// ParentIndex is the index of objects by the ARM id of their resource's parent, or by their namespace if
// they have sent nothing that ARM may have.
const ParentIndex = annotation.Domain + "/parent"

// IndexParent returns the keys of an object for [ParentIndex].
func IndexParent(object client.Object) []string {
	if s := record.Of(object); s.MayExist() {
		return []string{arm.IDKey(ParentID(s.ID))}
	}
	return []string{unsentIn(object.GetNamespace())}
}

// unsentIn returns the key in [ParentIndex] of the objects of a namespace that have sent nothing that ARM may have.
func unsentIn(namespace string) string { return "unsent in " + namespace }

// ParentID returns the ARM id of the resource that a child belongs to.
func ParentID(id string) string {
	for range 2 {
		id = id[:max(strings.LastIndexByte(id, '/'), 0)]
	}
	return id
}

func lastSegment(id string) string { return id[strings.LastIndexByte(id, '/')+1:] }
