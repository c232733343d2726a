package cluster

import (
	"bytes"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/cli/identity"
	"github.com/armature-dev/armature/generator/manifests"
	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/reconcile"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reference"
)

// apply creates what a file of manifests has, or leaves what there is.
func (s *stage) apply(text []byte) {
	s.Helper()
	for document := range bytes.SplitSeq(text, []byte("\n---\n")) {
		o := &unstructured.Unstructured{}
		if err := yaml.Unmarshal(document, &o.Object); err != nil {
			s.Fatal(err)
		}
		if err := s.Create(s.Context(), o); err != nil && !apierrors.IsAlreadyExists(err) {
			s.Fatalf("%s %s: %v", o.GetKind(), o.GetName(), err)
		}
	}
}

// identify applies what `armature identity` prints.
func (s *stage) identify(arguments ...string) {
	s.Helper()
	var printed bytes.Buffer
	command := identity.New()
	command.SetArgs(arguments)
	command.SetOut(&printed)
	if err := command.Execute(); err != nil {
		s.Fatal(err)
	}
	s.apply(printed.Bytes())
}

// groupRoles are those that a release has for the operator of a group, here for that of the tests.
const groupRoles = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: armature-%[1]s-operator}
rules:
- {apiGroups: [` + homes.Group + `], resources: [%[2]s], verbs: [get, list, patch, watch]}
- {apiGroups: [` + homes.Group + `], resources: [%[3]s], verbs: [update]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: armature-%[1]s-operator}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: armature-%[1]s-operator}
subjects: [{kind: ServiceAccount, name: armature-operator, namespace: armature-system}]
`

// grant applies roles for kinds, as one of the files of groups has them.
func (s *stage) grant(name string, kinds []string) {
	s.Helper()
	var plurals, statuses []string
	for _, kind := range kinds {
		plurals = append(plurals, strings.ToLower(kind)+"s")
		statuses = append(statuses, strings.ToLower(kind)+"s/status")
	}
	s.apply(fmt.Appendf(nil, groupRoles, name, strings.Join(plurals, ", "), strings.Join(statuses, ", ")))
}

// asRelease gives the operator the account and the rights that it has in a release.
func (s *stage) asRelease() { s.asReleaseFor(kinds) }

// asReleaseFor is asRelease without the rights to other kinds.
func (s *stage) asReleaseFor(kinds []string) {
	s.Helper()
	s.namespace("armature-system")
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: "armature-system", Name: "armature-operator"}}
	if err := s.Create(s.Context(), account); err != nil {
		s.Fatal(err)
	}
	roles, err := os.ReadFile("../../../release/operator/roles.yaml")
	if err != nil {
		s.Fatal(err)
	}
	_, roles, _ = bytes.Cut(roles, []byte("\n")) // its first line is a comment
	s.apply(roles)
	s.apply(manifests.StorageWriters([]manifests.Account{{Namespace: account.Namespace, Name: account.Name}}))
	s.grant("homes", kinds)
	request := &authenticationv1.TokenRequest{}
	if err := s.SubResource("token").Create(s.Context(), account, request); err != nil {
		s.Fatal(err)
	}
	config := clientcmdapi.NewConfig()
	config.Clusters["a"] = &clientcmdapi.Cluster{Server: s.plane.Config.Host, CertificateAuthorityData: s.plane.Config.CAData}
	config.AuthInfos["a"] = &clientcmdapi.AuthInfo{Token: request.Status.Token}
	config.Contexts["a"] = &clientcmdapi.Context{Cluster: "a", AuthInfo: "a"}
	config.CurrentContext = "a"
	s.role.Kubeconfig, s.role.Namespace = filepath.Join(s.TempDir(), "account"), "armature-system"
	if err := clientcmd.WriteToFile(*config, s.role.Kubeconfig); err != nil {
		s.Fatal(err)
	}
}

func (s *stage) namespace(name string) {
	s.Helper()
	if err := s.Create(s.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}); err != nil {
		s.Fatal(err)
	}
}

// authority is a stand-in for the authority of a cloud. Each client trusts the tokens of one subject, for the audience
// of the exchange; whether the cluster's issuer made a token the API server says. The secret of all is "right".
type authority struct {
	*stage
	trusts map[string]string

	mutex  sync.Mutex
	tokens []string // that it gave
}

func (a *authority) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if !strings.HasSuffix(r.URL.Path, "/token") {
		base := "https://" + r.Host + "/tenant"
		fmt.Fprintf(w, `{"token_endpoint":%q,"issuer":%q,"authorization_endpoint":%q}`, base+"/token", base, base+"/authorize")
		return
	}
	of := r.FormValue("client_id")
	if r.FormValue("client_secret") == "right" {
		a.give(w, of)
		return
	}
	review := &authenticationv1.TokenReview{Spec: authenticationv1.TokenReviewSpec{
		Token: r.FormValue("client_assertion"), Audiences: []string{"api://AzureADTokenExchange"}}}
	if err := a.Create(r.Context(), review); err != nil || !review.Status.Authenticated || review.Status.User.Username != a.trusts[of] {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error":"invalid_client","error_description":"%s does not trust %s"}`, of, review.Status.User.Username)
		return
	}
	a.give(w, of)
}

