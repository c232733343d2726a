// Package ir is the model of one API version of an ARM service. Readers of specs
// make it, transformations change it, and emitters read it.
// Its main type is [Version].
//
// A Version has two forms. A reader makes the raw form, in which a resource
// refers to the request body and to the response of the spec. Package transform
// makes the shaped form, in which a resource refers to a Kubernetes Spec and
// Status. Only the shaped form is written to files.
//
// Files have no line numbers, so that white space in a spec changes no IR. A
// place in a spec is a file and a JSON pointer.
package ir

import "github.com/armature-dev/armature/generator/jsontree"

// Version is everything that one API version of an ARM provider describes.
type Version struct {
	// Provider is the ARM resource provider, such as "Microsoft.Cache".
	Provider string `json:"provider"`
	// APIVersion is ARM's own, such as "2020-06-01" or "2021-03-01-preview".
	APIVersion string `json:"apiVersion"`
	// Sources are the formats of the documents that describe the version, the one first
	// that decides where two contradict each other.
	Sources []string `json:"sources,omitempty"`
	// Resources are sorted by Type.
	Resources []*Resource `json:"resources"`
	// Types are sorted by Name; every Named reference finds its target here.
	Types []*Type `json:"types"`
	// Actions are those in whose answers are values that a Status may not have, sorted
	// by Resource and Name.
	Actions []Action `json:"actions,omitempty"`
	// Notes list what the readers and the shaping could not carry over exactly.
	Notes []Note `json:"notes,omitempty"`
	// Names are the properties that have or had another one of their type to share a
	// name with, with the names that they have now, sorted. Shaped form only. The lock
	// keeps them, so that no later version moves a name.
	Names []PropertyName `json:"names,omitempty"`
	// WithoutDocs reports whether there are no descriptions, because the version was read
	// from its facts alone. Shaped form with docs only.
	WithoutDocs bool `json:"withoutDocs,omitempty"`
	// Used are the entries of group.yaml that have an effect on this version, such
	// as "references/Redis.subnetId", sorted. Shaped form only. An entry that no
	// version uses is an error, which the plan reports, since it sees all versions.
	Used []string `json:"used,omitempty"`
}

// PropertyName says which name a property has in Kubernetes.
type PropertyName struct {
	Type string `json:"type"` // without _Spec and _Status
	ARM  string `json:"arm"`  // see [Property.Path]
	Name string `json:"name"`
}

// Action is a POST of a resource that has no content and is answered with an object.
type Action struct {
	// Resource is the type of the resource, as [Resource.Type].
	Resource string `json:"resource"`
	// Name is what follows the path of the resource, such as "listKeys", or
	// "config/publishingcredentials/list".
	Name string `json:"name"`
	// Secret reports whether the name of the action or a mark of the spec says that the
	// answer has secrets.
	Secret bool `json:"secret,omitempty"`
	// Values are the scalars in the answer, sorted by Path.
	Values []ActionValue `json:"values"`
}

// ActionValue is a scalar in the answer of an action.
type ActionValue struct {
	// Path leads to it by ARM's names, with "[]" for any element of a list, such as
	// "keys[].value", and "*" for any name in a map.
	Path string `json:"path"`
	// Any reports whether the value may be of any type, so that nobody knows whether it
	// is a scalar, and encoded.
	Any bool `json:"any,omitempty"`
	// Secret reports whether it is a secret, by a mark or by its name.
	Secret bool `json:"secret,omitempty"`
	// Base64 reports whether it is a text that is encoded so.
	Base64 bool `json:"base64,omitempty"`
}

// Output is a value that the operator writes into a Secret or a ConfigMap for those
// who ask for it.
type Output struct {
	Name string `json:"name"`
	// Action is the action in whose answer it is, or "" if it is in the Status. What an
	// action answers goes into Secrets only.
	Action string `json:"action,omitempty"`
	// Path leads to it, in the answer by ARM's names, in the Status by those of
	// Kubernetes.
	Path string `json:"path"`
	// Base64 reports whether it is decoded before it is written.
	Base64 bool `json:"base64,omitempty"`
}

// Collection is a list in the body of a resource whose elements are resources below it. A
// PUT of the resource can delete the elements that it leaves out.
type Collection struct {
	// Path leads to the list by ARM's names, such as "properties/subnets".
	Path string `json:"path"`
	// Type is the ARM type of the elements.
	Type string `json:"type"`
	// Flat reports whether an element has beside its name what the resource has under
	// "properties".
	Flat bool `json:"flat,omitempty"`
}

// Scope is the level of ARM at which a resource lives.
type Scope string

