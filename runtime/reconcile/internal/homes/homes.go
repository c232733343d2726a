// Package homes has kinds for the tests of package reconcile. They are shaped like
// generated ones: two API versions, of which only the later has a color, and a
// stored version. They differ in where they belong: [Street] and [House] in a
// resource group, [Town] in a subscription, [Door] on a house, [Lock] on a door, [Deal]
// on a house under a fixed name, [Mark] on anything, [Treaty] at the tenant. A [Garden]
// lists its children, which are each a [Plant].
package homes

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing/fstest"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/arm/client"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/propertybag"
	"github.com/armature-dev/armature/runtime/reference"
)

// The group and its versions.
const (
	Group  = "homes.example.com"
	V2019  = "v20190101"
	V2020  = "v20200202"
	stored = "v20200202storage"
)

// A kind says what is special about its resources.
type kind interface{ resource() arm.Resource }

type (
	street struct{}
	town   struct{}
	house  struct{}
	door   struct{}
	lock   struct{}
	deal   struct{}
	mark   struct{}
	treaty struct{}
	garden struct{}
	plant  struct{}
)

// HouseOutputs are those of houses. No house has a third key.
var HouseOutputs = []arm.Output{
	{Name: "key1", Action: "listKeys", Path: "keys[keyName=key1].value"},
	{Name: "key2", Action: "listKeys", Path: "keys[keyName=key2].value"},
	{Name: "key3", Action: "listKeys", Path: "keys[keyName=key3].value"},
	{Name: "photo", Action: "listPhotos", Path: "photo", Base64: true},
	{Name: "id", Path: "id"},
	{Name: "rooms", Path: "rooms"},
}

func (street) resource() arm.Resource {
	return arm.Resource{Type: "Contoso.Homes/streets", Scope: arm.ResourceGroup}
}
func (town) resource() arm.Resource {
	return arm.Resource{Type: "Contoso.Homes/towns", Scope: arm.Subscription}
}
func (house) resource() arm.Resource {
	return arm.Resource{Type: "Contoso.Homes/houses", Scope: arm.ResourceGroup, Outputs: HouseOutputs}
}
func (door) resource() arm.Resource {
	return arm.Resource{Type: "Contoso.Homes/houses/doors", Scope: arm.ResourceGroup}
}
func (lock) resource() arm.Resource {
	return arm.Resource{Type: "Contoso.Homes/houses/doors/locks", Scope: arm.ResourceGroup}
}
func (deal) resource() arm.Resource {
	return arm.Resource{Type: "Contoso.Homes/houses/deals", Scope: arm.ResourceGroup, FixedName: "default", NoDelete: true}
}
func (mark) resource() arm.Resource {
	return arm.Resource{Type: "Contoso.Homes/marks", Scope: arm.Extension}
}
func (treaty) resource() arm.Resource {
	return arm.Resource{Type: "Contoso.Homes/treaties", Scope: arm.Tenant}
}

func (garden) resource() arm.Resource {
	return arm.Resource{Type: "Contoso.Homes/gardens", Scope: arm.ResourceGroup,
		Collections: []arm.Collection{{Path: "properties/plants", Type: "Contoso.Homes/gardens/plants"}}}
}
func (plant) resource() arm.Resource {
	return arm.Resource{Type: "Contoso.Homes/gardens/plants", Scope: arm.ResourceGroup}
}

// The stored versions.
type (
	Street = Stored[street, reference.Owner]
	Town   = Stored[town, reference.Owner]
	House  = Stored[house, reference.Owner]
	Door   = Stored[door, reference.Owner]
	Lock   = Stored[lock, reference.Owner]
	Deal   = Stored[deal, reference.Owner]
	Mark   = Stored[mark, reference.AnyOwner]
	Treaty = Stored[treaty, noOwner]
	Garden = Stored[garden, reference.Owner]
	Plant  = Stored[plant, reference.Owner]
)

