package kubernetes

import (
	"fmt"
	"regexp"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/internal/folder"
)

// The media types of charts in registries.
const (
	chartConfig  types.MediaType = "application/vnd.cncf.helm.config.v1+json"
	chartContent types.MediaType = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"
)

// Chart is a packed Helm chart.
type Chart struct {
	// Archive is the chart as a tar.gz file.
	Archive []byte
	// metadata is the content of its Chart.yaml, which [Chart.Layout] writes as JSON.
	metadata []byte
	// name, version and description are in it.
	name, version, description string
}

// Chart returns the chart of the release. The defaults of its values name the images by their digests.
func (r *Release) Chart() (*Chart, error) {
	const root, values, metadata = "chart/", "values.yaml", "Chart.yaml"
	files := folder.Files{}
	for name, text := range r.files {
		if file, found := strings.CutPrefix(name, root); found {
			files[file] = text
		}
	}
	for _, i := range r.images {
		line := regexp.MustCompile(`(?m)^  image: ` + regexp.QuoteMeta(i.Name) + `$`)
		if found := len(line.FindAll(files[values], -1)); found != 1 {
			return nil, fmt.Errorf("%s%s: found %d lines with the image %s, expected one", root, values, found, i.Name)
		}
		files[values] = line.ReplaceAllLiteral(files[values], []byte("  image: "+i.repository+"@"+i.Digest))
	}
	var described struct{ Name, Version, AppVersion, Description string }
	if err := yaml.Unmarshal(files[metadata], &described); err != nil {
		return nil, fmt.Errorf("%s%s: %w", root, metadata, err)
	}
	if described.Name == "" || described.Version == "" || described.AppVersion != described.Version {
		return nil, fmt.Errorf("%s%s: found the name %q, version %q and appVersion %q; expected a name, and one version",
			root, metadata, described.Name, described.Version, described.AppVersion)
	}
	c := &Chart{metadata: files[metadata], name: described.Name, version: described.Version, description: described.Description}
	var err error
	c.Archive, err = folder.Archive(described.Name, files, nil)
	return c, err
}

// Layout returns the chart as Helm pushes it to a registry, in the files of an OCI layout. It has no dates.
func (c *Chart) Layout() (folder.Files, error) {
	config, err := yaml.YAMLToJSON(c.metadata)
	if err != nil {
		return nil, err
	}
	var b blobs
	return b.of(v1.Manifest{
		Config: b.add(chartConfig, config),
		Layers: []v1.Descriptor{b.add(chartContent, c.Archive)},
		Annotations: map[string]string{
			"org.opencontainers.image.title":       c.name,
			"org.opencontainers.image.version":     c.version,
			"org.opencontainers.image.description": c.description,
		},
	}, map[string]string{"org.opencontainers.image.ref.name": c.version})
}
