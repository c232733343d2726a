package rehearsal

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"sync"

	jsonpatch "github.com/evanphx/json-patch/v5"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/wiring"
)

// store has the objects of a cluster as they would be. It is a [client.Client] with the verbs that the operator uses,
// and behaves as an API server does: it gives out uids and resource versions, refuses writes that come too late, and
// keeps what has finalizers. Objects that are of no generated kind are read from the cluster when they are asked for.
type store struct {
	client.Client // nil: the operator calls no other verb
	scheme        *runtime.Scheme
	live          client.Reader
	now           func() metav1.Time
	// changed is called after each change. before or after is nil for an object that is new or gone.
	changed func(of named.Object, before, after client.Object)

	// mutex guards what is looked for in the cluster, by several requests at the same time before the operator works.
	// Nothing else happens then.
	mutex   sync.Mutex
	objects map[named.Object]client.Object
	indexed map[indexed]map[named.Object]bool
	owned   map[types.UID]map[named.Object]bool
	// asked has what was looked for in the cluster, and refused why it was not shown.
	asked   map[named.Object]bool
	refused map[named.Object]error
	version int
}

// indexed is a key of an index.
type indexed struct {
	kind       schema.GroupKind
	index, key string
}

func newStore(scheme *runtime.Scheme, live client.Reader) *store {
	return &store{scheme: scheme, live: live, objects: map[named.Object]client.Object{}, asked: map[named.Object]bool{},
		refused: map[named.Object]error{},
		indexed: map[indexed]map[named.Object]bool{}, owned: map[types.UID]map[named.Object]bool{}}
}

// Scheme returns the scheme.
func (s *store) Scheme() *runtime.Scheme { return s.scheme }

// GroupVersionKindFor returns the kind of an object.
func (s *store) GroupVersionKindFor(object runtime.Object) (schema.GroupVersionKind, error) {
	return apiutil.GVKForObject(object, s.scheme)
}

// of returns what identifies an object.
func (s *store) of(object runtime.Object, name types.NamespacedName) (named.Object, error) {
	kind, err := s.GroupVersionKindFor(object)
	return named.Of(kind.GroupKind(), name), err
}

// put sets an object, nil for one that is gone, and returns what was there.
func (s *store) put(of named.Object, object client.Object) (before client.Object) {
	before = s.objects[of]
	s.index(of, before, func(keys map[named.Object]bool) { delete(keys, of) })
	if object == nil {
		delete(s.objects, of)
		return before
	}
	s.objects[of] = object
	s.index(of, object, func(keys map[named.Object]bool) { keys[of] = true })
	return before
}

// index calls do with each entry of the indexes under which an object is.
func (s *store) index(of named.Object, object client.Object, do func(map[named.Object]bool)) {
	if object == nil {
		return
	}
	for _, owner := range object.GetOwnerReferences() {
		do(entry(s.owned, owner.UID))
	}
	if _, isKind := object.(kinds.Resource); !isKind {
		return
	}
	for index, keysOf := range wiring.Indexes {
		for _, key := range keysOf(object) {
			do(entry(s.indexed, indexed{of.GroupKind, index, key}))
		}
	}
}

// entry returns the entry of an index, which it makes if need be.
func entry[K comparable](of map[K]map[named.Object]bool, key K) map[named.Object]bool {
	if of[key] == nil {
		of[key] = map[named.Object]bool{}
	}
	return of[key]
}

// find returns an object, nil if there is none. The caller does not change it.
func (s *store) find(ctx context.Context, of named.Object, example client.Object) (client.Object, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	object := s.objects[of]
	if _, isKind := example.(kinds.Resource); object != nil || isKind || s.asked[of] {
		return object, nil
	}
	if err := s.refused[of]; err != nil {
		return nil, err
	}
	read := example.DeepCopyObject().(client.Object)
	switch err := s.live.Get(ctx, of.NamespacedName, read); {
	case apierrors.IsForbidden(err):
		s.refused[of] = err
		return nil, err
	case apierrors.IsNotFound(err):
		s.asked[of] = true
		return nil, nil
	case err != nil:
		return nil, err
	}
	s.asked[of] = true
	s.put(of, read)
	return read, nil
}

// Get reads an object.
func (s *store) Get(ctx context.Context, name client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	of, err := s.of(into, name)
	if err != nil {
		return err
	}
	object, err := s.find(ctx, of, into)
	if err == nil && object == nil {
		err = notFound(of)
	}
	if err != nil {
		return err
	}
	set(into, object.DeepCopyObject())
	return nil
}