// noOwner is in place of the owner of what has none.
type noOwner struct{}

// InlinePlant is a plant in the list of its garden.
type InlinePlant struct {
	Name  string `json:"name"`
	Rooms *int64 `json:"rooms,omitempty" arm:"properties/rooms"`
}

// Rule is a rule of a house.
type Rule struct {
	Name string `json:"name"`
	Port *int64 `json:"port,omitempty"`
}

// Spec is that of every version. Those of 2019 have no color.
type Spec[O any] struct {
	AzureName       *string             `json:"azureName,omitempty" arm:"-,name"`
	Owner           *O                  `json:"owner,omitempty"`
	Location        *string             `json:"location,omitempty"`
	LocationFrom    *reference.Value    `json:"locationFrom,omitempty" arm:"location,createOnly"`
	Rooms           *int64              `json:"rooms,omitempty" arm:"properties/rooms"`
	Password        *reference.Secret   `json:"password,omitempty" arm:"properties/password"`
	Keys            []reference.Secret  `json:"keys,omitempty" arm:"properties/keys"`
	Settings        *reference.Secret   `json:"settings,omitempty" arm:"properties/settings,json"`
	StreetReference *reference.Resource `json:"streetReference,omitempty" arm:"properties/streetId" armtypes:"Contoso.Homes/streets"`
	Color           *string             `json:"color,omitempty" arm:"properties/color"`
	ColorFrom       *reference.Value    `json:"colorFrom,omitempty" arm:"properties/color"`
	Plants          []InlinePlant       `json:"plants,omitempty" arm:"properties/plants"`
	Rules           []Rule              `json:"rules,omitempty" arm:"properties/rules" listMapKey:"name"`
	Tags            map[string]string   `json:"tags,omitempty"`

	OperatorSpec *reference.OperatorSpec `json:"operatorSpec,omitempty"`
}

type (
	StoredSpec[K kind, O any] struct {
		OriginalVersion string  `json:"originalVersion,omitempty" arm:"-"`
		Fields          Spec[O] `json:"fields" arm:"-"`
	}
	Spec2020[K kind, O any] struct {
		AzureName       *string             `json:"azureName,omitempty" arm:"-,name"`
		Owner           *O                  `json:"owner,omitempty"`
		Location        *string             `json:"location,omitempty"`
		LocationFrom    *reference.Value    `json:"locationFrom,omitempty" arm:"location,createOnly"`
		Rooms           *int64              `json:"rooms,omitempty" arm:"properties/rooms"`
		Password        *reference.Secret   `json:"password,omitempty" arm:"properties/password"`
		Keys            []reference.Secret  `json:"keys,omitempty" arm:"properties/keys"`
		Settings        *reference.Secret   `json:"settings,omitempty" arm:"properties/settings,json"`
		StreetReference *reference.Resource `json:"streetReference,omitempty" arm:"properties/streetId" armtypes:"Contoso.Homes/streets"`
		Color           *string             `json:"color,omitempty" arm:"properties/color"`
		ColorFrom       *reference.Value    `json:"colorFrom,omitempty" arm:"properties/color"`
		Plants          []InlinePlant       `json:"plants,omitempty" arm:"properties/plants"`
		Rules           []Rule              `json:"rules,omitempty" arm:"properties/rules" listMapKey:"name"`
		Tags            map[string]string   `json:"tags,omitempty"`

		OperatorSpec *reference.OperatorSpec `json:"operatorSpec,omitempty"`
	}
	Spec2019[K kind, O any] struct {
		AzureName       *string             `json:"azureName,omitempty" arm:"-,name"`
		Owner           *O                  `json:"owner,omitempty"`
		Location        *string             `json:"location,omitempty"`
		LocationFrom    *reference.Value    `json:"locationFrom,omitempty" arm:"location,createOnly"`
		Rooms           *int64              `json:"rooms,omitempty" arm:"properties/rooms"`
		Password        *reference.Secret   `json:"password,omitempty" arm:"properties/password"`
		Keys            []reference.Secret  `json:"keys,omitempty" arm:"properties/keys"`
		Settings        *reference.Secret   `json:"settings,omitempty" arm:"properties/settings,json"`
		StreetReference *reference.Resource `json:"streetReference,omitempty" arm:"properties/streetId" armtypes:"Contoso.Homes/streets"`
		Plants          []InlinePlant       `json:"plants,omitempty" arm:"properties/plants"`
		Rules           []Rule              `json:"rules,omitempty" arm:"properties/rules" listMapKey:"name"`
		Tags            map[string]string   `json:"tags,omitempty"`

		OperatorSpec *reference.OperatorSpec `json:"operatorSpec,omitempty"`
	}
	// Status is that of every version.
	Status[K kind] struct {
		Conditions         []metav1.Condition `json:"conditions,omitzero"`
		ObservedGeneration *int64             `json:"observedGeneration,omitempty" arm:"-"`
		Id                 *string            `json:"id,omitempty"`
		Rooms              *int64             `json:"rooms,omitempty" arm:"properties/rooms"`
	}
)

