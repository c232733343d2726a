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
	"strings"

	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/emit"
)

func main() { verb.Main("armwebhookcrds", Run) }

// Run writes the folder.
func Run(_ context.Context, args []string, _ io.Writer) error {
	flags := verb.NewFlags()
	crds := flags.Strings("crds", "a folder that armcrd has written; repeat it for each service group")
	namespace := flags.String("namespace", "the namespace of the webhook's Service")
	service := flags.String("service", "the name of the webhook's Service")
	bundle := flags.Optional("ca-bundle", "a PEM file with the certificates of the authority that signs the webhook's certificate")
	certificate := flags.Optional("certificate", "<namespace>/<name> of the webhook's Certificate, if cert-manager makes it")
	writers := flags.Strings("storage-writer", "<namespace>/<name> of a service account that may write at storage versions; may be repeated")
	out := flags.String("out", "the folder to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	webhook := emit.Webhook{Namespace: *namespace, Service: *service, Certificate: *certificate}
	if *bundle != "" {
		var err error
		if webhook.CABundle, err = os.ReadFile(*bundle); err != nil {
			return err
		}
	}
	var errs diag.List
	if err := webhook.Check(); err != nil {
		errs.Merge(fmt.Errorf("%s: %w", *bundle, err))
	}
	files := map[string][]byte{}
	for _, folder := range *crds {
		errs.Merge(addCRDs(files, folder, webhook))
		errs.Merge(addPolicies(files, folder))
	}
	if len(*writers) > 0 {
		files["storage-writers.yaml"] = emit.StorageWriters(*writers)
	}
	for _, account := range *writers {
		if namespace, name, _ := strings.Cut(account, "/"); namespace == "" || name == "" {
			errs.Merge(fmt.Errorf("found --storage-writer=%s, expected <namespace>/<name> of a service account", account))
		}
	}
	if err := errs.Err(); err != nil {
		return err
	}
	files["kustomization.yaml"] = emit.Kustomization(slices.Sorted(maps.Keys(files)))
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

// addCRDs adds the CRDs of a group to files, completed for the webhook. Their files
// are named <group>_<plural>.yaml.
func addCRDs(files map[string][]byte, folder string, webhook emit.Webhook) error {
	found, err := filepath.Glob(filepath.Join(folder, "*_*.yaml"))
	if err != nil {
		return fmt.Errorf("%s: %w", folder, err)
	}
	if len(found) == 0 {
		return fmt.Errorf("%s: found no CRDs; expected files named <group>_<plural>.yaml, as armcrd writes them", folder)
	}
	for _, file := range found {
		name := filepath.Base(file)
		if _, twice := files[name]; twice {
			return fmt.Errorf("%s: two of the folders in --crds have a CRD of this name; expected each service group once", name)
		}
		text, err := os.ReadFile(file)
		if err == nil {
			files[name], err = webhook.Complete(text)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

// addPolicies adds the admission policies of a group to files.
func addPolicies(files map[string][]byte, folder string) error {
	found, err := filepath.Glob(filepath.Join(folder, "*"+emit.PoliciesSuffix))
	for _, file := range found {
		if files[filepath.Base(file)], err = os.ReadFile(file); err != nil {
			return err
		}
	}
	return err
}
