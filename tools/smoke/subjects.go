package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/armature-dev/armature/tools/smoke/remains"
)

// lanes are what is tried side by side, each resource in it after the one before.
var lanes = []string{"storage", "redis", "network"}

// subject is a resource that is tried.
type subject struct {
	lane, name string
	resource   schema.GroupResource
	kind       string
	armType    string
	// newest is the version at which it is created, and oldest the one at which it is edited.
	newest, oldest string
	// object is the name of the object and of the resource, and id the resource's ARM id.
	object, id string
	// removedAt is the API version at which a resource is read and deleted beside the operator, or ""
	// for one that goes with another.
	removedAt string
	spec      map[string]any
	// at is where the edit is in the Spec of the oldest version, and value what it puts there.
	at    []string
	value any
	// armAt has the path of the edit in ARM's body, and the leaf there that has the value want.
	armAt, armLeaf, want string
	secret               string // that has the keys
	keys                 []string
	create, edit, remove time.Duration // how long it may take
}

// armVersion returns ARM's name of an API version, such as 2024-11-01 of v20241101.
func armVersion(version string) string { return version[1:5] + "-" + version[5:7] + "-" + version[7:9] }

// plan has everything that a run makes.
type plan struct {
	suffix, groupName, groupID string
	// group is nil in a resource group that is there already.
	group    *subject
	subjects []*subject
}

// editTag is the tag that the edit of the Redis adds, as most other changes of one take Azure half an hour.
const editTag = remains.Tag + "-edited"

// groupVersion is the one at which resource groups are read and deleted beside the operator.
const groupVersion = "2025-04-01"

// newPlan returns what the run with a suffix makes. Names in Azure have the suffix, as those of
// storage accounts and caches must be unique in the world.
func newPlan(o options, suffix string, expires time.Time) *plan {
	p := &plan{suffix: suffix, groupName: o.group}
	tags := map[string]any{remains.Tag: suffix, remains.ExpiryTag: expires.UTC().Format(time.RFC3339)}
	if o.group == "" {
		p.groupName = "armature-smoke-" + suffix
	}
	p.groupID = "/subscriptions/" + o.subscription + "/resourceGroups/" + p.groupName
	owner := map[string]any{"armId": p.groupID}
	if o.group == "" {
		owner = map[string]any{"name": p.groupName}
		p.group = &subject{
			name: "resource group", resource: schema.GroupResource{Group: "resources", Resource: "resourcegroups"}, kind: "ResourceGroup",
			armType: "Microsoft.Resources/resourceGroups", object: p.groupName, id: p.groupID,
			spec: map[string]any{
				"location": o.location, "tags": tags, "owner": map[string]any{"armId": "/subscriptions/" + o.subscription},
			},
			create: 5 * time.Minute, remove: time.Hour,
		}
	}
	account, name := "armsmoke"+suffix, "armature-smoke-"+suffix
	networkID := p.groupID + "/providers/Microsoft.Network/virtualNetworks/" + name
	all := []*subject{{
		lane: "storage", name: "storage account",
		resource: schema.GroupResource{Group: "storage", Resource: "storageaccounts"}, kind: "StorageAccount",
		armType: "Microsoft.Storage/storageAccounts", object: account, removedAt: "2026-04-01",
		id: p.groupID + "/providers/Microsoft.Storage/storageAccounts/" + account,
		spec: map[string]any{
			"owner": owner, "location": o.location, "tags": tags, "kind": "StorageV2", "sku": map[string]any{"name": "Standard_LRS"},
			"accessTier": "Hot", "minimumTlsVersion": "TLS1_2", "allowBlobPublicAccess": false, "allowCrossTenantReplication": false,
			"operatorSpec": secrets("storage", "key1", "blobEndpoint"),
		},
		at: []string{"accessTier"}, value: "Cool", armAt: "properties.accessTier", armLeaf: "properties.accessTier", want: "Cool",
		secret: "storage", keys: []string{"key1", "blobEndpoint"},
		create: 10 * time.Minute, edit: 10 * time.Minute, remove: 10 * time.Minute,
	}, {
		lane: "redis", name: "redis", resource: schema.GroupResource{Group: "cache", Resource: "redis"}, kind: "Redis",
		armType: "Microsoft.Cache/redis", object: name, removedAt: "2024-11-01",
		id: p.groupID + "/providers/Microsoft.Cache/redis/" + name,
		spec: map[string]any{
			"owner": owner, "location": o.location, "tags": tags,
			"sku":               map[string]any{"name": "Basic", "family": "C", "capacity": int64(0)},
			"minimumTlsVersion": "1.2", "publicNetworkAccess": "Enabled", "enableNonSslPort": false,
			"redisConfiguration": map[string]any{"maxmemoryPolicy": "volatile-lru"},
			"operatorSpec":       secrets("redis", "primaryKey", "hostName"),
		},
		at: []string{"tags", editTag}, value: "yes", armAt: "tags." + editTag, armLeaf: "tags." + editTag, want: "yes",
		secret: "redis", keys: []string{"primaryKey", "hostName"},
		create: time.Hour, edit: 30 * time.Minute, remove: time.Hour,
	}, {
		lane: "network", name: "virtual network",
		resource: schema.GroupResource{Group: "network", Resource: "virtualnetworks"}, kind: "VirtualNetwork",
		armType: "Microsoft.Network/virtualNetworks", object: name, removedAt: "2025-09-01", id: networkID,
		spec: map[string]any{
			"owner": owner, "location": o.location, "tags": tags, "flowTimeoutInMinutes": int64(10),
			"addressSpace": map[string]any{"addressPrefixes": []any{"10.0.0.0/16"}},
		},
		at: []string{"addressSpace", "addressPrefixes"}, value: []any{"10.0.0.0/16", "10.1.0.0/16"},
		armAt: "properties.addressSpace", armLeaf: "properties.addressSpace.addressPrefixes[1]", want: "10.1.0.0/16",
		create: 10 * time.Minute, edit: 10 * time.Minute, remove: 10 * time.Minute,
	}, {
		lane: "network", name: "subnet",
		resource: schema.GroupResource{Group: "network", Resource: "virtualnetworksubnets"}, kind: "VirtualNetworkSubnet",
		armType: "Microsoft.Network/virtualNetworks/subnets", object: "front", id: networkID + "/subnets/front",
		spec: map[string]any{
			"owner": map[string]any{"name": name}, "addressPrefix": "10.0.0.0/24", "defaultOutboundAccess": false,
			"privateEndpointNetworkPolicies": "Disabled",
		},
		at: []string{"serviceEndpoints"}, value: []any{map[string]any{"service": "Microsoft.Storage"}},
		armAt: "properties.serviceEndpoints", armLeaf: "properties.serviceEndpoints[0].service", want: "Microsoft.Storage",
		create: 10 * time.Minute, edit: 10 * time.Minute, remove: 10 * time.Minute,
	}}
	p.subjects = slices.DeleteFunc(all, func(s *subject) bool { return slices.Contains(o.skip, s.lane) })
	for _, s := range p.all() {
		s.resource.Group += ".azure.armature.dev"
	}
	return p
}

