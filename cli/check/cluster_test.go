package check

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kubeversion "k8s.io/apimachinery/pkg/version"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/armature-dev/armature/cli/program"
)

// server is an API server with CRDs, which accepts each CRD unless refuse says why not.
type server struct {
	version string
	crds    []apiextensionsv1.CustomResourceDefinition
	denied  string // a resource of which the caller may do nothing
	in      string // the namespace where, or everywhere
	refuse  *apierrors.StatusError
	lacks   string                 // an API group
	noRole  *apierrors.StatusError // the answer to a role
	tried   []apiextensionsv1.CustomResourceDefinition
}

// start returns a kubeconfig with the server.
func (s *server) start(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		answer, err := s.answer(r)
		if err != nil {
			t.Errorf("%s %s: %v", r.Method, r.URL, err)
		}
		if status, is := answer.(metav1.Status); is {
			w.WriteHeader(int(status.Code))
		}
		_ = json.NewEncoder(w).Encode(answer)
	}))
	t.Cleanup(server.Close)
	file := filepath.Join(t.TempDir(), "kubeconfig")
	text := "apiVersion: v1\nkind: Config\nclusters: [{name: a, cluster: {server: " + server.URL + "}}]\n" +
		"contexts: [{name: a, context: {cluster: a}}]\ncurrent-context: a\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func (s *server) answer(r *http.Request) (any, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	switch {
	case r.URL.Path == "/version":
		return kubeversion.Info{GitVersion: s.version}, nil
	case strings.HasSuffix(r.URL.Path, "/selfsubjectaccessreviews"):
		object, _, err := scheme.Codecs.UniversalDeserializer().Decode(body, nil, nil)
		if err != nil {
			return nil, err
		}
		review := object.(*authorizationv1.SelfSubjectAccessReview)
		review.TypeMeta = metav1.TypeMeta{APIVersion: "authorization.k8s.io/v1", Kind: "SelfSubjectAccessReview"}
		of := review.Spec.ResourceAttributes
		review.Status.Allowed = of.Resource != s.denied || s.in != "" && of.Namespace != s.in
		return review, nil
	case discovered[r.URL.Path] != nil:
		if s.lacks != "" && strings.Contains(r.URL.Path, s.lacks) {
			return statusOf(apierrors.NewNotFound(apiextensionsv1.Resource("any"), "any")), nil
		}
		list := metav1.APIResourceList{}
		for kind, name := range discovered[r.URL.Path] {
			_, isCluster := strings.CutPrefix(kind, "Cluster")
			list.APIResources = append(list.APIResources, metav1.APIResource{Name: name + "/status", Kind: kind},
				metav1.APIResource{Name: name, Kind: kind, Namespaced: !isCluster})
		}
		return list, nil
	case strings.Contains(r.URL.Path, "/clusterroles/") && s.noRole != nil:
		return statusOf(s.noRole), nil
	case strings.Contains(r.URL.Path, "/clusterroles/"):
		return json.RawMessage(body), nil
	case strings.HasSuffix(r.URL.Path, "/customresourcedefinitions"):
		return apiextensionsv1.CustomResourceDefinitionList{Items: s.crds}, nil
	case r.Method == http.MethodPatch && r.URL.Query().Get("dryRun") == "All":
		var tried apiextensionsv1.CustomResourceDefinition
		s.tried = append(s.tried, tried)
		if s.refuse != nil {
			return statusOf(s.refuse), nil
		}
		err := json.Unmarshal(body, &s.tried[len(s.tried)-1])
		return s.tried[len(s.tried)-1], err
	}
	return nil, fmt.Errorf("nothing is there")
}

// discovered are the resources of a cluster, by path and kind.
var discovered = map[string]map[string]string{
	"/api/v1":                            {"Service": "services"},
	"/apis/apps/v1":                      {"Deployment": "deployments"},
	"/apis/rbac.authorization.k8s.io/v1": {"ClusterRole": "clusterroles"},
	"/apis/cert-manager.io/v1":           {"Issuer": "issuers", "Certificate": "certificates"},
}

