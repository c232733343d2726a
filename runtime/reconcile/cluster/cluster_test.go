// Package cluster runs the operator of package reconcile as a process of its own,
// with a real kube-apiserver and etcd, and the stand-in for ARM.
package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	azpolicy "github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/go-logr/logr"
	authenticationv1 "k8s.io/api/authentication/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile"
	"github.com/armature-dev/armature/runtime/reconcile/command"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reference"
	"github.com/armature-dev/armature/tools/controlplane"
)

// operatorOf is the environment variable that makes this program the operator. It
// has the JSON of a role.
const operatorOf = "ARMATURE_TEST_OPERATOR"

// role has the arguments of an operator.
type role struct {
	Kubeconfig, ARM string
	// Metrics is the address of the metrics, "" for none.
	Metrics string
	Workers int // of each kind, 0 for the default
	// Name is that of the instance, if one of several leads. It is its token.
	Name string
	// Namespace is the operator's own, "" for default. Manages are those whose objects it
	// manages, nil for all.
	Namespace string
	Manages   []string
	// Authority gives the tokens of namespaces, and the operator has no credential of its
	// own then. Certificate is a file with the authority that signed its certificate.
	Authority, Certificate string
	// Outage is a file: as long as it exists the operator's own credential gives no token.
	Outage string
	// Flags are those of the program, which runs instead of what this test makes of the library.
	Flags []string
}

