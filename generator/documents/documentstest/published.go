package documentstest

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// PublishedVersion has the documents of one version of a provider in a checkout.
type PublishedVersion struct {
	Provider, APIVersion string
	// Roots are the names of the documents, relative to the checkout.
	Roots []string
}

// PublishedSwagger returns the versions in a checkout of azure-rest-api-specs, sorted.
// The documents of one lie at specification/<service>/resource-manager/<provider>, then
// in any folders, then in stable/<version> or preview/<version>.
func PublishedSwagger(tb testing.TB, checkout string) []PublishedVersion {
	tb.Helper()
	return published(tb, checkout, func(s []string) (provider, version string) {
		n := len(s)
		if n < 7 || s[0] != "specification" || s[2] != "resource-manager" || s[n-3] != "stable" && s[n-3] != "preview" {
			return "", ""
		}
		return s[3], s[n-2]
	})
}

// PublishedTypes returns the versions in a checkout of bicep-types-az, sorted. The
// documents of one are called types.json and lie in folders that end with its provider,
// in lower case, and its name.
func PublishedTypes(tb testing.TB, checkout string) []PublishedVersion {
	tb.Helper()
	return published(tb, checkout, func(s []string) (provider, version string) {
		n := len(s)
		if n < 3 || s[n-1] != "types.json" {
			return "", ""
		}
		return s[n-3], s[n-2]
	})
}

// published returns the versions of the documents of a checkout. The function of returns
// the version of a document by the segments of its name, or "".
func published(tb testing.TB, checkout string, of func(segments []string) (provider, version string)) []PublishedVersion {
	tb.Helper()
	found := map[string]*PublishedVersion{}
	walk := func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "examples":
			return fs.SkipDir
		case entry.IsDir() || path.Ext(name) != ".json":
			return nil
		}
		provider, version := of(strings.Split(name, "/"))
		if provider == "" {
			return nil
		}
		key := provider + " " + version
		if found[key] == nil {
			found[key] = &PublishedVersion{Provider: provider, APIVersion: version}
		}
		found[key].Roots = append(found[key].Roots, name)
		return nil
	}
	// A checkout may be a link.
	checkout, err := filepath.EvalSymlinks(checkout)
	if err == nil {
		err = fs.WalkDir(os.DirFS(checkout), ".", walk)
	}
	if err != nil || len(found) == 0 {
		tb.Fatalf("no documents below %s: %v", checkout, err)
	}
	var versions []PublishedVersion
	for _, key := range slices.Sorted(maps.Keys(found)) {
		versions = append(versions, *found[key])
	}
	return versions
}