// Hooks has the functions that the hooks of all kinds call, those of requests only at
// 2020-02-02. A hook whose function is nil does nothing.
var Hooks struct {
	BeforeSend    func(*arm.Request) error
	AfterRead     func(rooms **int64, body []byte) error
	ClassifyError func(*client.Error) client.Class
}

// BeforeSend is a hook of the operator.
func (*Spec2020[K, O]) BeforeSend(_ context.Context, r *arm.Request) error {
	if Hooks.BeforeSend == nil {
		return nil
	}
	return Hooks.BeforeSend(r)
}

// ClassifyError is a hook of the operator.
func (*Spec2020[K, O]) ClassifyError(e *client.Error) client.Class {
	if Hooks.ClassifyError == nil {
		return e.Class
	}
	return Hooks.ClassifyError(e)
}

// AfterRead is a hook of the operator.
func (s *Status[K]) AfterRead(_ context.Context, body []byte) error {
	if Hooks.AfterRead == nil {
		return nil
	}
	return Hooks.AfterRead(&s.Rooms, body)
}

func (*Spec2020[K, O]) ARMResource() arm.Resource { return at[K]("2020-02-02") }
func (*Spec2019[K, O]) ARMResource() arm.Resource { return at[K]("2019-01-01") }

func at[K kind](version string) arm.Resource {
	var k K
	r := k.resource()
	r.APIVersion = version
	return r
}

type (
	Stored[K kind, O any] struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty"`
		Spec              StoredSpec[K, O] `json:"spec"`
		Status            Status[K]        `json:"status,omitzero"`
	}
	of2020[K kind, O any] struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty"`
		Spec              Spec2020[K, O] `json:"spec"`
		Status            Status[K]      `json:"status,omitzero"`
	}
	of2019[K kind, O any] struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty"`
		Spec              Spec2019[K, O] `json:"spec"`
		Status            Status[K]      `json:"status,omitzero"`
	}
	list[T any] struct {
		metav1.TypeMeta `json:",inline"`
		metav1.ListMeta `json:"metadata,omitempty"`
		Items           []T `json:"items"`
	}
)

// clone copies all that in holds. The models copy more than they do anything else.
func clone[T any](in *T) *T {
	out := new(T)
	copyInto(reflect.ValueOf(out).Elem(), reflect.ValueOf(in).Elem())
	return out
}