func TestMain(m *testing.M) {
	log.SetLogger(logr.Discard())
	if of := os.Getenv(operatorOf); of != "" {
		debug.SetGCPercent(command.GCPercent)
		var r role
		if err := errors.Join(json.Unmarshal([]byte(of), &r), r.operate()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func newScheme() (*runtime.Scheme, error) {
	s := runtime.NewScheme()
	homes.AddToScheme(s)
	return s, errors.Join(corev1.AddToScheme(s), coordinationv1.AddToScheme(s), authenticationv1.AddToScheme(s),
		rbacv1.AddToScheme(s))
}

// operate is the operator.
func (r *role) operate() error {
	if r.Flags != nil {
		return command.Run(ctrl.SetupSignalHandler(), r.Flags, os.Stderr,
			func(s *runtime.Scheme) error { homes.AddToScheme(s); return nil })
	}
	config, err := clientcmd.BuildConfigFromFlags("", r.Kubeconfig)
	if err != nil {
		return err
	}
	scheme, err := newScheme()
	if err != nil {
		return err
	}
	config.QPS = -1
	options := ctrl.Options{Scheme: scheme, Metrics: metricsserver.Options{BindAddress: cmp.Or(r.Metrics, "0")}}
	var allow func(context.Context) error
	if r.Name != "" {
		lock, err := resourcelock.NewFromKubeconfig(resourcelock.LeasesResourceLock, leaseName.Namespace, leaseName.Name,
			resourcelock.ResourceLockConfig{Identity: r.Name}, config, renewDeadline)
		if err != nil {
			return err
		}
		lease := reconcile.NewLease(lock, leaseDuration)
		allow = lease.Allow
		options.LeaderElection, options.LeaderElectionResourceLockInterface = true, lease
		duration, deadline, period := leaseDuration, renewDeadline, time.Second
		options.LeaseDuration, options.RenewDeadline, options.RetryPeriod = &duration, &deadline, &period
	}
	m, err := ctrl.NewManager(config, options)
	if err != nil {
		return err
	}
	var own azcore.TokenCredential = token{cmp.Or(r.Name, r.Namespace, "t"), r.Outage}
	if r.Authority != "" {
		own = nil
	}
	err = reconcile.Setup(m, reconcile.Options{
		Namespace: cmp.Or(r.Namespace, "default"), Credential: own, CredentialNamespaces: []string{"*"},
		ManagedNamespaces: r.Manages,
		Allow:             allow, RequestTimeout: requestTimeout, Outage: outage, InsecureHTTP: true, Workers: r.Workers,
		Cloud: cloud.Configuration{ActiveDirectoryAuthorityHost: r.Authority, Services: map[cloud.ServiceName]cloud.ServiceConfiguration{
			cloud.ResourceManager: {Endpoint: r.ARM, Audience: r.ARM}}},
	})
	if err != nil {
		return err
	}
	return m.Start(ctrl.SetupSignalHandler())
}

// requestTimeout is how long a request to ARM may be under way, which is how long an
// operator waits for what another has sent.
const requestTimeout = 10 * time.Second

// outage is how long ARM may answer that it does not have what it has.
const outage = 15 * time.Second

// token is a credential with one token, which it does not give during an outage.
type token struct{ text, outage string }

func (t token) GetToken(context.Context, azpolicy.TokenRequestOptions) (azcore.AccessToken, error) {
	if _, err := os.Stat(t.outage); err == nil {
		return azcore.AccessToken{}, errors.New("no such host")
	}
	return azcore.AccessToken{Token: t.text, ExpiresOn: time.Now().Add(time.Hour)}, nil
}

// stage is everything but the operator.
type stage struct {
	*testing.T
	client.Client
	plane *controlplane.ControlPlane
	arm   *armtest.Server
	role  role

	mutex sync.Mutex
	came  map[string][]time.Time // when requests came to ARM, by token
	// accepts reports whether ARM takes a token, nil for all.
	accepts func(token string) bool
	// log gets what operators write, by default the standard error.
	log io.Writer
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := newStageWithout(t)
	if err := s.plane.Install(t.Context(), nil, crds()...); err != nil {
		t.Fatal(err)
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"annotations": takeOver}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Patch(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "default"}},
		client.RawPatch(types.MergePatchType, patch)); err != nil {
		t.Fatal(err)
	}
	return s
}

// takeOver is on namespaces of tests that lose keys and signatures of records: then what ARM has is somebody else's.
var takeOver = map[string]string{annotation.Adopt: annotation.AdoptExact, annotation.Deletion: annotation.DeletionDelete}

// newStageWithout returns a stage without CRDs.
func newStageWithout(t *testing.T) *stage {
	t.Helper()
	plane, err := controlplane.Start(controlplane.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := plane.Stop(); err != nil {
			t.Error(err)
		}
	})
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(kubeconfig, plane.Kubeconfig, 0o600); err != nil {
		t.Fatal(err)
	}
	server, err := armtest.New(homes.Specs())
	if err != nil {
		t.Fatal(err)
	}
	server.Collect(armtest.Collection{Parent: "Contoso.Homes/gardens", Path: "properties/plants", Type: "Contoso.Homes/gardens/plants"})
	s := &stage{T: t, plane: plane, arm: server, came: map[string][]time.Time{}}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("injected:\n%s", strings.Join(server.Injected(), "\n"))
		}
	})
	arm := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		of := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		s.mutex.Lock()
		s.came[of] = append(s.came[of], time.Now())
		accepts := s.accepts
		s.mutex.Unlock()
		if accepts != nil && !accepts(of) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		server.ServeHTTP(w, r)
	}))
	t.Cleanup(arm.Close)
	s.role = role{Kubeconfig: kubeconfig, ARM: arm.URL}
	scheme, err := newScheme()
	if err != nil {
		t.Fatal(err)
	}
	if s.Client, err = client.New(plane.Config, client.Options{Scheme: scheme}); err != nil {
		t.Fatal(err)
	}
	return s
}

var kinds = []string{"Street", "House", "Door", "Lock", "Deal", "Mark", "Garden", "Plant"}

