package cluster

import (
	"path/filepath"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// KubeconfigOf writes the file with which a program reaches the cluster as a user, "" for the administrator.
func (c *Cluster) KubeconfigOf(t testing.TB, user string) string {
	t.Helper()
	config, by := api.NewConfig(), &api.AuthInfo{
		ClientCertificateData: c.Config.CertData, ClientKeyData: c.Config.KeyData, Impersonate: user}
	if user != "" {
		by.ImpersonateGroups = []string{"system:authenticated"}
	}
	const name = "test"
	config.Clusters[name] = &api.Cluster{Server: c.Config.Host, CertificateAuthorityData: c.Config.CAData}
	config.AuthInfos[name] = by
	config.Contexts[name] = &api.Context{Cluster: name, AuthInfo: name}
	config.CurrentContext = name
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, file); err != nil {
		t.Fatal(err)
	}
	return file
}