// The scopes, by what precedes the last "/providers/" of the resource's path.
const (
	ResourceGroup Scope = "resourceGroup"
	Subscription  Scope = "subscription"
	Tenant        Scope = "tenant"
	Extension     Scope = "extension" // on any other resource
)

// Resource is an ARM resource type that a PUT creates.
type Resource struct {
	// Type is ARM's, such as "Microsoft.Cache/redis/firewallRules", spelled as
	// group.yaml exports it (ARM compares types without case).
	Type string `json:"type"`
	// ARM is ARM's type where Type is that with "/" and the fixed name, because the
	// resources of one type that have fixed names are kinds of their own.
	ARM string `json:"arm,omitempty"`
	// Kind is the Kubernetes kind from group.yaml.
	Kind string `json:"kind"`
	// Scopes are sorted; most resources have one.
	Scopes []Scope `json:"scopes"`
	// Parent is the type of the resource that this one is a child of, or "".
	Parent string `json:"parent,omitempty"`
	// FixedName is the only name that ARM accepts, such as "default", or "" if
	// the name is free.
	FixedName string `json:"fixedName,omitempty"`
	// NameLimits are those on the name, or nil if there are none.
	NameLimits *Validation `json:"nameLimits,omitempty"`
	// KnownNames are those that the spec lists of a name that may be another one, too.
	KnownNames []string `json:"knownNames,omitempty"`
	// LikelyGUID reports whether the spec's words let people think that a name is a GUID.
	// Raw form only.
	LikelyGUID bool `json:"likelyGUID,omitempty"`
	// GUIDName reports whether a name is a GUID. Shaped form only.
	GUIDName bool `json:"guidName,omitempty"`
	// NoDelete reports whether the spec has a PUT of the resource and no DELETE.
	NoDelete bool `json:"noDelete,omitempty"`
	// Path is the URL template of the PUT, or "" where the spec has no paths.
	Path string `json:"path,omitempty"`
	// Spec names the type of the request body (raw) or the Spec (shaped).
	Spec string `json:"spec"`
	// Status names the type of the response (raw) or the Status (shaped). In the
	// raw form it is "" where the spec describes no response.
	Status string `json:"status,omitempty"`
	// Requested reports whether the Status has what requests have, because the spec
	// describes no response, or described none when the version was published. Only the
	// second is in the raw form.
	Requested bool `json:"requested,omitempty"`
	// Collections are sorted by Path.
	Collections []Collection `json:"collections,omitempty"`
	// Outputs are those that group.yaml lists, sorted by Name; all versions have the
	// same. Shaped form only.
	Outputs []Output `json:"outputs,omitempty"`
}

// Primitive is a JSON value without named parts.
type Primitive string

// The primitives. Integer is int64 in Go, Number float64, Any apiextensions' JSON.
const (
	String  Primitive = "string"
	Integer Primitive = "integer"
	Number  Primitive = "number"
	Boolean Primitive = "boolean"
	Any     Primitive = "any"
	// Secret is a reference to a key of a Kubernetes Secret. Shaped form only.
	Secret Primitive = "secret"
	// SecretJSON is such a reference where the value in the Secret is JSON text,
	// because in ARM the property is not a string. Shaped form only.
	SecretJSON Primitive = "secretJSON"
	// Reference is a reference to an ARM resource. Shaped form only.
	Reference Primitive = "reference"
	// RoleDefinition is a Reference to a role definition, which may be one of those
	// that Azure has in all tenants. Shaped form only.
	RoleDefinition Primitive = "roleDefinition"
	// Value is a reference to a text that another object in the cluster has. Shaped form only.
	Value Primitive = "value"
	// Owner refers to the parent resource, of one known kind. Shaped form only.
	Owner Primitive = "owner"
	// AnyOwner refers to an owner of any kind (extension scope). Shaped form only.
	AnyOwner Primitive = "anyOwner"
	// OperatorSpec has what a user asks of the operator. Shaped form only.
	OperatorSpec Primitive = "operatorSpec"
	// Conditions are Kubernetes' metav1.Conditions. Shaped form only.
	Conditions Primitive = "conditions"
	// Generation is the generation of an object that the operator observed last, an int64.
	// Shaped form only.
	Generation Primitive = "generation"
)

// TypeRef is the type of a value. Exactly one field is set.
type TypeRef struct {
	Primitive Primitive `json:"primitive,omitempty"`
	Named     string    `json:"named,omitempty"`
	Items     *TypeRef  `json:"items,omitempty"` // the element type of an array
	Map       *TypeRef  `json:"map,omitempty"`   // the value type of a map with string keys
}