// crds returns those of the kinds. All versions have the stored form, so that no
// webhook is needed.
func crds() []*apiextensionsv1.CustomResourceDefinition {
	var all []*apiextensionsv1.CustomResourceDefinition
	for _, kind := range kinds {
		plural := strings.ToLower(kind) + "s"
		crd := &apiextensionsv1.CustomResourceDefinition{
			ObjectMeta: metav1.ObjectMeta{Name: plural + "." + homes.Group},
			Spec: apiextensionsv1.CustomResourceDefinitionSpec{
				Group: homes.Group, Scope: apiextensionsv1.NamespaceScoped,
				Names: apiextensionsv1.CustomResourceDefinitionNames{
					Plural: plural, Singular: strings.ToLower(kind), Kind: kind, ListKind: kind + "List"},
			},
		}
		for _, version := range []string{homes.V2020, homes.V2020 + "storage"} {
			anything := true
			crd.Spec.Versions = append(crd.Spec.Versions, apiextensionsv1.CustomResourceDefinitionVersion{
				Name: version, Served: true, Storage: version != homes.V2020,
				Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
					Type: "object", XPreserveUnknownFields: &anything,
					Properties: map[string]apiextensionsv1.JSONSchemaProps{"status": {
						Type: "object", XPreserveUnknownFields: &anything,
						Properties: map[string]apiextensionsv1.JSONSchemaProps{"observedGeneration": {Type: "integer", Format: "int64"}},
						// As generated CRDs have it.
						Default: &apiextensionsv1.JSON{Raw: []byte(`{"observedGeneration":-1}`)},
					}},
				}},
				Subresources: &apiextensionsv1.CustomResourceSubresources{Status: &apiextensionsv1.CustomResourceSubresourceStatus{}},
			})
		}
		all = append(all, crd)
	}
	return all
}

// start starts the operator, and returns what kills it at once.
func (s *stage) start() (kill func()) {
	s.Helper()
	c := s.launch(s.role)
	killed := false
	kill = func() {
		if !killed {
			killed = true
			c.Process.Kill()
			c.Wait() // which says that it was killed
		}
	}
	s.Cleanup(kill)
	return kill
}

// launch starts an operator.
func (s *stage) launch(r role) *exec.Cmd {
	s.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		s.Fatal(err)
	}
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), operatorOf+"="+string(text))
	if r.Certificate != "" {
		c.Env = append(c.Env, "SSL_CERT_FILE="+r.Certificate)
	}
	c.Stderr = cmp.Or[io.Writer](s.log, os.Stderr)
	if err := c.Start(); err != nil {
		s.Fatal(err)
	}
	return c
}

const group = "/subscriptions/s/resourceGroups/g"

// town holds what a test makes: houses with doors with locks, and what else belongs to them.
type town struct {
	*stage
	things, houses, listed []*thing
}

// thing is an object with its resource, or an element of a list, which has no object.
type thing struct {
	client.Object
	id    string
	rooms int64 // as the Spec says, 0 for none
	// changes is how many contents the Spec has had.
	changes int
	// record is one that it has had, "" if that is not known.
	record string
}

func houseID(i int) string             { return fmt.Sprintf("%s/providers/Contoso.Homes/houses/h%d", group, i) }
func doorID(i, j int) string           { return fmt.Sprintf("%s/doors/d%d-%d", houseID(i), i, j) }
func lockID(i, j int) string           { return fmt.Sprintf("%s/locks/l%d-%d", doorID(i, j), i, j) }
func named(n string) metav1.ObjectMeta { return metav1.ObjectMeta{Namespace: "default", Name: n} }

