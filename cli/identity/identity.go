// Package identity is the command armature identity, which prints what gives a namespace an identity in Azure.
package identity

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/runtime/reconcile"
)

// options are the flags of the command.
type options struct {
	namespace, account, secret, tenant, client, subscription, operator, audience string
}

// New returns the command.
func New() *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:   "identity --namespace NAMESPACE --service-account NAME [--tenant ID --client ID]",
		Short: "Print what gives a namespace an identity in Azure without a secret",
		Long: `Print what gives a namespace an identity in Azure without a secret, to apply: a ServiceAccount, the Role with which the
operator may ask the API server for its tokens, and for those of no other one, and with --tenant and --client the
Secret, without a secret in it, that names them. The identity in Azure has to trust the ServiceAccount; a comment at
the beginning has the command.`,
		Example: `  armature identity --namespace team-a --service-account azure --tenant $TENANT --client $CLIENT |
    kubectl apply --server-side -f -`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			text, err := o.manifests()
			if err != nil {
				return err
			}
			_, err = c.OutOrStdout().Write(text)
			return err
		},
	}
	flags := c.Flags()
	flags.StringVar(&o.namespace, "namespace", "", "the namespace that gets the identity")
	flags.StringVar(&o.account, "service-account", "", "name of the ServiceAccount of the namespace that stands for it")
	flags.StringVar(&o.secret, "secret", reconcile.CredentialSecret,
		"name of the Secret, another one for objects that name it in an annotation")
	flags.StringVar(&o.tenant, "tenant", "", "id of the tenant of the identity in Azure")
	flags.StringVar(&o.client, "client", "", "client id of the identity in Azure")
	flags.StringVar(&o.subscription, "subscription", "", "id of the subscription of resources whose Spec names none")
	flags.StringVar(&o.operator, "operator", "armature-system/armature-operator", "namespace and name of the operator's ServiceAccount")
	flags.StringVar(&o.audience, "audience", "api://AzureADTokenExchange", "audience of the tokens, which differs between clouds")
	return c
}

// manifests returns YAML to apply.
func (o *options) manifests() ([]byte, error) {
	var errs []error
	operatorNamespace, operatorName, _ := strings.Cut(o.operator, "/")
	for _, name := range []struct{ flag, value string }{
		{"namespace", o.namespace}, {"service-account", o.account}, {"secret", o.secret},
		{"operator", operatorNamespace}, {"operator", operatorName},
	} {
		if faults := validation.IsDNS1123Subdomain(name.value); len(faults) > 0 {
			errs = append(errs, fmt.Errorf("--%s: found %q, expected a name of lower-case letters, digits, hyphens and dots", name.flag,
				name.value))
		}
	}
	if (o.tenant == "") != (o.client == "") || o.tenant == "" && o.subscription != "" {
		errs = append(errs, fmt.Errorf("--tenant and --client: found %q and %q, expected both or none, and both with --subscription",
			o.tenant, o.client))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	meta := func(name string) metav1.ObjectMeta { return metav1.ObjectMeta{Namespace: o.namespace, Name: name} }
	role := "armature-operator-token-" + o.account
	objects := []any{
		&corev1.ServiceAccount{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ServiceAccount"}, ObjectMeta: meta(o.account)},
		&rbacv1.Role{
			TypeMeta: metav1.TypeMeta{APIVersion: "rbac.authorization.k8s.io/v1", Kind: "Role"}, ObjectMeta: meta(role),
			Rules: []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"serviceaccounts/token"},
				ResourceNames: []string{o.account}, Verbs: []string{"create"}}},
		},
		&rbacv1.RoleBinding{
			TypeMeta: metav1.TypeMeta{APIVersion: "rbac.authorization.k8s.io/v1", Kind: "RoleBinding"}, ObjectMeta: meta(role),
			RoleRef:  rbacv1.RoleRef{APIGroup: "rbac.authorization.k8s.io", Kind: "Role", Name: role},
			Subjects: []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: operatorNamespace, Name: operatorName}},
		},
	}
	if o.tenant != "" {
		content := map[string]string{
			reconcile.TenantKey: o.tenant, reconcile.ClientKey: o.client, reconcile.ServiceAccountKey: o.account}
		if o.subscription != "" {
			content[reconcile.SubscriptionKey] = o.subscription
		}
		objects = append(objects, &corev1.Secret{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"}, ObjectMeta: meta(o.secret), StringData: content})
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# The identity in Azure has to trust the ServiceAccount:\n"+
		"# az identity federated-credential create --resource-group … --identity-name … --name %s-%s --issuer … \\\n"+
		"#   --subject system:serviceaccount:%s:%s --audiences %s\n",
		o.namespace, o.account, o.namespace, o.account, o.audience)
	for n, object := range objects {
		text, err := yaml.Marshal(object)
		if err != nil {
			return nil, err
		}
		if n > 0 {
			b.WriteString("---\n")
		}
		b.Write(text)
	}
	return b.Bytes(), nil
}