// TypeKind is the kind of a named type.
type TypeKind string

// The kinds of named types.
const (
	Object TypeKind = "object"
	Enum   TypeKind = "enum"
)

// Type is a named type.
type Type struct {
	// Name is a Go identifier, unique in the version without regard to case.
	// In the shaped form the names of Specs, and of Statuses and all below them,
	// have the suffixes of [naming.Spec] and [naming.Status].
	Name string   `json:"name"`
	Kind TypeKind `json:"kind"`
	// Status marks a Status and the types below it. Shaped form only.
	Status bool `json:"status,omitempty"`
	// Source is the format that the type is from, if not the first of [Version.Sources].
	// Raw form only.
	Source string `json:"source,omitempty"`
	Doc    string `json:"doc,omitempty"`

	// Properties of an Object, sorted by Name.
	Properties []*Property `json:"properties,omitempty"`
	// Discriminator is ARM's name of the property whose value selects the variant
	// of a union, or "" if the type is not a union. The variants are the
	// properties with a Variant. Properties that all variants share stand beside
	// them; the discriminator itself is not a property.
	Discriminator string `json:"discriminator,omitempty"`
	// VariantOptional reports whether a value may have no variant.
	VariantOptional bool `json:"variantOptional,omitempty"`

	// Base is the type of an Enum's values: String, Integer or Number.
	Base Primitive `json:"base,omitempty"`
	// Values of an Enum in the order of the spec, in their JSON spelling
	// without quotes.
	Values []EnumValue `json:"values,omitempty"`
	// Open reports whether ARM may accept or send values that are not listed.
	Open bool `json:"open,omitempty"`
}

// EnumValue is a member of an enum.
type EnumValue struct {
	Value string `json:"value"`
	// Name is the Go constant's suffix, unique in the enum.
	Name string `json:"name"`
	Doc  string `json:"doc,omitempty"`
}

// Property is a member of an Object.
type Property struct {
	// Name is the JSON name in Kubernetes: lower camel case, an identifier.
	Name string `json:"name"`
	// GoName is the name of the Go field: upper camel case.
	GoName string `json:"goName"`
	// ARM is the JSON name in ARM where it differs from Name.
	ARM string `json:"arm,omitempty"`
	// Flattened reports whether in ARM the property lies one level deeper, in the
	// resource's "properties".
	Flattened bool `json:"flattened,omitempty"`
	// Spread marks the map that holds the additional properties of an object that
	// has declared properties too. In ARM its entries lie beside those.
	Spread bool `json:"spread,omitempty"`
	// Variant is the value of the discriminator that selects this property, if the
	// property is a variant of a union.
	Variant string `json:"variant,omitempty"`
	// Raw marks the Status property that keeps, as untyped JSON, a variant that
	// this version does not know.
	Raw bool `json:"raw,omitempty"`

	Type TypeRef `json:"type"`
	Doc  string  `json:"doc,omitempty"`
	// Default is the value that the service assumes if there is none, as compact JSON. Raw
	// form only; in the shaped form Doc says it, because Kubernetes leaves an absent property
	// absent.
	Default string `json:"default,omitempty"`
	// Required reports whether ARM refuses a request without the property. Never
	// set below a Status.
	Required bool `json:"required,omitempty"`
	// ReadOnly marks a property that only responses have. Raw form only.
	ReadOnly bool `json:"readOnly,omitempty"`
	// WriteOnly marks a property that only requests have.
	WriteOnly bool `json:"writeOnly,omitempty"`
	// ValueOf is ARM's name of the property beside this one that gets its value from it: the text
	// that a Value stands for, of which a user sets one of the two, or the map of which a list of
	// References adds keys. Shaped form only.
	ValueOf string `json:"valueOf,omitempty"`
	// AzureName marks the property that the generator adds to a Spec for the name
	// of the resource in Azure. ARM has it in the URL. Shaped form only.
	AzureName bool `json:"azureName,omitempty"`
	// CreateOnly marks a property that cannot change once the resource exists.
	CreateOnly bool `json:"createOnly,omitempty"`
	// IsSecret marks a value that must not be shown or stored, because of
	// x-ms-secret, format password, or group.yaml. Raw form only; the shaped form
	// has Type Secret or SecretJSON.
	IsSecret bool `json:"isSecret,omitempty"`
	// Encoding is how ARM has bytes as a string, of the property or of the strings in it.
	// In the shaped form only a Secret has it.
	Encoding Encoding `json:"encoding,omitempty"`
	// WholeSecret reports whether a reference to a Secret may have no key: ARM has an object, and each key of
	// the Secret is a property of it. Shaped form only.
	WholeSecret bool `json:"wholeSecret,omitempty"`
	// IsARMID marks the id of an ARM resource. Raw form only; the shaped
	// form has Type Reference.
	IsARMID bool `json:"isARMID,omitempty"`
	// ResourceTypes are the ARM types of the resources whose ids the property may hold,
	// sorted, or none if it may hold any. In the shaped form only a Reference has them.
	ResourceTypes []string `json:"resourceTypes,omitempty"`
	// MayBeFraction marks an integer of a source that has all numbers as integers. Raw
	// form only.
	MayBeFraction bool `json:"mayBeFraction,omitempty"`
	// Likely has what the description lets people think of the property, or "". Raw form
	// only.
	Likely Likelihood `json:"likely,omitempty"`
	// Source is the format that the property is from, if not that of its type. Raw form
	// only.
	Source string `json:"source,omitempty"`
	// ListKeys are the properties that identify an element of a list, with "/" between
	// the names of one that lies deeper in it. The raw form has their ARM names. The
	// shaped form has their Kubernetes names, and there they are scalars, which may be
	// optional.
	ListKeys []string `json:"listKeys,omitempty"`
	// MergeOnly reports whether no schema has the ListKeys. Shaped form only.
	MergeOnly bool `json:"mergeOnly,omitempty"`

	Validation *Validation `json:"validation,omitempty"`
	// ItemValidation applies to the elements of an array or a map.
	ItemValidation *Validation `json:"itemValidation,omitempty"`

	// At is the place of the property in the spec, for errors of the action that
	// reads the spec. It is not written to files.
	At jsontree.Place `json:"-"`
}