func (t *town) create(o client.Object, id string) *thing {
	t.Helper()
	if err := t.Create(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	made := &thing{Object: o, id: id, changes: 1}
	t.things = append(t.things, made)
	return made
}

// build makes a house with its doors and their locks, the last first.
func (t *town) build(i, doors int) {
	t.Helper()
	for j := range doors {
		l := &homes.Lock{ObjectMeta: named(fmt.Sprintf("l%d-%d", i, j))}
		l.Spec.Fields.Owner = &reference.Owner{Name: fmt.Sprintf("d%d-%d", i, j)}
		t.create(l, lockID(i, j))
		d := &homes.Door{ObjectMeta: named(fmt.Sprintf("d%d-%d", i, j))}
		d.Spec.Fields.Owner = &reference.Owner{Name: fmt.Sprintf("h%d", i)}
		d.Spec.Fields.Password = &reference.Secret{Name: "pw", Key: "k"}
		t.create(d, doorID(i, j))
	}
	h := &homes.House{ObjectMeta: named(fmt.Sprintf("h%d", i))}
	h.Spec.Fields.Owner = &reference.Owner{ARMID: group}
	house := t.create(h, houseID(i))
	t.houses = append(t.houses, house)
	t.change(house)
}

// change gives a thing another content.
func (t *town) change(what *thing) {
	t.Helper()
	what.rooms++
	what.changes++
	t.patch(what.Object, fmt.Sprintf(`{"spec":{"fields":{"rooms":%d}}}`, what.rooms))
}

func (s *stage) patch(o client.Object, patch string) {
	s.Helper()
	if err := s.Patch(s.Context(), o, client.RawPatch(types.MergePatchType, []byte(patch))); err != nil {
		s.Fatal(err)
	}
}

// inARM checks that ARM has what the objects say, and nothing else.
func (t *town) inARM() {
	t.Helper()
	all := slices.Concat(t.things, t.listed)
	for _, what := range all {
		body, _ := t.arm.Resource(what.id)
		var has struct{ Properties struct{ Rooms int64 } }
		if err := json.Unmarshal(body, &has); err != nil || has.Properties.Rooms != what.rooms {
			t.Errorf("ARM has %s at %s, want %d rooms (%v)", body, what.id, what.rooms, err)
		}
	}
	if n := len(t.arm.IDs()); n != len(all) {
		t.Errorf("ARM has %d resources, want %d: %q", n, len(all), t.arm.IDs())
	}
}

// each calls do with each object of all kinds, as it is stored.
func (s *stage) each(do func(*unstructured.Unstructured)) {
	s.Helper()
	for _, kind := range kinds {
		resource := schema.GroupVersionResource{Group: homes.Group, Version: homes.V2020 + "storage", Resource: strings.ToLower(kind) + "s"}
		list, err := s.plane.Client.Resource(resource).List(s.Context(), metav1.ListOptions{})
		if err != nil {
			s.Fatal(err)
		}
		for i := range list.Items {
			do(&list.Items[i])
		}
	}
}

// unready lists the objects that are not ready.
func (s *stage) unready() (all []string) {
	s.Helper()
	s.each(func(o *unstructured.Unstructured) {
		var of struct {
			Status struct {
				Conditions []metav1.Condition `json:"conditions"`
			} `json:"status"`
		}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, &of); err != nil {
			s.Fatal(err)
		}
		if c := meta.FindStatusCondition(of.Status.Conditions, reconcile.Ready); c == nil {
			all = append(all, o.GetName()+" has no condition")
		} else if c.Status != metav1.ConditionTrue || c.ObservedGeneration != o.GetGeneration() {
			all = append(all, fmt.Sprintf("%s: %s %s", o.GetName(), c.Reason, c.Message))
		}
	})
	return all
}

// allReady returns an error that says which objects are not ready.
func (s *stage) allReady() error {
	s.Helper()
	if unready := s.unready(); len(unready) > 0 {
		return fmt.Errorf("%d are not: %.3000s", len(unready), strings.Join(unready, "\n"))
	}
	return nil
}

// goes waits until an object is gone.
func (s *stage) goes(o client.Object) {
	s.Helper()
	await.Until(s.T, o.GetName()+" is gone", func() error {
		if err := s.Get(s.Context(), client.ObjectKeyFromObject(o), o); !apierrors.IsNotFound(err) {
			return fmt.Errorf("got %v, %v", err, o)
		}
		return nil
	})
}