func statusOf(err *apierrors.StatusError) metav1.Status {
	status := err.Status()
	status.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
	return status
}

// installed returns a CRD of a cluster.
func installed(name, kind, shortName, stored string) apiextensionsv1.CustomResourceDefinition {
	plural, group, _ := strings.Cut(name, ".")
	c := apiextensionsv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: name}}
	c.Spec.Group = group
	c.Spec.Names = apiextensionsv1.CustomResourceDefinitionNames{Kind: kind, Plural: plural, Singular: strings.ToLower(kind),
		ShortNames: []string{shortName}}
	c.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{{Name: stored, Served: true, Storage: true}}
	c.Status.StoredVersions = []string{stored}
	return c
}

const persons = "persons.crm.azure.armature.dev"

// clusterRow is a cluster, and edits of the release. want has the findings: code, level and how the message begins.
type clusterRow struct {
	name   string
	server server
	edits  []edit
	want   []string
}

// Each code that only a cluster has is the name of a row.
var clusterRows = []clusterRow{
	{name: "an empty cluster"},
	{name: "the release before is installed", server: server{crds: []apiextensionsv1.CustomResourceDefinition{
		installed(persons, "Person", "pers", "v20190101storage")}}},
	{name: "server-version", server: server{version: "v1.38.0"},
		want: []string{"server-version step the cluster has v1.38.0, and the tests have run on 1.30, 1.32, 1.34, 1.37"}},
	{name: "the oldest version on which the tests have run", server: server{version: "v1.30.14-gke.2"}},
	{name: "a version that is too old", server: server{version: "v1.29.4-eks-1"},
		want: []string{"server-version breaks the cluster has v1.29.4-eks-1, and admission policies need 1.30"}},
	{name: "a version that is none", server: server{version: "new"},
		want: []string{`server-version step the cluster has the version "new"`}},
	{name: "rights", server: server{denied: "clusterroles"}, want: []string{"rights breaks the caller may not create clusterroles.rbac",
		"rights breaks the caller may not get clusterroles.rbac", "rights breaks the caller may not patch clusterroles.rbac"}},
	{name: "a right that is missing in the namespace", server: server{denied: "deployments", in: "armature-system"}, want: []string{
		"rights breaks the caller may not create deployments.apps in the namespace armature-system",
		"rights breaks the caller may not get deployments.apps in", "rights breaks the caller may not patch deployments.apps in"}},
	{name: "a right that the caller lacks, and a role gives", server: server{noRole: apierrors.NewForbidden(
		rbacv1.Resource("clusterroles"), "armature-operator-secrets", errors.New("is attempting to grant permissions not currently held"))},
		want: []string{"rights breaks the caller may not make the ClusterRole armature-operator-secrets of operator/roles.yaml: "}},
	{name: "kind-missing", server: server{lacks: "/apps/"},
		want: []string{"kind-missing breaks the cluster has no kind Deployment of apps/v1, which base/webhook/webhook.yaml has"}},
	{name: "cert-manager", server: server{lacks: "cert-manager.io"}, want: []string{
		"cert-manager step the cluster has no kind Issuer of cert-manager.io/v1, which cert-manager/webhook/authority.yaml has",
		"cert-manager step the cluster has no kind Certificate of cert-manager.io/v1"}},
	{name: "name-taken", server: server{crds: []apiextensionsv1.CustomResourceDefinition{installed(persons, "Person", "pers", "v1")}},
		want: []string{"name-taken breaks the cluster has a CRD of this name that is not Armature's: it stores at v1"}},
	{name: "a name that is taken in the group", server: server{crds: []apiextensionsv1.CustomResourceDefinition{
		installed("people.crm.azure.armature.dev", "Person", "ppl", "v1")}},
		want: []string{"name-taken breaks people.crm.azure.armature.dev of the same group has the name person"}},
	{name: "name-shared", server: server{crds: []apiextensionsv1.CustomResourceDefinition{
		installed("persons.crm.example.com", "Person", "pers", "v1"), installed("others.crm.example.com", "Other", "o", "v1")}},
		want: []string{"name-shared step persons.crm.example.com has the name person, persons, pers too"}},
	{name: "another group of Armature", server: server{crds: []apiextensionsv1.CustomResourceDefinition{
		installed("persons.hr.azure.armature.dev", "Person", "pers", "v20200101storage")}}},
	{name: "a version that only the cluster has", server: server{crds: []apiextensionsv1.CustomResourceDefinition{
		installed(persons, "Person", "pers", "v20180101storage")}},
		want: []string{"stored-lost breaks objects may be stored at it in the cluster"}},
	{name: "too-large", edits: []edit{{indexFile, `"bytes": `, `"bytes": 999999`}}, want: []string{"too-large breaks its CRD has 999999"}},
	{name: "refused", server: server{refuse: apierrors.NewInvalid(apiextensionsv1.Kind("CustomResourceDefinition"), persons, nil)},
		want: []string{"refused breaks the API server refuses its CRD: CustomResourceDefinition"}},
	{name: "memory that the cluster has not needed before", edits: []edit{{indexFile, `"nodes": 1`, `"nodes": 1000000`}},
		want: []string{"memory step the CRDs cost an API server"}},
}

