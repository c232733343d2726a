package migrate

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	storagemigrationv1 "k8s.io/api/storagemigration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
)

const (
	group  = "crm.azure.armature.dev"
	former = "v20200101storage"
	hub    = "v20210101storage"
)

// server is an API server with a CRD and objects, of which it knows at which version each is
// stored. What a test sets is called before a request is answered.
type server struct {
	*testing.T
	config  *rest.Config
	mutex   sync.Mutex
	version int // the last resourceVersion
	crd     *apiextensionsv1.CustomResourceDefinition
	names   []string // of objects, in order
	objects map[string]*stored
	// patches has the names of the objects that were patched, in order.
	patches []string
	// migrations are nil if they are not served, and migrate is what the cluster makes of one
	// each time that somebody looks at it.
	migrations map[string]*storagemigrationv1.StorageVersionMigration
	migrate    func(*storagemigrationv1.StorageVersionMigration)
	// onPatch may refuse the patch of an object, and onList a list.
	onPatch func(name string) error
	onList  func(options metav1.ListOptions) error
	// onTrim is called before status.storedVersions is changed, and onRead before the CRDs are listed.
	onTrim, onRead func()
	denied         []string // resources of which the caller may do nothing
}

// stored is an object in etcd.
type stored struct {
	metav1.PartialObjectMetadata
	at string
}

// newServer starts an API server whose CRD stores at hub, and that has n objects at former.
func newServer(t *testing.T, n int) *server {
	t.Helper()
	s := &server{T: t, objects: map[string]*stored{}}
	http := httptest.NewServer(s)
	t.Cleanup(http.Close)
	s.config = &rest.Config{Host: http.URL, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}
	s.crd = &apiextensionsv1.CustomResourceDefinition{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition"},
		ObjectMeta: metav1.ObjectMeta{Name: "persons." + group, UID: "crd", Generation: 2, ResourceVersion: "1"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{Group: group,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Kind: "Person", Plural: "persons"},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{
				{Name: hub, Served: true, Storage: true}, {Name: former, Served: true}}},
		Status: apiextensionsv1.CustomResourceDefinitionStatus{StoredVersions: []string{former, hub}},
	}
	for i := range n {
		s.write(fmt.Sprintf("person-%04d", i), former)
	}
	return s
}

// write stores an object at a version, as a client does that changes it.
func (s *server) write(name, version string) {
	s.version++
	if s.objects[name] == nil {
		s.objects[name] = &stored{}
		s.objects[name].ObjectMeta = metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name)}
		s.names = append(s.names, name)
		slices.Sort(s.names)
	}
	s.objects[name].at = version
	s.objects[name].ResourceVersion = strconv.Itoa(s.version)
}

// remove removes an object.
func (s *server) remove(name string) {
	delete(s.objects, name)
	s.names = slices.DeleteFunc(s.names, func(n string) bool { return n == name })
}

// at returns how many objects are stored at a version.
func (s *server) at(version string) int {
	n := 0
	for _, o := range s.objects {
		if o.at == version {
			n++
		}
	}
	return n
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	answer, err := s.answer(r)
	w.Header().Set("Content-Type", "application/json")
	if status, is := err.(apierrors.APIStatus); is {
		status := status.Status()
		status.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
		w.WriteHeader(int(status.Code))
		answer = status
	} else if err != nil {
		s.Errorf("%s %s: %v", r.Method, r.URL, err)
		w.WriteHeader(http.StatusInternalServerError)
	}
	_ = json.NewEncoder(w).Encode(answer)
}

func (s *server) answer(r *http.Request) (any, error) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case len(parts) < 3:
		return nil, fmt.Errorf("nothing is there")
	case parts[1] == apiextensionsv1.GroupName:
		return s.answerCRD(r, parts[4:])
	case parts[1] == authorizationv1.GroupName:
		review := &authorizationv1.SelfSubjectAccessReview{}
		err := json.NewDecoder(r.Body).Decode(review)
		review.Status.Allowed = !slices.Contains(s.denied, review.Spec.ResourceAttributes.Resource)
		return review, err
	case parts[1] == storagemigrationv1.GroupName:
		return s.answerMigration(r, parts[3:])
	case parts[1] == group && parts[2] == hub && len(parts) == 4:
		return s.list(r)
	case parts[1] == group && parts[2] == hub && len(parts) == 7:
		return s.answerObject(r, parts[6])
	}
	return nil, fmt.Errorf("nothing is there")
}

// metadataOf returns the metadata of an object as an API server answers them.
func metadataOf(meta metav1.ObjectMeta) metav1.PartialObjectMetadata {
	return metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "PartialObjectMetadata"},
		ObjectMeta: meta}
}

func (s *server) newList(items ...metav1.PartialObjectMetadata) *metav1.PartialObjectMetadataList {
	return &metav1.PartialObjectMetadataList{
		TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "PartialObjectMetadataList"},
		ListMeta: metav1.ListMeta{ResourceVersion: strconv.Itoa(s.version)}, Items: items}
}

func (s *server) answerCRD(r *http.Request, path []string) (any, error) {
	if len(path) == 0 {
		if s.onRead != nil {
			s.onRead()
		}
		return s.newList(metadataOf(s.crd.ObjectMeta)), nil
	}
	if r.Method == http.MethodGet {
		return s.crd, nil
	}
	changed := s.crd.DeepCopy()
	if len(path) == 2 && s.onTrim != nil {
		s.onTrim()
	}
	if err := merge(r, s.crd.ResourceVersion, changed); err != nil {
		return nil, err
	}
	if len(path) == 2 {
		s.crd.Status = changed.Status
	} else {
		s.crd.Annotations = changed.Annotations
	}
	s.version++
	s.crd.ResourceVersion = strconv.Itoa(s.version)
	return s.crd, nil
}