// copyInto sets out, which is zero, to a copy of in. What a struct does not export is not followed: nothing changes a
// time in place.
func copyInto(out, in reflect.Value) {
	switch in.Kind() {
	case reflect.Pointer:
		if !in.IsNil() {
			out.Set(reflect.New(in.Type().Elem()))
			copyInto(out.Elem(), in.Elem())
		}
	case reflect.Slice:
		if !in.IsNil() {
			out.Set(reflect.MakeSlice(in.Type(), in.Len(), in.Len()))
			for i := range in.Len() {
				copyInto(out.Index(i), in.Index(i))
			}
		}
	case reflect.Map:
		if !in.IsNil() {
			out.Set(reflect.MakeMapWithSize(in.Type(), in.Len()))
			for key, value := range in.Seq2() {
				element := reflect.New(in.Type().Elem()).Elem()
				copyInto(element, value)
				out.SetMapIndex(key, element)
			}
		}
	case reflect.Struct:
		out.Set(in)
		for i := range in.NumField() {
			if field := out.Field(i); field.CanSet() {
				field.SetZero()
				copyInto(field, in.Field(i))
			}
		}
	default:
		out.Set(in)
	}
}

func (s *Stored[K, O]) DeepCopyObject() runtime.Object { return clone(s) }
func (s *of2020[K, O]) DeepCopyObject() runtime.Object { return clone(s) }
func (s *of2019[K, O]) DeepCopyObject() runtime.Object { return clone(s) }
func (l *list[T]) DeepCopyObject() runtime.Object      { return clone(l) }

func (s *StoredSpec[K, O]) DeepCopyInto(out *StoredSpec[K, O]) { *out = *clone(s) }
func (s *Status[K]) DeepCopyInto(out *Status[K])               { *out = *clone(s) }
func (s *Spec2020[K, O]) DeepCopyInto(out *Spec2020[K, O])     { *out = *clone(s) }
func (s *Spec2019[K, O]) DeepCopyInto(out *Spec2019[K, O])     { *out = *clone(s) }

func (*Stored[K, O]) Hub() {}

func (*Stored[K, O]) NewHub() conversion.Hub { return &Stored[K, O]{} }
func (*of2020[K, O]) NewHub() conversion.Hub { return &Stored[K, O]{} }
func (*of2019[K, O]) NewHub() conversion.Hub { return &Stored[K, O]{} }

func kindOf[K kind]() string {
	var k K
	name := fmt.Sprintf("%T", k)
	name = name[strings.LastIndexByte(name, '.')+1:]
	return strings.ToUpper(name[:1]) + name[1:]
}

func gvk[K kind](version string) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: Group, Version: version, Kind: kindOf[K]()}
}

func (s *Stored[K, O]) OriginalGVK() schema.GroupVersionKind {
	return conversion.OriginalGVK(s, gvk[K](stored), s.Spec.OriginalVersion)
}
func (*of2020[K, O]) OriginalGVK() schema.GroupVersionKind { return gvk[K](V2020) }
func (*of2019[K, O]) OriginalGVK() schema.GroupVersionKind { return gvk[K](V2019) }

func (s *Stored[K, O]) GetSpec() conversion.ConvertibleSpec { return &s.Spec }
func (s *of2020[K, O]) GetSpec() conversion.ConvertibleSpec { return &s.Spec }
func (s *of2019[K, O]) GetSpec() conversion.ConvertibleSpec { return &s.Spec }

func (s *Stored[K, O]) GetStatus() conversion.ConvertibleStatus { return &s.Status }
func (s *of2020[K, O]) GetStatus() conversion.ConvertibleStatus { return &s.Status }
func (s *of2019[K, O]) GetStatus() conversion.ConvertibleStatus { return &s.Status }

func (*Stored[K, O]) NewEmptyStatus() conversion.ConvertibleStatus { return &Status[K]{} }
func (*of2020[K, O]) NewEmptyStatus() conversion.ConvertibleStatus { return &Status[K]{} }
func (*of2019[K, O]) NewEmptyStatus() conversion.ConvertibleStatus { return &Status[K]{} }