func TestCluster(t *testing.T) {
	for _, row := range clusterRows {
		t.Run(row.name, func(t *testing.T) {
			s := row.server
			if s.version == "" {
				s.version = "v1.37.1"
			}
			out, err := run(copyRelease(t, row.edits...), "--cluster", "--output=json", "--kubeconfig="+s.start(t))
			var r report
			if err := json.Unmarshal([]byte(out), &r); err != nil {
				t.Fatalf("%v:\n%s", err, out)
			}
			if r.WayBack != nil || errors.Is(err, program.ErrLook) != (r.Breaks > 0) {
				t.Errorf("the error is %v, and the report\n%s", err, out)
			}
			for i, f := range r.Findings {
				if got := f.Code + " " + f.Level + " " + f.Message; i >= len(row.want) || !strings.HasPrefix(got, row.want[i]) {
					t.Errorf("found %q", got)
				}
			}
			if len(r.Findings) != len(row.want) {
				t.Errorf("found %v, want %q", r.Findings, row.want)
			}
			if slices.Contains([]string{"an empty cluster", "the release before is installed"}, row.name) {
				if len(s.tried) != 1 || s.tried[0].Name != persons || s.tried[0].Spec.Conversion.Webhook == nil {
					t.Errorf("it tried %v, want the CRD with its webhook", s.tried)
				}
			}
		})
	}
	t.Run("a step before the installation is in the verdict", func(t *testing.T) {
		s := server{version: "v1.37.1", lacks: "cert-manager.io"}
		out, err := run(copyRelease(t), "--cluster", "--kubeconfig="+s.start(t))
		if err != nil || !strings.HasSuffix(out, "\nNothing breaks. First take the steps above.\n") {
			t.Errorf("%v:\n%s", err, out)
		}
	})
	t.Run("with the release before, both are looked at, and nothing is said twice", func(t *testing.T) {
		s := server{version: "v1.38.0", crds: []apiextensionsv1.CustomResourceDefinition{
			installed(persons, "Person", "pers", "v20190101storage")}}
		lacks := edit{crdFile, "name: v20190101storage", "name: v20180101storage"}
		out, err := run(copyRelease(t), copyRelease(t, lacks), "--cluster", "--kubeconfig="+s.start(t))
		if !errors.Is(err, program.ErrLook) || strings.Count(out, "\nbreaks ") != 1 || !strings.Contains(out, "server-version") {
			t.Errorf("%v:\n%s", err, out)
		}
	})
}
