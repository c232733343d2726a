package swagger_test

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/armature-dev/armature/generator/collections"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/documents/documentstest"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/swagger"
)

// corpusVersion is one API version in a checkout of azure-rest-api-specs.
type corpusVersion struct {
	provider, version string
	roots             []string
}

// corpus returns the versions of the checkout that ARMATURE_SPECS names, and a
// function that reads its files. It skips the test if there is no checkout.
func corpus(t testing.TB) ([]corpusVersion, func(string) ([]byte, error)) {
	root := os.Getenv("ARMATURE_SPECS")
	if root == "" {
		t.Skip("ARMATURE_SPECS is not set: no checkout of the published specs to read")
	}
	root = filepath.Join(root, "azure-rest-api-specs")
	files, err := filepath.Glob(filepath.Join(root, "specification/*/resource-manager/*/*/*/*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no specs below %s: %v", root, err)
	}
	versions := map[string]*corpusVersion{}
	for _, file := range files {
		name, err := filepath.Rel(root, file)
		if err != nil {
			t.Fatal(err)
		}
		name = filepath.ToSlash(name)
		segments := strings.Split(name, "/")
		provider, version := segments[3], segments[5]
		key := provider + " " + version
		if versions[key] == nil {
			versions[key] = &corpusVersion{provider: provider, version: version}
		}
		versions[key].roots = append(versions[key].roots, name)
	}
	var sorted []corpusVersion
	for _, key := range slices.Sorted(maps.Keys(versions)) {
		sorted = append(sorted, *versions[key])
	}
	read := func(name string) ([]byte, error) {
		return os.ReadFile(filepath.Join(root, filepath.FromSlash(path.Clean(name))))
	}
	return sorted, read
}

// allPuts returns exports of every resource in the documents of a version.
func allPuts(t testing.TB, v corpusVersion, read func(string) ([]byte, error)) map[string]string {
	putPath := regexp.MustCompile(`(?i)"/[^"]*/providers/(` + regexp.QuoteMeta(v.provider) + `(?:/[^"/{}]+/[^"/]+)+)"`)
	exports := map[string]string{}
	folded := map[string]bool{}
	for _, root := range v.roots {
		text, err := read(root)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range putPath.FindAllSubmatch(text, -1) {
			segments := strings.Split(string(m[1]), "/")
			armType, kind := segments[0], ""
			for i := 1; i < len(segments); i += 2 {
				armType += "/" + segments[i]
				kind += strings.ToUpper(segments[i][:1]) + segments[i][1:]
			}
			if !folded[strings.ToLower(armType)] {
				folded[strings.ToLower(armType)] = true
				exports[armType] = kind
			}
		}
	}
	return exports
}

func TestPublishedSpecs(t *testing.T) {
	versions, read := corpus(t)
	kinds := map[string]int{}
	for _, version := range versions {
		v, err := swagger.Reader{}.Read(documents.Input{
			Provider: version.provider, APIVersion: version.version, Roots: version.roots, Read: read,
			Exports: allPuts(t, version, read),
		})
		if err != nil {
			t.Errorf("%s %s:\n%v", version.provider, version.version, err)
			continue
		}
		documentstest.Check(t, v)
		checkPaths(t, v)
		t.Logf("%s %s: %d resources, %d types, %d notes", v.Provider, v.APIVersion, len(v.Resources), len(v.Types), len(v.Notes))
		for _, n := range v.Notes {
			kinds[fmt.Sprintf("%s: %s", n.Kind, generalize(n.Reason))]++
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		t.Logf("%5d %s", kinds[kind], kind)
	}
}

// TestPublishedCollections lists the collections of all published resources.
func TestPublishedCollections(t *testing.T) {
	versions, read := corpus(t)
	found := map[string]bool{}
	for _, version := range versions {
		v, err := swagger.Reader{}.Read(documents.Input{
			Provider: version.provider, APIVersion: version.version, Roots: version.roots, Read: read,
			Exports: allPuts(t, version, read),
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range v.Resources {
			for _, c := range r.Collections {
				if !collections.IsChild(c.Type, r.Type) {
					t.Errorf("%s is not below %s", c.Type, r.Type)
				}
				line := strings.TrimPrefix(r.Type, "Microsoft.") + " " + c.Path + " " + path.Base(c.Type)
				if c.Flat {
					line += " flat"
				}
				found[line] = true
			}
		}
	}
	want := []string{
		"Compute/virtualMachineScaleSets properties/virtualMachineProfile/extensionProfile/extensions extensions",
		"ContainerService/managedClusters properties/agentPoolProfiles agentPools flat",
		"EventGrid/domains properties/privateEndpointConnections privateEndpointConnections",
		"EventGrid/topics properties/privateEndpointConnections privateEndpointConnections",
		"Network/loadBalancers properties/backendAddressPools backendAddressPools",
		"Network/loadBalancers properties/inboundNatRules inboundNatRules",
		"Network/networkInterfaces properties/tapConfigurations tapConfigurations",
		"Network/networkSecurityGroups properties/securityRules securityRules",
		"Network/routeTables properties/routes routes",
		"Network/serviceEndpointPolicies properties/serviceEndpointPolicyDefinitions serviceEndpointPolicyDefinitions",
		"Network/virtualHubs properties/virtualHubRouteTableV2s routeTables",
		"Network/virtualNetworks properties/subnets subnets",
		"Network/virtualNetworks properties/virtualNetworkPeerings virtualNetworkPeerings",
		"Network/vpnGateways properties/connections vpnConnections",
		"Network/vpnGateways properties/natRules natRules",
		"ServiceBus/namespaces properties/privateEndpointConnections privateEndpointConnections",
		"Web/hostingEnvironments properties/workerPools workerPools",
	}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(found))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// checkPaths reports the resources without a path.
func checkPaths(t *testing.T, v *ir.Version) {
	t.Helper()
	for _, r := range v.Resources {
		if r.Path == "" {
			t.Errorf("%s %s: %s lacks its path", v.Provider, v.APIVersion, r.Type)
		}
	}
}

// generalize replaces the names in a reason.
func generalize(reason string) string {
	return regexp.MustCompile(`"[^"]*"|/\S+|inherited \S+|which is \S+|body \(\S+\)`).ReplaceAllString(reason, "…")
}

// BenchmarkLoadStorage reads the five versions of storage in the checkout,
// with all of their resources: 1.2 MB of Swagger.
func BenchmarkLoadStorage(b *testing.B) {
	versions, read := corpus(b)
	var inputs []documents.Input
	texts := map[string][]byte{}
	for _, v := range versions {
		if v.provider != "Microsoft.Storage" {
			continue
		}
		inputs = append(inputs, documents.Input{
			Provider: v.provider, APIVersion: v.version, Roots: v.roots, Exports: allPuts(b, v, read),
			Read: func(name string) ([]byte, error) {
				if texts[name] == nil {
					text, err := read(name)
					if err != nil {
						return nil, err
					}
					texts[name] = text
				}
				return texts[name], nil
			},
		})
	}
	load := func() {
		for _, in := range inputs {
			if _, err := (swagger.Reader{}).Read(in); err != nil {
				b.Fatal(err)
			}
		}
	}
	load()
	size := 0
	for _, text := range texts {
		size += len(text)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		load()
	}
}
