// Package arm converts resources to requests for the Azure Resource Manager (ARM), and
// its responses to resources. [NewRequest] makes the request for a Spec, and [Decode]
// reads the response into a Status, each at the API version that the Spec and the
// Status belong to. Its main types are [ARMTransformer], which generated Specs are, and
// [Resolver], by which a caller supplies what a Spec only refers to: the ids of other
// resources, and the values of secrets.
//
// # Tags
//
// A Spec or Status is encoded by reflection, much as encoding/json does it. The
// key "arm" of a field's tag says how ARM's form differs from the field's JSON
// name; a field without it has the same name in ARM.
//
//	arm:"subnetID"            ARM's name
//	arm:"properties/subnetID" it lies in the object "properties"
//	arm:"keys,json"           a secret that is not a string, so its value is JSON;
//	                          arm:",json" is the same under the field's JSON name
//	arm:"file,base64"         a secret of bytes, which ARM encodes in Base64; with
//	                          arm:"file,base64url" in Base64 for URLs, unpadded
//	arm:"identities,keys"     references to resources whose ids are keys of the map identities,
//	                          which another field is
//	arm:"*"                   a map, whose entries lie beside the other fields
//	arm:"kind=Cat"            a variant of a union: an object whose fields lie
//	                          beside the others, where the property kind is Cat
//	arm:"kind=*"              untyped: the object itself, where the property
//	                          kind has any other value
//	arm:"-"                   not known to ARM
//	arm:"-,name"              the name of the resource in Azure, which is in the URL
//
// The key "armtypes" of a reference's tag lists the ARM types that the reference may have,
// with commas between them.
//
// "properties/" may precede each of these but the last two as well. If other fields lie in
// "properties", a field with this name is a pointer to an empty struct: it says that the
// object exists although none of its fields is set. The types of package reference become
// ARM ids and values; owners, conditions and settings of the operator are not known to
// ARM.
//
// A field of the type [reference.Value] has the place in ARM of the text that it stands for:
// [FillIn] sets that. In arm:"principalId,createOnly" the text cannot change once the resource
// exists.
//
// A nil pointer, slice or map is left out, an empty one is sent as it is. A null from
// ARM becomes nil.
package arm

import (
	"context"

	"github.com/armature-dev/armature/runtime/reference"
)

// ARMTransformer is a Spec from which [NewRequest] makes a request. The Specs
// of all API versions implement it.
type ARMTransformer interface {
	// ARMResource describes the resource in Azure.
	ARMResource() Resource
}

// FromARMConverter is a Status or Spec that reads ARM's answers in its own way. All
// others are read by their tags.
type FromARMConverter interface {
	FromARM(body []byte) (Ignored, error)
}

// Resource describes in Azure's terms the resource of a kind at one version.
type Resource struct {
	// Type is the ARM type, such as "Microsoft.Cache/redis/firewallRules".
	Type string
	// APIVersion is ARM's version, such as "2020-06-01".
	APIVersion string
	// Scope has the places where the resource can be. A child has the Scope of its parent.
	Scope Scope
	// FixedName is the only name that ARM accepts, or "".
	FixedName string
	// GUIDName reports whether names are GUIDs. The default name is then the name of the object
	// if that is a GUID, or else a GUID that is computed from the owner and the name.
	GUIDName bool
	// NoDelete reports whether ARM has no DELETE of the resource.
	NoDelete bool
	// Outputs are the values that the operator can write into Secrets and ConfigMaps.
	Outputs []Output
	// Collections are the lists in the body that hold children.
	Collections []Collection
}

// Collection is a list in the body of a resource whose elements are resources with ids
// of their own. A PUT that leaves an element out deletes it.
type Collection struct {
	// Path is the place of the list in the body, such as "properties/subnets".
	Path string
	// Type is the ARM type of the elements, such as "Microsoft.Network/virtualNetworks/subnets".
	Type string
	// Flat reports whether an element has, beside its name, the properties that the resource
	// has under "properties".
	Flat bool
}

// Output is a value of a resource that ARM returns.
type Output struct {
	// Name is the name of the output.
	Name string
	// Action is the action of the resource whose answer has the value, such as
	// "listKeys", or "" if the Status has it.
	Action string
	// Path is the place of the value, by ARM's names in an answer, and by Kubernetes' names
	// in the Status. "keys[0]" is the first element of a list, "keys[name=a]" is the element
	// with this property. "properties.*" is a whole map, as JSON.
	Path string
	// Base64 reports whether the answer encodes the value in Base64.
	Base64 bool
}

// Scope is a set of places in Azure.
type Scope uint8

// The places where a resource can be.
const (
	ResourceGroup Scope = 1 << iota
	Subscription
	Tenant
	Extension // on any other resource
)

// Resolver supplies the ids and the values that a Spec only refers to. It knows which
// object is being sent, and so the namespace of the names. It is not asked for references
// that have an ARM id.
type Resolver interface {
	// OwnerID returns the ARM id of an object in the cluster, given its name and the ARM
	// type of its resource, such as "Microsoft.Cache/redis", or for a scope
	// "Microsoft.Resources/resourceGroups" or "Microsoft.Resources/subscriptions".
	OwnerID(ctx context.Context, armType, name string) (string, error)
	// ResourceID returns the ARM id of an object in the cluster.
	ResourceID(ctx context.Context, ref reference.Resource) (string, error)
	// SecretValue returns the value of a key of a Secret. If the property is not a string
	// in ARM, the value is JSON. Of a reference without a key it returns all keys of the
	// Secret as a JSON object of texts.
	SecretValue(ctx context.Context, ref reference.Secret) (string, error)
}

// SubscriptionResolver is a [Resolver] that also knows the subscription of a resource whose
// Spec has no owner and that can be in a subscription only.
type SubscriptionResolver interface {
	Resolver
	// Subscription returns the ARM id of the subscription, such as "/subscriptions/…".
	Subscription(ctx context.Context) (string, error)
}

// TypeResolver is a [Resolver] that is told which ARM types a reference may have.
type TypeResolver interface {
	Resolver
	// ResourceIDOf is ResourceID for a reference to a resource of one of the types.
	ResourceIDOf(ctx context.Context, ref reference.Resource, types []string) (string, error)
}

// Request asks ARM to create a resource, or to change it.
type Request struct {
	Resource
	// Name is the name of the resource in Azure.
	Name string
	// ID is the ARM id of the resource.
	ID string
	// Body is JSON.
	Body []byte
}

// URL returns the path and query to send the request to, below the address of ARM.
func (r *Request) URL() string { return URL(r.ID, r.APIVersion) }

// NewRequest makes the request that asks ARM for the resource that the Spec describes.
// name is the name of the object in the cluster, which is the resource's name too
// unless the Spec has another one for Azure. The error lists everything that is wrong
// with the Spec.
func NewRequest(ctx context.Context, spec ARMTransformer, name string, resolver Resolver) (*Request, error) {
	id, err := ID(ctx, spec, name, resolver)
	body, bodyErr := Encode(ctx, spec, resolver)
	if err := join(err, bodyErr); err != nil {
		return nil, err
	}
	return &Request{Resource: spec.ARMResource(), Name: lastSegment(id), ID: id, Body: body}, nil
}