// set sets an object to another of the same type.
func set(into, from runtime.Object) { reflect.ValueOf(into).Elem().Set(reflect.ValueOf(from).Elem()) }

func notFound(of named.Object) error {
	return apierrors.NewNotFound(schema.GroupResource{Group: of.Group, Resource: of.Kind}, of.Name)
}

func conflict(of named.Object) error {
	return apierrors.NewConflict(schema.GroupResource{Group: of.Group, Resource: of.Kind}, of.Name,
		fmt.Errorf("it has changed"))
}

// List reads objects of a kind, in the order of their names.
func (s *store) List(ctx context.Context, into client.ObjectList, options ...client.ListOption) error {
	var o client.ListOptions
	o.ApplyOptions(options)
	listed, err := s.GroupVersionKindFor(into)
	if err != nil {
		return err
	}
	kind := schema.GroupKind{Group: listed.Group, Kind: listed.Kind[:len(listed.Kind)-len("List")]}
	if kind.Group == corev1.GroupName {
		if err := s.learn(ctx, kind, into, options); err != nil {
			return err
		}
	}
	from := maps.Keys(s.objects)
	if o.FieldSelector != nil {
		by := o.FieldSelector.Requirements()[0]
		from = maps.Keys(s.indexed[indexed{kind, by.Field, by.Value}])
	}
	var found []named.Object
	for of := range from {
		if of.GroupKind == kind && (o.Namespace == "" || o.Namespace == of.Namespace) &&
			(o.LabelSelector == nil || o.LabelSelector.Matches(labels.Set(s.objects[of].GetLabels()))) {
			found = append(found, of)
		}
	}
	slices.SortFunc(found, compare)
	if o.Limit > 0 {
		found = found[:min(int64(len(found)), o.Limit)]
	}
	all := make([]runtime.Object, len(found))
	for i, of := range found {
		all[i] = s.objects[of].DeepCopyObject()
	}
	return meta.SetList(into, all)
}

// learn takes over what the cluster has, and was not asked for before.
func (s *store) learn(ctx context.Context, kind schema.GroupKind, list client.ObjectList, options []client.ListOption) error {
	if err := s.live.List(ctx, list, options...); err != nil {
		return err
	}
	return meta.EachListItem(list, func(item runtime.Object) error {
		object := item.(client.Object)
		if of := named.Of(kind, client.ObjectKeyFromObject(object)); !s.asked[of] && s.objects[of] == nil {
			s.asked[of] = true
			s.put(of, object)
		}
		return nil
	})
}

// Create makes an object.
func (s *store) Create(ctx context.Context, object client.Object, _ ...client.CreateOption) error {
	of, err := s.of(object, client.ObjectKeyFromObject(object))
	if err != nil {
		return err
	}
	if before, err := s.find(ctx, of, object); err != nil {
		return err
	} else if before != nil {
		return apierrors.NewAlreadyExists(schema.GroupResource{Group: of.Group, Resource: of.Kind}, of.Name)
	}
	s.isNew(object)
	return s.write(of, nil, object)
}

// isNew sets what an API server sets in a new object.
func (s *store) isNew(object client.Object) {
	object.SetUID(types.UID(fmt.Sprintf("planned-%d", s.version)))
	s.setVersion(object)
	object.SetCreationTimestamp(s.now())
	object.SetGeneration(1)
}

// setVersion gives an object a new resource version.
func (s *store) setVersion(object client.Object) {
	s.version++
	object.SetResourceVersion("planned-" + strconv.Itoa(s.version))
}

// write stores an object, and tells of the change.
func (s *store) write(of named.Object, before, object client.Object) error {
	s.setVersion(object)
	if object.GetDeletionTimestamp() != nil && len(object.GetFinalizers()) == 0 {
		s.put(of, nil)
		s.changed(of, before, nil)
		s.collect(object.GetUID())
		return nil
	}
	after := object.DeepCopyObject().(client.Object)
	s.put(of, after)
	s.changed(of, before, after)
	return nil
}

// collect deletes what belonged to an object that is gone, as the garbage collector does.
func (s *store) collect(owner types.UID) {
	for _, of := range slices.SortedFunc(maps.Keys(s.owned[owner]), compare) {
		object := s.objects[of]
		if _, isKind := object.(kinds.Resource); object.GetDeletionTimestamp() == nil && (isKind || len(object.GetOwnerReferences()) == 1) {
			s.remove(of, object)
		}
	}
}

