package kubernetes

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-containerregistry/pkg/v1/layout"

	"github.com/armature-dev/armature/internal/folder"
	"github.com/armature-dev/armature/tools/publish/kubernetes/kubernetestest"
)

// registry is where the images of the tests are.
const registry = "registry.example.com:5000/azure"

// release returns the release of files.
func release(t *testing.T, files folder.Files, registry string) *Release {
	t.Helper()
	archive, err := folder.Archive("release", files, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := New(archive, registry)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestManifests(t *testing.T) {
	files, err := release(t, kubernetestest.Files(), registry).Manifests()
	if err != nil {
		t.Fatal(err)
	}
	t.Run("there is a file for each part, with its objects in order", func(t *testing.T) {
		got := map[string][]string{}
		for name, text := range files {
			for _, kind := range regexp.MustCompile(`(?m)^kind: (.*)$`).FindAllStringSubmatch(string(text), -1) {
				got[name] = append(got[name], kind[1])
			}
		}
		if diff := cmp.Diff(map[string][]string{
			"webhook.yaml":           {"Namespace", "Deployment", "Issuer"},
			"webhook-ca-bundle.yaml": {"Namespace", "Deployment"},
			"operator.yaml":          {"Deployment"},
			"crm.yaml":               {ofCRDs, "ValidatingAdmissionPolicy"},
			"crm-crds.yaml":          {ofCRDs},
		}, got); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("images are where they were pushed to, by their digests", func(t *testing.T) {
		for name, want := range map[string]string{
			"webhook.yaml":           "image: " + registry + "/armature-webhook@" + kubernetestest.Webhook + "\n",
			"webhook-ca-bundle.yaml": "image: " + registry + "/armature-webhook@" + kubernetestest.Webhook + "\n",
			"operator.yaml":          "image: " + registry + "/armature-operator@" + kubernetestest.Operator + "\n",
		} {
			if !strings.Contains(string(files[name]), want) {
				t.Errorf("%s lacks %s", name, want)
			}
		}
	})
	t.Run("without a registry an image has its name", func(t *testing.T) {
		files, err := release(t, kubernetestest.Files(), "").Manifests()
		want := "image: armature-operator@" + kubernetestest.Operator + "\n"
		if err != nil || !strings.Contains(string(files["operator.yaml"]), want) {
			t.Errorf("%v, want %s in\n%s", err, want, files["operator.yaml"])
		}
	})
	t.Run("a group that is called like another file is refused", func(t *testing.T) {
		files := kubernetestest.Files()
		files["base/groups/operator/kustomization.yaml"] = files["base/groups/crm/kustomization.yaml"]
		files["base/groups/operator/crd.yaml"] = files["base/groups/crm/crd.yaml"]
		files["base/groups/operator/policy.yaml"] = files["base/groups/crm/policy.yaml"]
		files["cert-manager/operator/kustomization.yaml"] = []byte("resources: [../../base/groups/operator]\n")
		_, err := release(t, files, "").Manifests()
		if err == nil || !strings.Contains(err.Error(), "operator.yaml: two parts of the release have this name") {
			t.Errorf("error %v", err)
		}
	})
}

func TestNew(t *testing.T) {
	for _, test := range []struct {
		reason, registry string
		change           func(folder.Files)
		want             string
	}{
		{"a URL as a registry", "https://registry.example.com", func(folder.Files) {}, "the registry: found https://"},
		{"a registry that cannot be", "registry.example.com/A", func(folder.Files) {}, "the registry: repository can only contain"},
		{"an archive of something else", registry, func(files folder.Files) { delete(files, "base/image/kustomization.yaml") },
			"base/image/kustomization.yaml: expected the digest of one image"},
	} {
		files := kubernetestest.Files()
		test.change(files)
		archive, err := folder.Archive("release", files, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := New(archive, test.registry); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %s", test.reason, err, test.want)
		}
	}
}

func TestUndescribed(t *testing.T) {
	files := kubernetestest.Files()
	files["base/groups/crm/versions/crds.json"] = []byte(`{"group": "crm.example.com", "crds": [
		{"kind": "Person", "versions": [{}, {"withoutDocs": true}]}, {"kind": "Party", "versions": [{}]}]}`)
	got, err := release(t, files, "").Undescribed()
	if want := []string{"Person.crm.example.com"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

func TestChart(t *testing.T) {
	mustChart := func(t *testing.T) *Chart {
		t.Helper()
		chart, err := release(t, kubernetestest.Files(), registry).Chart()
		if err != nil {
			t.Fatal(err)
		}
		return chart
	}
	t.Run("its values name the images by their digests", func(t *testing.T) {
		want := kubernetestest.Files()
		packed := map[string]string{
			"armature/Chart.yaml":       string(want["chart/Chart.yaml"]),
			"armature/templates/a.yaml": string(want["chart/templates/a.yaml"]),
			"armature/values.yaml": "webhook:\n  # Where.\n  image: " + registry + "/armature-webhook@" + kubernetestest.Webhook +
				"\noperator:\n  image: " + registry + "/armature-operator@" + kubernetestest.Operator + "\n",
		}
		if diff := cmp.Diff(packed, unpack(t, mustChart(t).Archive)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("it is the same each time", func(t *testing.T) {
		if !bytes.Equal(mustChart(t).Archive, mustChart(t).Archive) {
			t.Error("two archives of one chart differ")
		}
	})
	t.Run("a layout has it as Helm pushes it", func(t *testing.T) { testLayout(t, mustChart(t)) })
	t.Run("a chart that is not of the release is refused", func(t *testing.T) {
		for _, test := range []struct{ file, text, want string }{
			{"chart/values.yaml", "image: armature-webhook\n", "found 0 lines with the image armature-webhook, expected one"},
			{"chart/Chart.yaml", "name: armature\nversion: 1.2.3\nappVersion: 0.0.0\n", `version "1.2.3" and appVersion "0.0.0"`},
		} {
			files := kubernetestest.Files()
			files[test.file] = []byte(test.text)
			if _, err := release(t, files, "").Chart(); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %s", err, test.want)
			}
		}
	})
}

// unpack returns the texts of an archive.
func unpack(t *testing.T, archive []byte) map[string]string {
	t.Helper()
	text, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for in := tar.NewReader(text); ; {
		header, err := in.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		files[header.Name] = string(text)
	}
}

func testLayout(t *testing.T, chart *Chart) {
	files, err := chart.Layout()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, text, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	index, err := layout.ImageIndexFromPath(dir)
	if err != nil {
		t.Fatal(err)
	}
	listed, err := index.IndexManifest()
	if err != nil || len(listed.Manifests) != 1 {
		t.Fatalf("%v, %v", listed, err)
	}
	if got := listed.Manifests[0].Annotations["org.opencontainers.image.ref.name"]; got != "1.2.3" {
		t.Errorf("the tag is %q", got)
	}
	pushed, err := index.Image(listed.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	config, err := pushed.RawConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	var metadata map[string]string
	if err := json.Unmarshal(config, &metadata); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"apiVersion": "v2", "name": "armature", "description": "A chart.", "version": "1.2.3",
		"appVersion": "1.2.3"}, metadata); diff != "" {
		t.Error(diff)
	}
	layers, err := pushed.Layers()
	if err != nil || len(layers) != 1 {
		t.Fatalf("%v, %v", layers, err)
	}
	in, err := layers[0].Compressed()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if got, err := io.ReadAll(in); err != nil || !bytes.Equal(got, chart.Archive) {
		t.Errorf("%v: the layer is not the archive", err)
	}
	if got, want := len(files), 5; got != want {
		t.Errorf("the layout has %d files, want %d", got, want)
	}
}