// give answers with a token of a client.
func (a *authority) give(w http.ResponseWriter, of string) {
	token := "token of " + of
	a.mutex.Lock()
	a.tokens = append(a.tokens, token)
	a.mutex.Unlock()
	fmt.Fprintf(w, `{"access_token":%q,"expires_in":3600,"token_type":"Bearer"}`, token)
}

func (a *authority) gave(token string) bool {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return slices.Contains(a.tokens, token)
}

// trust starts an authority, whose tokens are the only ones that ARM takes.
func (s *stage) trust(trusts map[string]string) *authority {
	s.Helper()
	a := &authority{stage: s, trusts: trusts}
	server := httptest.NewTLSServer(a)
	s.Cleanup(server.Close)
	s.accepts = a.gave
	s.role.Authority, s.role.Certificate = server.URL+"/", filepath.Join(s.TempDir(), "authority.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(s.role.Certificate, text, 0o600); err != nil {
		s.Fatal(err)
	}
	return a
}

// house makes a House, whose credential is in a Secret, "" for that of its namespace.
func (s *stage) house(namespace, name, secret string) {
	s.Helper()
	h := &homes.House{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	if secret != "" {
		h.Annotations = map[string]string{annotation.CredentialFrom: secret}
	}
	h.Spec.Fields.Owner = &reference.Owner{ARMID: group}
	if err := s.Create(s.Context(), h); err != nil {
		s.Fatal(err)
	}
}

// becomes waits until the condition Ready of a House has a reason, and returns its message.
func (s *stage) becomes(namespace, name, reason string) (message string) {
	s.Helper()
	await.Until(s.T, namespace+"/"+name, func() error {
		h := &homes.House{}
		if err := s.Get(s.Context(), client.ObjectKey{Namespace: namespace, Name: name}, h); err != nil {
			return err
		}
		c := meta.FindStatusCondition(h.Status.Conditions, reconcile.Ready)
		if c == nil || c.Reason != reason {
			return fmt.Errorf("got %v, want %s", c, reason)
		}
		message = c.Message
		return nil
	})
	return message
}

// TestIdentity gives a namespace an identity without a secret. The operator has the rights of a release, and those that
// the command of its condition prints; the API server makes the tokens, and the authority has it check them.
func TestIdentity(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.asRelease()
	s.trust(map[string]string{"a": "system:serviceaccount:team-a:azure", "b": "system:serviceaccount:team-b:azure"})
	for _, namespace := range []string{"team-a", "team-b"} {
		s.namespace(namespace)
		for _, account := range []string{"azure", "other"} {
			o := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: account}}
			if err := s.Create(t.Context(), o); err != nil {
				t.Fatal(err)
			}
		}
	}
	secret := func(namespace, name, client, account string) {
		o := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Data: map[string][]byte{
			reconcile.TenantKey: []byte("tenant"), reconcile.ClientKey: []byte(client), reconcile.ServiceAccountKey: []byte(account)}}
		if err := s.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	s.start()

	// With the rights of the release alone there is no token.
	s.house("team-b", "none", "")
	s.becomes("team-b", "none", reconcile.ReasonCredentialMissing)
	secret("team-a", reconcile.CredentialSecret, "a", "azure")
	s.house("team-a", "own", "")
	message := s.becomes("team-a", "own", reconcile.ReasonTokenForbidden)

	// The message has the command that mends it.
	found := regexp.MustCompile("`armature identity (.*)`").FindStringSubmatch(message)
	if found == nil {
		t.Fatalf("the message has no command: %s", message)
	}
	s.identify(strings.Fields(found[1])...)
	s.becomes("team-a", "own", reconcile.ReasonSucceeded)

	// It gives no other right: not to another account, and not in another namespace.
	secret("team-a", "other", "a", "other")
	s.house("team-a", "other", "other")
	s.becomes("team-a", "other", reconcile.ReasonTokenForbidden)
	secret("team-b", reconcile.CredentialSecret, "b", "azure")
	s.becomes("team-b", "none", reconcile.ReasonTokenForbidden)

	// Nor does a Secret become somebody else by what it says: client b does not trust team-a.
	secret("team-a", "theirs", "b", "azure")
	s.house("team-a", "theirs", "theirs")
	refused := s.becomes("team-a", "theirs", "NoToken")
	if !strings.Contains(refused, "b does not trust system:serviceaccount:team-a:azure") {
		t.Errorf("got the message %q", refused)
	}
	if n := len(s.after("token of a", metav1.Time{}.Time)); n == 0 || len(s.came) != 1 {
		t.Errorf("ARM got the tokens %v", s.came)
	}

	// A limit of the namespace takes effect at once.
	limit := func(value string) {
		s.patch(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "team-a"}},
			fmt.Sprintf(`{"metadata":{"annotations":{%q:%s}}}`, annotation.Scopes, value))
	}
	limit(`"/subscriptions/s/resourceGroups/g2"`)
	s.becomes("team-a", "own", reconcile.ReasonOutsideScopes)
	limit(`"/subscriptions/s/resourceGroups"`)
	s.becomes("team-a", "own", reconcile.ReasonScopesInvalid)
	limit(`"` + group + `"`)
	s.becomes("team-a", "own", reconcile.ReasonSucceeded)
}

