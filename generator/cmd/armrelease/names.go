package main

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/armature-dev/armature/generator/manifests"
)

// defaultNamespace is the namespace in the manifests that are written by hand.
const defaultNamespace = "armature-system"

// names says what the objects of a release are called. The manifests that are written by
// hand have [defaultNamespace], and no prefix.
type names struct{ namespace, prefix string }

// check returns an error if an object cannot have these names.
func (n names) check() error {
	if wrong := validation.IsDNS1123Label(n.namespace); len(wrong) > 0 {
		return fmt.Errorf("--namespace=%s: %s", n.namespace, strings.Join(wrong, "; "))
	}
	if wrong := validation.IsDNS1035Label(n.prefix + "armature-operator-metrics"); len(wrong) > 0 { // the longest name of a Service
		return fmt.Errorf("--name-prefix=%s: %sarmature-operator-metrics: %s", n.prefix, n.prefix, strings.Join(wrong, "; "))
	}
	return nil
}

// operator returns the operator's service account, which writes at storage versions.
func (n names) operator() manifests.Account {
	return manifests.Account{Namespace: n.namespace, Name: n.prefix + "armature-operator"}
}

// prefixed returns the text of a kustomization that adds the prefix.
func (n names) prefixed(kustomization []byte) []byte {
	if n.prefix == "" {
		return kustomization
	}
	return append(bytes.Clone(kustomization), "namePrefix: "+n.prefix+"\n"...)
}

// secureMetrics is the folder of a component that has objects besides those of the operator. Kustomize does not add the
// prefix of the operator's folder to these.
const secureMetrics = "operator/metrics-secure"

// addManifest adds a file that is written by hand. The folders that somebody applies add
// the prefix; kustomize knows which names refer to one another, and the transformer names
// those that it does not know. The README names the objects as they are called.
func (r release) addManifest(name, file string, in names) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	content = bytes.ReplaceAll(content, []byte(defaultNamespace), []byte(in.namespace))
	switch folder, base := path.Split(name); {
	case base == "README.md":
		content = []byte(strings.NewReplacer(
			"deployment/armature-", "deployment/"+in.prefix+"armature-",
			"`armature-webhook.", "`"+in.prefix+"armature-webhook.",
			"`armature-storage-writer`", "`"+in.prefix+"armature-storage-writer`",
			"service account `armature-operator`", "service account `"+in.prefix+"armature-operator`",
			"role `armature-<group>", "role `"+in.prefix+"armature-<group>",
		).Replace(string(content)))
	case folder == secureMetrics+"/" && base == manifests.KustomizationFile: // the rest are names of targets
		content = bytes.ReplaceAll(content, []byte("name: armature-metrics-"), []byte("name: "+in.prefix+"armature-metrics-"))
	case folder == secureMetrics+"/":
		content = bytes.ReplaceAll(content, []byte("name: armature-"), []byte("name: "+in.prefix+"armature-"))
		content = bytes.ReplaceAll(content, []byte("app.kubernetes.io/name: "+in.prefix), []byte("app.kubernetes.io/name: "))
	case base != manifests.KustomizationFile || in.prefix == "":
	case folder == "operator/":
		content = in.prefixed(content)
	case strings.HasSuffix(folder, "/webhook/") && folder != "base/webhook/":
		content = append(in.prefixed(content), "transformers:\n- ../names\n"...)
	}
	return r.add(name, content)
}