// merge merges the patch of a request into an object, unless it was read at another
// resourceVersion.
func merge[T any](r *http.Request, resourceVersion string, into *T) error {
	var patch json.RawMessage
	var read metav1.PartialObjectMetadata
	if err := json.NewDecoder(r.Body).Decode(&patch); err != nil {
		return err
	}
	if err := json.Unmarshal(patch, &read); err != nil {
		return err
	}
	if read.ResourceVersion != "" && read.ResourceVersion != resourceVersion {
		return apierrors.NewConflict(schema.GroupResource{}, "", fmt.Errorf("it has changed"))
	}
	text, err := json.Marshal(into)
	if err != nil {
		return err
	}
	merged := map[string]any{}
	if err := json.Unmarshal(text, &merged); err != nil {
		return err
	}
	changes := map[string]any{}
	if err := json.Unmarshal(patch, &changes); err != nil {
		return err
	}
	mergeMaps(merged, changes)
	if text, err = json.Marshal(merged); err != nil {
		return err
	}
	*into = *new(T)
	return json.Unmarshal(text, into)
}

// mergeMaps merges as RFC 7386 says.
func mergeMaps(into, changes map[string]any) {
	for name, value := range changes {
		below, isMap := value.(map[string]any)
		if value == nil {
			delete(into, name)
			continue
		}
		if !isMap {
			into[name] = value
			continue
		}
		if _, has := into[name].(map[string]any); !has {
			into[name] = map[string]any{}
		}
		mergeMaps(into[name].(map[string]any), below)
	}
}

func (s *server) list(r *http.Request) (any, error) {
	query := r.URL.Query()
	limit, _ := strconv.ParseInt(query.Get("limit"), 10, 64)
	options := metav1.ListOptions{Limit: limit, Continue: query.Get("continue")}
	if s.onList != nil {
		if err := s.onList(options); err != nil {
			return nil, err
		}
	}
	begin, _ := slices.BinarySearch(s.names, strings.TrimPrefix(options.Continue, "from "))
	if options.Continue == "" {
		begin = 0
	}
	end := min(len(s.names), begin+int(limit))
	list := s.newList()
	for _, name := range s.names[begin:end] {
		list.Items = append(list.Items, metadataOf(*s.objects[name].ObjectMeta.DeepCopy()))
	}
	if rest := int64(len(s.names) - end); rest > 0 {
		list.Continue, list.RemainingItemCount = "from "+s.names[end], &rest
	}
	return list, nil
}

func (s *server) answerObject(r *http.Request, name string) (any, error) {
	resource := schema.GroupResource{Group: group, Resource: "persons"}
	if r.Method == http.MethodPatch && s.onPatch != nil {
		if err := s.onPatch(name); err != nil {
			return nil, err
		}
	}
	object := s.objects[name]
	if object == nil {
		return nil, apierrors.NewNotFound(resource, name)
	}
	if r.Method == http.MethodGet {
		return metadataOf(object.ObjectMeta), nil
	}
	s.patches = append(s.patches, name)
	changed := metadataOf(*object.ObjectMeta.DeepCopy())
	if err := merge(r, object.ResourceVersion, &changed); err != nil {
		return nil, err
	}
	if r.URL.Query().Get("dryRun") != "" {
		return changed, nil
	}
	before, _ := json.Marshal(object.ManagedFields)
	after, _ := json.Marshal(changed.ManagedFields)
	if object.at != hub || string(before) != string(after) { // what is stored as it is stays
		s.write(name, hub)
		object.ManagedFields = changed.ManagedFields
	}
	return metadataOf(object.ObjectMeta), nil
}

func (s *server) answerMigration(r *http.Request, path []string) (any, error) {
	resource := schema.GroupResource{Group: storagemigrationv1.GroupName, Resource: "storageversionmigrations"}
	switch {
	case s.migrations == nil:
		return nil, apierrors.NewNotFound(resource, "")
	case len(path) == 0:
		return metav1.APIResourceList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "APIResourceList"},
			GroupVersion: "storagemigration.k8s.io/v1"}, nil
	case len(path) == 1 && r.Method == http.MethodGet:
		list := &storagemigrationv1.StorageVersionMigrationList{}
		for _, m := range s.migrations {
			list.Items = append(list.Items, *m)
		}
		return list, nil
	case r.Method == http.MethodPost:
		created := &storagemigrationv1.StorageVersionMigration{}
		if err := json.NewDecoder(r.Body).Decode(created); err != nil {
			return nil, err
		}
		if s.migrations[created.Name] != nil {
			return nil, apierrors.NewAlreadyExists(resource, created.Name)
		}
		created.UID, created.CreationTimestamp = types.UID("migration-"+strconv.Itoa(s.version)), metav1.Now()
		s.migrations[created.Name] = created
		return created, nil
	}
	found := s.migrations[path[1]]
	if found == nil {
		return nil, apierrors.NewNotFound(resource, path[1])
	}
	if r.Method == http.MethodDelete {
		delete(s.migrations, path[1])
		return metav1.Status{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusSuccess}, nil
	}
	if s.migrate != nil {
		s.migrate(found)
	}
	return found, nil
}

// condition sets a condition of a migration.
func condition(of *storagemigrationv1.StorageVersionMigration, name storagemigrationv1.MigrationConditionType, is bool, message string) {
	status := metav1.ConditionFalse
	if is {
		status = metav1.ConditionTrue
	}
	of.Status.Conditions = slices.DeleteFunc(of.Status.Conditions, func(c metav1.Condition) bool { return c.Type == string(name) })
	of.Status.Conditions = append(of.Status.Conditions, metav1.Condition{Type: string(name), Status: status, Message: message,
		LastTransitionTime: metav1.NewTime(time.Now())})
}
