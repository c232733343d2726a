// Package signing signs a release with a key, and verifies it as docs/install.md says. .ci/signing runs it with a
// cosign, without the network.
package signing

import (
	"crypto/sha256"
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/random"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// release is a folder as //tools/publish makes one, and an image in a registry.
type release struct {
	*testing.T
	dir, image string
}

func newRelease(t *testing.T) *release {
	t.Helper()
	if os.Getenv("ARMATURE_COSIGN") == "" {
		t.Skip("ARMATURE_COSIGN names no cosign: .ci/signing unpacks one")
	}
	r := &release{T: t, dir: t.TempDir()}
	sums := ""
	for name, text := range map[string]string{
		"armature-0.1.0-webhook.yaml": "kind: Deployment\n", "armature-0.1.0.spdx.json": `{"spdxVersion": "SPDX-2.3"}`,
	} {
		r.write(name, text)
		sums += fmt.Sprintf("%x  %s\n", sha256.Sum256([]byte(text)), name)
	}
	r.write("SHA256SUMS", sums)
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0)), registry.WithReferrersSupport(true)))
	t.Cleanup(server.Close)
	index, err := random.Index(64, 1, 2) // an image for two platforms
	if err != nil {
		t.Fatal(err)
	}
	digest, err := index.Digest()
	if err != nil {
		t.Fatal(err)
	}
	r.image = strings.TrimPrefix(server.URL, "http://") + "/armature-webhook@" + digest.String()
	to, err := name.NewDigest(r.image)
	if err == nil {
		err = remote.WriteIndex(to, index)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"release", "stranger"} {
		if out, err := r.run("COSIGN_PASSWORD=a cosign generate-key-pair --output-key-prefix " + key); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	return r
}

func (r *release) write(name, text string) {
	r.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o600); err != nil {
		r.Fatal(err)
	}
}

// run runs commands in the folder of the release.
func (r *release) run(commands string) (string, error) {
	r.Helper()
	command := exec.Command("bash", "-euo", "pipefail", "-c", commands)
	command.Dir = r.dir
	command.Env = append(os.Environ(), "HOME="+r.dir, "COSIGN_PASSWORD=a")
	out, err := command.CombinedOutput()
	return string(out), err
}

// sign runs the script that signs releases with a key.
func (r *release) sign(key string, images ...string) (string, error) {
	r.Helper()
	script, err := filepath.Abs("../../tools/publish/sign.sh")
	if err != nil {
		r.Fatal(err)
	}
	return r.run("COSIGN_KEY=" + key + ".key " + script + " . " + strings.Join(images, " "))
}

// verifications returns the commands of docs/install.md that verify a signature, with a key and without the log that
// the page names.
func (r *release) verifications() (file, image, bill string) {
	r.Helper()
	page, err := os.ReadFile("../../docs/install.md")
	if err != nil {
		r.Fatal(err)
	}
	identity := regexp.MustCompile(`--certificate-identity-regexp \S+ \\?\s*--certificate-oidc-issuer \S+`)
	text := identity.ReplaceAllString(string(page), "--key release.pub --insecure-ignore-tlog")
	text = strings.ReplaceAll(text, "\\\n", "")
	find := func(command string) string {
		found := regexp.MustCompile(`(?m)^cosign ` + command + ` .*$`).FindString(text)
		if found == "" || !strings.Contains(found, "--key") {
			r.Fatalf("docs/install.md has no cosign %s with an identity: %q", command, found)
		}
		found = regexp.MustCompile(`registry\.example\.com/\S+`).ReplaceAllString(found, r.image)
		if command != "verify-blob" {
			found += " --allow-http-registry"
		}
		return found
	}
	return find("verify-blob"), find("verify"), find("verify-attestation")
}

func TestSign(t *testing.T) {
	r := newRelease(t)
	if out, err := r.sign("release", r.image); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	file, image, bill := r.verifications()
	for what, command := range map[string]string{"the sums": file, "the image": image, "the SBOM of the image": bill} {
		t.Run(what+" have the signature of the release, and no other", func(t *testing.T) {
			out, err := r.run(command)
			if err != nil {
				t.Fatalf("%v: %s\n%s", err, command, out)
			}
			if what == "the SBOM of the image" && !strings.Contains(out, "payload") {
				t.Errorf("no attestation is shown: %s", out)
			}
			if out, err := r.run(strings.Replace(command, "release.pub", "stranger.pub", 1)); err == nil {
				t.Errorf("the key of a stranger verifies it:\n%s", out)
			}
		})
	}
	t.Run("sums that somebody has changed have none", func(t *testing.T) {
		sums, err := os.ReadFile(filepath.Join(r.dir, "SHA256SUMS"))
		if err != nil {
			t.Fatal(err)
		}
		r.write("SHA256SUMS", strings.Replace(string(sums), "webhook", "hook", 1))
		if out, err := r.run(file); err == nil {
			t.Errorf("they verify:\n%s", out)
		}
		r.write("SHA256SUMS", string(sums))
	})
	t.Run("a folder that is not what its sums say is not signed", func(t *testing.T) {
		if err := os.Remove(filepath.Join(r.dir, "SHA256SUMS.sig")); err != nil {
			t.Fatal(err)
		}
		r.write("armature-0.1.0-webhook.yaml", "kind: Pod\n")
		out, err := r.sign("release")
		if _, found := os.Stat(filepath.Join(r.dir, "SHA256SUMS.sig")); err == nil || !os.IsNotExist(found) ||
			!strings.Contains(out, "nothing was signed") {
			t.Errorf("got %v: %s", err, out)
		}
	})
	t.Run("an image by its tag is not signed", func(t *testing.T) {
		r.write("armature-0.1.0-webhook.yaml", "kind: Deployment\n")
		tag, _, _ := strings.Cut(r.image, "@")
		if out, err := r.sign("release", tag+":1"); err == nil || !strings.Contains(out, "expected a name with a digest") {
			t.Errorf("got %v: %s", err, out)
		}
	})
}