func (s *Stored[K, O]) SetStatus(status conversion.ConvertibleStatus) error {
	return conversion.SetStatus(&s.Status, status)
}
func (s *of2020[K, O]) SetStatus(status conversion.ConvertibleStatus) error {
	return conversion.SetStatus(&s.Status, status)
}
func (s *of2019[K, O]) SetStatus(status conversion.ConvertibleStatus) error {
	return conversion.SetStatus(&s.Status, status)
}

func (s *StoredSpec[K, O]) ConvertSpecTo(dst conversion.ConvertibleSpec) error {
	return conversion.HubSpecTo(dst, s)
}
func (s *StoredSpec[K, O]) ConvertSpecFrom(src conversion.ConvertibleSpec) error {
	return conversion.HubSpecFrom(src, s)
}

func (s *Spec2020[K, O]) ConvertSpecTo(dst conversion.ConvertibleSpec) error {
	return conversion.SpecTo(dst, s, func(_ *conversion.Context, in *Spec2020[K, O], out *StoredSpec[K, O]) {
		*out = StoredSpec[K, O]{Fields: Spec[O](*clone(in))}
	})
}
func (s *Spec2020[K, O]) ConvertSpecFrom(src conversion.ConvertibleSpec) error {
	return conversion.SpecFrom(src, s, func(_ *conversion.Context, in *StoredSpec[K, O], out *Spec2020[K, O]) {
		*out = Spec2020[K, O](*clone(&in.Fields))
	})
}
func (s *Spec2019[K, O]) ConvertSpecTo(dst conversion.ConvertibleSpec) error {
	return conversion.SpecTo(dst, s, func(_ *conversion.Context, in *Spec2019[K, O], out *StoredSpec[K, O]) {
		in = clone(in)
		*out = StoredSpec[K, O]{Fields: Spec[O]{
			in.AzureName, in.Owner, in.Location, in.LocationFrom, in.Rooms, in.Password, in.Keys, in.Settings, in.StreetReference, nil, nil,
			in.Plants, in.Rules, in.Tags, in.OperatorSpec,
		}}
	})
}
func (s *Spec2019[K, O]) ConvertSpecFrom(src conversion.ConvertibleSpec) error {
	return conversion.SpecFrom(src, s, func(c *conversion.Context, in *StoredSpec[K, O], out *Spec2019[K, O]) {
		f := clone(&in.Fields)
		*out = Spec2019[K, O]{
			f.AzureName, f.Owner, f.Location, f.LocationFrom, f.Rooms, f.Password, f.Keys, f.Settings, f.StreetReference, f.Plants, f.Rules,
			f.Tags, f.OperatorSpec,
		}
		if f.Color != nil {
			c.MarkLost(propertybag.Bag{"color": {}})
		}
		if f.ColorFrom != nil {
			c.MarkLost(propertybag.Bag{"colorFrom": {}})
		}
	})
}

func (s *Status[K]) ConvertStatusTo(dst conversion.ConvertibleStatus) error {
	*dst.(*Status[K]) = *clone(s)
	return nil
}
func (s *Status[K]) ConvertStatusFrom(src conversion.ConvertibleStatus) error {
	*s = *clone(src.(*Status[K]))
	return nil
}

// AddToScheme adds all kinds to a scheme.
func AddToScheme(s *runtime.Scheme) {
	add[street, reference.Owner](s)
	add[town, reference.Owner](s)
	add[house, reference.Owner](s)
	add[door, reference.Owner](s)
	add[lock, reference.Owner](s)
	add[deal, reference.Owner](s)
	add[mark, reference.AnyOwner](s)
	add[treaty, noOwner](s)
	add[garden, reference.Owner](s)
	add[plant, reference.Owner](s)
	for _, version := range []string{V2019, V2020, stored} {
		metav1.AddToGroupVersion(s, schema.GroupVersion{Group: Group, Version: version})
	}
}

