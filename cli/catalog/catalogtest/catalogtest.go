// Package catalogtest has the files of some groups, for the tests of commands. Its main function is [Files].
package catalogtest

import (
	"encoding/json"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/armature-dev/armature/cli/catalog"
	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/generator/crd/crdtest"
	"github.com/armature-dev/armature/generator/plan"
)

// RedisID is the id that the sample of a subnet has in place of a name.
const RedisID = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mysample/providers/Contoso.Test/redis/mysample"

// GroupOwner is the owner that the sample of a subnet has.
const GroupOwner = "  owner:\n    group: storage.azure.armature.dev\n    kind: ResourceGroup\n    name: mysample\n"

// Files returns the files of five groups, two of which have a kind Person. Some have the kinds of the
// examples in the help.
func Files(t *testing.T) fs.FS {
	t.Helper()
	all := fstest.MapFS{}
	for folder, group := range map[string]struct {
		name  string
		kinds []crdtest.Kind
	}{
		"0": {"crm.azure.armature.dev", []crdtest.Kind{{Kind: "Person", Plural: "persons"}, {Kind: "Party", Plural: "parties"}}},
		"1": {"cache.azure.armature.dev", []crdtest.Kind{{Kind: "Redis", Plural: "redis", ShortNames: []string{"rds"}}}},
		"2": {"hr.example.com", []crdtest.Kind{{Kind: "Person", Plural: "persons"}}},
		"3": {"storage.azure.armature.dev", []crdtest.Kind{{Kind: "StorageAccount", Plural: "storageaccounts"},
			{Kind: "ResourceGroup", Plural: "resourcegroups", ShortNames: []string{"rg"}}}},
		"4": {"network.azure.armature.dev", []crdtest.Kind{{Kind: "VirtualNetwork", Plural: "virtualnetworks"},
			{Kind: "VirtualNetworkSubnet", Plural: "virtualnetworksubnets", ShortNames: []string{"snet"}}}},
	} {
		for i, k := range group.kinds {
			group.kinds[i].Versions = []string{"v20200101", "v20190101", "v20200101storage"}
			for path, version := range map[string]string{"": "v20200101", "v20190101/": "v20190101"} {
				sample := "apiVersion: " + group.name + "/" + version + "\nkind: " + k.Kind + "\n"
				if k.Kind == "VirtualNetworkSubnet" {
					sample += "spec:\n  cache:\n    armId: " + RedisID + "\n" + GroupOwner
				}
				all[folder+"/sample/"+path+strings.ToLower(k.Kind)+".yaml"] = &fstest.MapFile{Data: []byte(sample)}
			}
		}
		if group.name == "cache.azure.armature.dev" {
			links, err := json.Marshal(cacheLinks())
			if err != nil {
				t.Fatal(err)
			}
			all[folder+"/"+catalog.LinksFile] = &fstest.MapFile{Data: links}
		}
		all[folder+"/crds/"+crd.IndexFile] = &fstest.MapFile{Data: crdtest.Files(t, group.name, group.kinds...)[crd.IndexFile]}
	}
	return all
}

// cacheLinks are links as those of apis/cache: three versions, the last of which is the hub, with an
// alias of the first.
func cacheLinks() *plan.Links {
	const prefix = "example.com/cache/"
	link := func(pkg, version, neighbour, next string, pairs ...plan.NamedPair) *plan.Package {
		return &plan.Package{
			Name: pkg, APIVersion: version, Resources: []plan.Resource{{Kind: "Redis", Next: neighbour}},
			Neighbours: []plan.Neighbour{{Name: neighbour, ImportPath: prefix + neighbour, APIVersion: next, Pairs: pairs}},
		}
	}
	spec, status := plan.NamedPair{Here: "Redis_Spec", There: "Redis_Spec"}, plan.NamedPair{Here: "Redis_Status", There: "Redis_Status"}
	entry := plan.NamedPair{Here: "ScheduleEntry", There: "ScheduleEntry"}
	sku, other := plan.NamedPair{Here: "RedisSku", There: "Sku"}, plan.NamedPair{Here: "RedisSku", There: "ShardSku"}
	alias := link("v1beta20200601", "2020-06-01", "v1beta20200601storage", "2020-06-01", spec)
	alias.Alias, alias.Twin = true, prefix+"v20200601storage"
	written := link("v20201201storage", "2020-12-01", "v20210601storage", "2021-06-01", spec, status)
	for _, pair := range written.Neighbours[0].Pairs {
		written.Hooks = append(written.Hooks, plan.Hook{Type: pair.Here, Neighbour: "v20210601storage", There: pair.There, To: true})
	}
	written.Hooks = append(written.Hooks, plan.Hook{Type: "Redis_Spec", Neighbour: "v20210601storage", There: "Redis_Spec"})
	return plan.NewLinks("apis/cache", []*plan.Package{
		link("v20200601", "2020-06-01", "v20200601storage", "2020-06-01", sku, spec, status),
		link("v20201201", "2020-12-01", "v20201201storage", "2020-12-01", spec, status),
		link("v20210601", "2021-06-01", "v20210601storage", "2021-06-01", spec, status),
		link("v20200601storage", "2020-06-01", "v20201201storage", "2020-12-01", sku, other, spec, status, entry),
		alias, link("v1beta20200601storage", "2020-06-01", "v20200601storage", "2020-06-01"),
		written,
	})
}

// Read returns the catalog of [Files].
func Read(t *testing.T) *catalog.Catalog {
	t.Helper()
	all, err := catalog.Read(Files(t))
	if err != nil {
		t.Fatal(err)
	}
	return all
}