// Encoding is how ARM has bytes as a string. It is "" for text.
type Encoding string

// The encodings, of RFC 4648.
const (
	Base64    Encoding = "base64"
	Base64URL Encoding = "base64url"
)

// Likelihood is what a description lets people think of a property, of which a person
// should decide.
type Likelihood string

// The likelihoods.
const (
	// LikelyID means that the property looks like the id of an ARM resource.
	LikelyID Likelihood = "id"
	// LikelyIDKeys means that the keys of the map look like such ids.
	LikelyIDKeys Likelihood = "idKeys"
	// LikelyFraction means that the integer looks as if it had fractions.
	LikelyFraction Likelihood = "fraction"
)

// Validation holds the limits that a JSON schema puts on a value. Kubernetes checks all
// but the last three, which only the raw form has: see [Validation.Checked].
type Validation struct {
	Pattern          string   `json:"pattern,omitempty"`
	MinLength        *int64   `json:"minLength,omitempty"`
	MaxLength        *int64   `json:"maxLength,omitempty"`
	Minimum          *float64 `json:"minimum,omitempty"`
	Maximum          *float64 `json:"maximum,omitempty"`
	ExclusiveMinimum bool     `json:"exclusiveMinimum,omitempty"`
	ExclusiveMaximum bool     `json:"exclusiveMaximum,omitempty"`
	MultipleOf       *float64 `json:"multipleOf,omitempty"`
	MinItems         *int64   `json:"minItems,omitempty"`
	MaxItems         *int64   `json:"maxItems,omitempty"`
	// OtherPattern is a pattern that is not RE2 (Go's regexp), as Pattern is.
	OtherPattern string `json:"otherPattern,omitempty"`
	// Format is that of a string, such as "date-time", or the width of a number, such as
	// "int32", as the spec has it.
	Format string `json:"format,omitempty"`
	// UniqueItems reports whether no two elements of the list may be equal.
	UniqueItems bool `json:"uniqueItems,omitempty"`
}

// NoteKind is the kind of a note, by which the report sorts.
type NoteKind string

// The kinds of notes.
const (
	// Approximated means that the Kubernetes API says less than the spec, or
	// something else.
	Approximated NoteKind = "approximated"
	// Skipped means that the Kubernetes API lacks the construct.
	Skipped NoteKind = "skipped"
	// NotAssessed means that a person should decide something and has not.
	NotAssessed NoteKind = "notAssessed"
)

// Note is one line of the report: a construct of the spec whose meaning is not
// carried over exactly.
type Note struct {
	Kind NoteKind `json:"kind"`
	// File is relative to the specs' root, or to the workspace.
	File string `json:"file,omitempty"`
	// Pointer is a JSON pointer (RFC 6901) into File.
	Pointer string `json:"pointer,omitempty"`
	// Subject is the resource or "Type.property" in the shaped form, if there is one.
	Subject string `json:"subject,omitempty"`
	// Reason says what was found and what became of it.
	Reason string `json:"reason"`
}
