package reconcile

import (
	"sync"

	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/wiring"
)

// Rights reports which rights the operator lacks, once it was passed to [Setup] in the options.
type Rights struct {
	mutex   sync.Mutex
	kinds   *kinds.Set
	storage *wiring.StorageRights
}

// Missing returns a sentence about each kind that the cluster serves, and that the operator may
// not list, and about each namespace in which it may not write objects of a group. The sentence
// names the roles to apply or to bind. It also returns one about each kind whose lists fail for
// another reason.
func (r *Rights) Missing() (sentences []string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.kinds == nil {
		return nil
	}
	for _, k := range r.kinds.All {
		if k.Rights.IsRefused() {
			sentences = append(sentences, k.Forbidden())
		}
		if p := k.NotListed(); p != nil {
			sentences = append(sentences, p.Message)
		}
	}
	return append(sentences, r.storage.Sentences()...)
}

// connect sets the cluster whose rights are reported.
func (r *Rights) connect(cluster *wiring.Cluster) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.kinds, r.storage = cluster.Objects.Kinds, cluster.Storage
}