func add[K kind, O any](s *runtime.Scheme) {
	name := func(version, suffix string) schema.GroupVersionKind {
		g := gvk[K](version)
		g.Kind += suffix
		return g
	}
	s.AddKnownTypeWithName(name(stored, ""), &Stored[K, O]{})
	s.AddKnownTypeWithName(name(stored, "List"), &list[Stored[K, O]]{})
	s.AddKnownTypeWithName(name(V2020, ""), &of2020[K, O]{})
	s.AddKnownTypeWithName(name(V2020, "List"), &list[of2020[K, O]]{})
	s.AddKnownTypeWithName(name(V2019, ""), &of2019[K, O]{})
	s.AddKnownTypeWithName(name(V2019, "List"), &list[of2019[K, O]]{})
}

// Specs returns the Swagger documents of both versions. They refuse what a version
// does not have.
func Specs() fstest.MapFS {
	files := fstest.MapFS{}
	for version, color := range map[string]string{"2019-01-01": "", "2020-02-02": `, "color": {"type": "string"}`} {
		var paths []string
		for _, k := range []kind{street{}, town{}, house{}, door{}, lock{}, deal{}, mark{}, treaty{}, garden{}, plant{}} {
			path := "/subscriptions/{s}/resourceGroups/{g}/providers"
			switch k.resource().Scope {
			case arm.Subscription:
				path = "/subscriptions/{s}/providers"
			case arm.Tenant:
				path = "/providers"
			}
			for i, segment := range strings.Split(k.resource().Type, "/") {
				if path += "/" + segment; i > 0 {
					path += fmt.Sprintf("/{n%d}", i)
				}
			}
			if fixed := k.resource().FixedName; fixed != "" {
				path = path[:strings.LastIndexByte(path, '/')+1] + fixed
			}
			deletes := `"delete": {}, `
			if k.resource().NoDelete {
				deletes = ""
			}
			paths = append(paths,
				fmt.Sprintf(`%q: {%s"put": {"parameters": [{"in": "body", "schema": {"$ref": "#/definitions/Any"}}]}}`, path, deletes),
				fmt.Sprintf(`%q: {"post": {"responses": {"200": {"schema": {"$ref": "#/definitions/Keys"}}}}}`, path+"/listKeys"),
				fmt.Sprintf(`%q: {"post": {"responses": {"200": {"schema": {"$ref": "#/definitions/Photos"}}}}}`, path+"/listPhotos"))
		}
		paths = append(paths, `"/{scope}/providers/Microsoft.Authorization/locks/{n}": {"put": {}, "delete": {}}`)
		files[version+"/homes.json"] = &fstest.MapFile{Data: []byte(`{
			"swagger": "2.0", "info": {"version": "` + version + `"}, "paths": {` + strings.Join(paths, ",") + `},
			"definitions": {"Keys": {"properties": {"keys": {"type": "array",
				"items": {"properties": {"keyName": {"type": "string"}, "value": {"type": "string"}}}}}},
			"Photos": {"properties": {"photo": {"type": "string", "format": "byte"}}},
			"Any": {"additionalProperties": false, "properties": {
				"location": {"type": "string"},
				"tags": {"type": "object", "additionalProperties": {"type": "string"}},
				"properties": {"type": "object", "additionalProperties": false, "properties": {
					"rooms": {"type": "integer", "maximum": 100}, "password": {"type": "string"},
					"keys": {"type": "array", "items": {"type": "string"}},
					"settings": {"type": "object", "additionalProperties": {"type": "string"}},
					"streetId": {"type": "string"}, "plants": {"type": "array", "items": {"required": ["name"]}},
					"rules": {"type": "array", "items": {"required": ["name"]}},
					"provisioningState": {"type": "string", "readOnly": true}` + color + `
				}}
			}}}
		}`)}
	}
	return files
}

// The lists of the kinds.
type (
	StreetList = list[Street]
	HouseList  = list[House]
	DoorList   = list[Door]
	LockList   = list[Lock]
	DealList   = list[Deal]
	MarkList   = list[Mark]
	GardenList = list[Garden]
	PlantList  = list[Plant]
)