// remove deletes an object, or marks it as being deleted if it has finalizers.
func (s *store) remove(of named.Object, before client.Object) {
	object := before.DeepCopyObject().(client.Object)
	if object.GetDeletionTimestamp() == nil {
		now := s.now()
		object.SetDeletionTimestamp(&now)
	}
	_ = s.write(of, before, object) // which fails never
}

// current returns an object that is to be written, if it is still at a resource version.
func (s *store) current(ctx context.Context, object client.Object, version string) (of named.Object, before client.Object, err error) {
	if of, err = s.of(object, client.ObjectKeyFromObject(object)); err != nil {
		return of, nil, err
	}
	before, err = s.find(ctx, of, object)
	switch {
	case err != nil:
		return of, nil, err
	case before == nil:
		return of, nil, notFound(of)
	case version != "" && version != before.GetResourceVersion():
		return of, nil, conflict(of)
	}
	return of, before, nil
}

// Update replaces an object, but for its Status.
func (s *store) Update(ctx context.Context, object client.Object, _ ...client.UpdateOption) error {
	of, before, err := s.current(ctx, object, object.GetResourceVersion())
	if err != nil || equality.Semantic.DeepEqual(before, object) {
		return err
	}
	if r, isKind := object.(kinds.Resource); isKind {
		if err := r.SetStatus(before.DeepCopyObject().(kinds.Resource).GetStatus()); err != nil {
			return err
		}
	}
	return s.write(of, before, object)
}

// Patch changes an object by a merge patch, but for its Status.
func (s *store) Patch(ctx context.Context, object client.Object, patch client.Patch, _ ...client.PatchOption) error {
	after, version, err := s.patched(ctx, object, patch)
	if err == nil {
		after.SetResourceVersion(version)
		err = s.Update(ctx, after)
	}
	if err != nil {
		return err
	}
	set(object, after)
	return nil
}

// patched returns an object as a patch changes it, and the resource version that the patch expects, "" for any.
func (s *store) patched(ctx context.Context, object client.Object, patch client.Patch) (after client.Object, version string, err error) {
	data, err := patch.Data(object)
	if err != nil {
		return nil, "", err
	}
	var expects struct{ Metadata metav1.ObjectMeta }
	if err := json.Unmarshal(data, &expects); err != nil {
		return nil, "", err
	}
	version = expects.Metadata.ResourceVersion
	_, before, err := s.current(ctx, object, version)
	if err != nil {
		return nil, "", err
	}
	text, err := json.Marshal(before)
	if err == nil {
		text, err = jsonpatch.MergePatch(text, data)
	}
	if err != nil {
		return nil, "", err
	}
	after = reflect.New(reflect.TypeOf(before).Elem()).Interface().(client.Object)
	return after, version, json.Unmarshal(text, after)
}

// Delete deletes an object.
func (s *store) Delete(ctx context.Context, object client.Object, options ...client.DeleteOption) error {
	var o client.DeleteOptions
	o.ApplyOptions(options)
	version := ""
	if p := o.Preconditions; p != nil && p.ResourceVersion != nil {
		version = *p.ResourceVersion
	}
	of, before, err := s.current(ctx, object, version)
	if err != nil {
		return err
	}
	if p := o.Preconditions; p != nil && p.UID != nil && *p.UID != before.GetUID() {
		return conflict(of)
	}
	s.remove(of, before)
	return nil
}

// Status returns what writes the Status of objects.
func (s *store) Status() client.SubResourceWriter { return statusWriter{of: s} }

// statusWriter writes the Status of objects, and nothing else of them.
type statusWriter struct {
	client.SubResourceWriter // nil: the operator calls no other verb
	of                       *store
}

// Update replaces the Status.
func (w statusWriter) Update(ctx context.Context, object client.Object, _ ...client.SubResourceUpdateOption) error {
	of, before, err := w.of.current(ctx, object, object.GetResourceVersion())
	if err != nil {
		return err
	}
	after := before.DeepCopyObject().(client.Object)
	if err := after.(kinds.Resource).SetStatus(object.(kinds.Resource).GetStatus()); err != nil {
		return err
	}
	if err := w.of.write(of, before, after); err != nil {
		return err
	}
	set(object, after.DeepCopyObject())
	return nil
}

// Patch changes the Status by a merge patch. No rehearsal has the conditions that the operator patches: they are of
// objects that do not decode.
func (w statusWriter) Patch(context.Context, client.Object, client.Patch, ...client.SubResourcePatchOption) error {
	return nil
}