// TestSomeNamespaces runs an operator that has rights in one namespace alone.
func TestSomeNamespaces(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.asRelease()
	s.guard()
	for _, name := range []string{"armature-homes-operator", "armature-operator-secrets", "armature-operator-namespaces"} {
		if err := s.Delete(t.Context(), &rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: name}}); err != nil {
			t.Fatal(err)
		}
	}
	s.namespace("team-a")
	s.namespace("team-b")
	s.apply([]byte(`apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: homes, namespace: team-a}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: armature-homes-operator}
subjects: [{kind: ServiceAccount, name: armature-operator, namespace: armature-system}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: storage, namespace: team-a}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: armature-storage-writer}
subjects: [{kind: ServiceAccount, name: armature-operator, namespace: armature-system}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: secrets, namespace: team-a}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: armature-operator-secrets}
subjects: [{kind: ServiceAccount, name: armature-operator, namespace: armature-system}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: team-a}
rules: [{apiGroups: [""], resources: [namespaces], resourceNames: [team-a], verbs: [get, list, watch]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: team-a}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: team-a}
subjects: [{kind: ServiceAccount, name: armature-operator, namespace: armature-system}]
`))
	s.role.Manages = []string{"team-a"}
	s.house("team-b", "b", "")
	s.start()
	s.house("team-a", "a", "")
	s.becomes("team-a", "a", reconcile.ReasonSucceeded)
	s.patch(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "team-a"}},
		fmt.Sprintf(`{"metadata":{"annotations":{%q:"/subscriptions/t"}}}`, annotation.Scopes))
	s.becomes("team-a", "a", reconcile.ReasonOutsideScopes)
	b := &homes.House{}
	if err := s.Get(t.Context(), client.ObjectKey{Namespace: "team-b", Name: "b"}, b); err != nil {
		t.Fatal(err)
	}
	if len(b.Status.Conditions)+len(b.Annotations)+len(b.Finalizers) > 0 || len(s.arm.IDs()) != 1 {
		t.Errorf("the object of the other namespace is %v, and ARM has %q", b.ObjectMeta, s.arm.IDs())
	}
}

// TestSideBySide starts two operators at once that see the same objects. Each object is sent by one of them, once.
func TestSideBySide(t *testing.T) {
	const houses = 30
	t.Parallel()
	s := newStage(t)
	s.namespace("second")
	roles := []role{s.role, s.role}
	roles[0].Namespace, roles[1].Namespace = "default", "second"
	town := &town{stage: s}
	for i := range houses / 2 {
		town.build(i, 0)
	}
	for range 2 {
		var all []func()
		for _, r := range roles {
			c := s.launch(r)
			all = append(all, func() { c.Process.Kill(); c.Wait() })
			t.Cleanup(func() { c.Process.Kill() }) // which may have ended
		}
		for i := len(town.houses); i < houses; i++ {
			town.build(i, 0)
		}
		await.Until(s.T, "ready", s.allReady)
		for _, house := range town.houses {
			town.change(house)
		}
		await.Until(s.T, "ready again", s.allReady)
		await.Until(s.T, "both see all", func() error {
			var events corev1.EventList
			if err := s.List(t.Context(), &events); err != nil {
				return err
			}
			left := map[string]bool{}
			for _, e := range events.Items {
				if e.Reason == reconcile.ReasonManagedByAnother {
					left[e.InvolvedObject.Name] = true
				}
			}
			if len(left) < houses {
				return fmt.Errorf("%d of %d objects were left to the other operator", len(left), houses)
			}
			return nil
		})
		for _, stop := range all {
			stop()
		}
	}
	town.inARM()
	puts := map[string]int{}
	for _, r := range s.arm.Requests() {
		if r.Method == http.MethodPut {
			puts[r.ID]++
		}
	}
	by := map[string]int{}
	s.each(func(o *unstructured.Unstructured) {
		operator, _, _ := strings.Cut(o.GetAnnotations()[annotation.Operator], "@")
		by[operator]++
	})
	if by["default/armature-operator"]+by["second/armature-operator"] != houses {
		t.Errorf("the operators have %v", by)
	}
	t.Logf("the operators have %v", by)
	for _, house := range town.houses {
		// A change may come before the first PUT. A stop of the process does not.
		if n := puts[house.id]; n > house.changes {
			t.Errorf("ARM got %d PUTs of %s, which had %d contents", n, house.id, house.changes)
		}
	}
}