// secrets returns an operatorSpec that asks for outputs in a Secret, each by its own name.
func secrets(secret string, outputs ...string) map[string]any {
	all := map[string]any{}
	for _, output := range outputs {
		all[output] = map[string]any{"name": secret, "key": output}
	}
	return map[string]any{"secrets": all}
}

// all returns the subjects, the resource group first.
func (p *plan) all() []*subject {
	if p.group == nil {
		return p.subjects
	}
	return append([]*subject{p.group}, p.subjects...)
}

// outermost returns the resources that contain all others which the run makes.
func (p *plan) outermost() []remains.Resource {
	if p.group != nil {
		return []remains.Resource{{ID: p.groupID, APIVersion: groupVersion}}
	}
	var all []remains.Resource
	for _, s := range p.subjects {
		if s.removedAt != "" {
			all = append(all, remains.Resource{ID: s.id, APIVersion: s.removedAt})
		}
	}
	return all
}

var stable = regexp.MustCompile(`^v\d{8}$`)

// choose chooses the versions of the subjects: the newest and the oldest that are no previews.
func (p *plan) choose(crds []*apiextensionsv1.CustomResourceDefinition) error {
	for _, s := range p.all() {
		var versions []string
		for _, crd := range crds {
			if crd.Name != s.resource.String() {
				continue
			}
			for _, v := range crd.Spec.Versions {
				if v.Served && stable.MatchString(v.Name) {
					versions = append(versions, v.Name)
				}
			}
		}
		if len(versions) < 2 {
			return fmt.Errorf("%s: found the versions %s, expected two", s.kind, strings.Join(versions, ", "))
		}
		s.oldest, s.newest = slices.Min(versions), slices.Max(versions)
	}
	return nil
}