// TestWatches checks that what is missing or changes wakes an object, on the API server.
func TestWatches(t *testing.T) {
	t.Parallel() // it waits more than it works, as the next ones do
	s := newStage(t)
	s.start()
	town := &town{stage: s}
	town.build(0, 1)
	await.Until(s.T, "waits", func() error {
		d := &homes.Door{}
		if err := s.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: "d0-0"}, d); err != nil {
			return err
		}
		if c := meta.FindStatusCondition(d.Status.Conditions, reconcile.Ready); c == nil || c.Reason != reconcile.ReasonSecretMissing {
			return fmt.Errorf("its conditions are %v", d.Status.Conditions)
		}
		return nil
	})
	secret := &corev1.Secret{ObjectMeta: named("pw"), Data: map[string][]byte{"k": []byte("first")}}
	if err := s.Create(t.Context(), secret); err != nil {
		t.Fatal(err)
	}
	await.Until(s.T, "ready", s.allReady)
	secret.Data["k"] = []byte("second")
	if err := s.Update(t.Context(), secret); err != nil {
		t.Fatal(err)
	}
	await.Until(s.T, "changed", func() error {
		if body, _ := s.arm.Resource(doorID(0, 0)); !strings.Contains(string(body), "second") {
			return fmt.Errorf("it has %s", body)
		}
		return nil
	})
	if err := s.Delete(t.Context(), secret); err != nil && !apierrors.IsNotFound(err) {
		t.Fatal(err)
	}
	await.Until(s.T, "missing again", func() error {
		if s.unready() == nil {
			return errors.New("the door is ready")
		}
		return nil
	})
}

// TestLateKinds checks that the operator waits for kinds that the cluster does not
// serve, and manages those that it does meanwhile.
func TestLateKinds(t *testing.T) {
	t.Parallel()
	s := newStageWithout(t)
	early, late := []*apiextensionsv1.CustomResourceDefinition{}, []*apiextensionsv1.CustomResourceDefinition{}
	for _, crd := range crds() {
		if crd.Spec.Names.Kind == "Lock" {
			late = append(late, crd)
		} else {
			early = append(early, crd)
		}
	}
	s.start() // before there is any
	if err := s.plane.Install(t.Context(), nil, early...); err != nil {
		t.Fatal(err)
	}
	if err := s.Create(t.Context(), &corev1.Secret{ObjectMeta: named("pw"), Data: map[string][]byte{"k": []byte("x")}}); err != nil {
		t.Fatal(err)
	}
	door := &homes.Door{ObjectMeta: named("d0-0")}
	door.Spec.Fields.Owner = &reference.Owner{Name: "h0"}
	door.Spec.Fields.Password = &reference.Secret{Name: "pw", Key: "k"}
	house := &homes.House{ObjectMeta: named("h0")}
	house.Spec.Fields.Owner = &reference.Owner{ARMID: group}
	for _, o := range []client.Object{door, house} {
		if err := s.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	has := func(id string) func() error {
		return func() error {
			if _, found := s.arm.Resource(id); !found {
				return fmt.Errorf("ARM has %q", s.arm.IDs())
			}
			return nil
		}
	}
	await.Until(s.T, "the early kinds", has(doorID(0, 0)))
	if err := s.plane.Install(t.Context(), nil, late...); err != nil {
		t.Fatal(err)
	}
	lock := &homes.Lock{ObjectMeta: named("l0-0")}
	lock.Spec.Fields.Owner = &reference.Owner{Name: "d0-0"}
	if err := s.Create(t.Context(), lock); err != nil {
		t.Fatal(err)
	}
	await.Until(s.T, "the late kind", has(lockID(0, 0)))

	// Its CRD goes again, and with it what there is of it.
	if err := s.plane.CRDs.Delete(t.Context(), late[0].Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	await.Until(s.T, "the late CRD is gone", func() error {
		left, err := s.plane.CRDs.Get(t.Context(), late[0].Name, metav1.GetOptions{})
		if !apierrors.IsNotFound(err) {
			return fmt.Errorf("got %v, and its conditions are %v", err, left.Status.Conditions)
		}
		return nil
	})
	s.patch(house, `{"metadata":{"annotations":{"`+annotation.Deletion+`":"detach"}}}`)
	if err := s.Delete(t.Context(), house); err != nil {
		t.Fatal(err)
	}
	s.goes(house)
}
