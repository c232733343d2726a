package kubernetes

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/armature-dev/armature/internal/folder"
)

// layoutIndex is the file of an OCI layout that lists what is pushed.
const layoutIndex = "index.json"

// blobs has the files of an OCI layout of one manifest.
type blobs struct{ files folder.Files }

// add adds a blob, and returns its descriptor.
func (b *blobs) add(kind types.MediaType, text []byte) v1.Descriptor {
	if b.files == nil {
		b.files = folder.Files{"oci-layout": []byte(`{"imageLayoutVersion":"1.0.0"}`)}
	}
	sum := sha256.Sum256(text)
	digest := v1.Hash{Algorithm: "sha256", Hex: hex.EncodeToString(sum[:])}
	b.files[path.Join("blobs", digest.Algorithm, digest.Hex)] = text
	return v1.Descriptor{MediaType: kind, Size: int64(len(text)), Digest: digest}
}

// of returns the files of the layout with a manifest, which its index lists with annotations. It has no dates.
func (b *blobs) of(manifest v1.Manifest, annotations map[string]string) (folder.Files, error) {
	manifest.SchemaVersion, manifest.MediaType = 2, types.OCIManifestSchema1
	text, err := json.Marshal(manifest)
	if err != nil {
		return nil, err
	}
	listed := b.add(types.OCIManifestSchema1, text)
	listed.Annotations = annotations
	b.files[layoutIndex], err = json.Marshal(v1.IndexManifest{
		SchemaVersion: 2,
		MediaType:     types.OCIImageIndex,
		Manifests:     []v1.Descriptor{listed},
	})
	return b.files, err
}

// Referrer returns a file about the image in the files of an OCI layout. Its manifest names the image as its subject,
// so a registry that has both shows the file to who asks for what refers to the image.
func (i Image) Referrer(kind types.MediaType, name string, text []byte) (folder.Files, error) {
	var b blobs
	subject := v1.Descriptor{MediaType: i.manifest.MediaType, Size: i.manifest.Size, Digest: i.manifest.Digest}
	file := b.add(kind, text)
	file.Annotations = map[string]string{"org.opencontainers.image.title": name}
	return b.of(v1.Manifest{
		ArtifactType: string(kind),
		Config:       b.add(kind, []byte("{}")), // crane and old registries take its type for that of the artifact
		Layers:       []v1.Descriptor{file},
		Subject:      &subject,
	}, nil)
}
