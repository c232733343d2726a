// Command armwebhookcrds writes the CRDs of service groups into a folder for
// kustomize, with the address of one webhook, and their admission policies. The
// folder has a component too, which adds the address to CRDs that lack it.
package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/manifests"
)

func main() { verb.Main("armwebhookcrds", Run) }

// Run writes the folder.
func Run(_ context.Context, args []string, _ io.Writer) error {
	flags := verb.NewFlags()
	crds := flags.Strings("crds", "a folder that armcrd has written; repeat it for each service group")
	namespace := flags.Optional("namespace", "the namespace of the webhook's Service")
	service := flags.Optional("service", "the name of the webhook's Service")
	url := flags.Optional("url", "where the webhook is, if it is no Service of the cluster")
	bundle := flags.Optional("ca-bundle", "a PEM file with the certificates of the authority that signs the webhook's certificate")
	certificate := flags.Optional("certificate", "<namespace>/<name> of the webhook's Certificate, if cert-manager makes it")
	writers := flags.Strings("storage-writer",
		"<namespace>/<name> of a service account that may write at storage versions; may be repeated")
	out := flags.String("out", "the folder to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	webhook := crd.Webhook{Namespace: *namespace, Service: *service, URL: *url, Certificate: *certificate}
	if *bundle != "" {
		var err error
		if webhook.CABundle, err = os.ReadFile(*bundle); err != nil {
			return err
		}
	}
	var errs diag.List
	errs.Merge(webhook.CheckPlace())
	if err := webhook.Check(); err != nil {
		errs.Merge(fmt.Errorf("%s: %w", *bundle, err))
	}
	files := map[string][]byte{}
	for _, folder := range *crds {
		errs.Merge(addGroup(files, folder, webhook))
	}
	var accounts []manifests.Account
	for _, text := range *writers {
		account, err := manifests.ParseAccount(text)
		if err != nil {
			errs.Merge(fmt.Errorf("--storage-writer: %w", err))
		}
		accounts = append(accounts, account)
	}
	if len(accounts) > 0 {
		files["storage-writers.yaml"] = manifests.StorageWriters(accounts)
	}
	if err := errs.Err(); err != nil {
		return err
	}
	files[manifests.KustomizationFile] = manifests.Kustomization(slices.Sorted(maps.Keys(files)))
	for name, text := range webhook.Component() {
		files[filepath.Join("conversion", name)] = text
	}
	outputs := verb.NewOutputs()
	outputs.Folder(*out)
	for name, text := range files {
		outputs.Set(filepath.Join(*out, name), text)
	}
	return outputs.Commit()
}

// addGroup adds the CRDs of a group to files, completed for the webhook, and its
// admission policies.
func addGroup(files map[string][]byte, folder string, webhook crd.Webhook) error {
	index, err := crd.ReadIndex(filepath.Join(folder, crd.IndexFile))
	if err != nil {
		return err
	}
	var errs diag.List
	for _, c := range index.CRDs {
		if _, twice := files[c.File]; twice {
			errs.Merge(fmt.Errorf("%s: two of the folders in --crds have a CRD of this name; expected each service group once", c.File))
			continue
		}
		file := filepath.Join(folder, c.File)
		if files[c.File], err = complete(file, webhook); err != nil {
			errs.Merge(fmt.Errorf("%s: %w", file, err))
		}
	}
	policies := index.Group + manifests.PoliciesSuffix
	files[policies], err = os.ReadFile(filepath.Join(folder, policies))
	errs.Merge(err)
	return errs.Err()
}

// complete returns the text of the CRD in a file with the webhook.
func complete(file string, webhook crd.Webhook) ([]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	d, err := crd.Decode(text)
	if err != nil {
		return nil, err
	}
	if err := webhook.Complete(d); err != nil {
		return nil, err
	}
	return d.Text(), nil
}
