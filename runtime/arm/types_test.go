package arm

import (
	"context"
	"errors"

	"github.com/armature-dev/armature/runtime/reference"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// House_Spec has a field of every kind that generated Specs have.
type House_Spec struct {
	AzureName *string                         `json:"azureName,omitempty" arm:"-,name"`
	Owner     *reference.Owner                `json:"owner,omitempty"`
	Location  *string                         `json:"location,omitempty"`
	Tags      map[string]string               `json:"tags,omitzero"`
	OdataType *string                         `json:"odataType,omitempty" arm:"@odata.type"`
	Any       *apiextensionsv1.JSON           `json:"any,omitempty" arm:"properties/any"`
	Color     *color                          `json:"color,omitempty" arm:"properties/color"`
	Doors     *int64                          `json:"doors,omitempty" arm:"properties/doors"`
	Height    *float64                        `json:"height,omitempty" arm:"properties/height"`
	Inside    *House_Spec                     `json:"inside,omitempty" arm:"properties/inside"`
	Key       *reference.Secret               `json:"key,omitempty" arm:"properties/key"`
	Keys      *reference.Secret               `json:"keys,omitempty" arm:"properties/keyRing,json"`
	Codes     *reference.Secret               `json:"codes,omitempty" arm:",json"`
	Deed      *reference.Secret               `json:"deed,omitempty" arm:"properties/deed,base64"`
	Seal      *reference.Secret               `json:"seal,omitempty" arm:",base64url"`
	Name2     *string                         `json:"houseName,omitempty" arm:"properties/name"`
	Pet       *Pet                            `json:"pet,omitempty" arm:"properties/pet"`
	Pets      []Pet                           `json:"pets,omitzero" arm:"properties/pets"`
	PetsByAge map[string]Pet                  `json:"petsByAge,omitzero" arm:"properties/petsByAge"`
	Raws      []apiextensionsv1.JSON          `json:"raws,omitzero" arm:"properties/raws"`
	Sold      *bool                           `json:"sold,omitempty" arm:"properties/sold"`
	Street    *reference.Resource             `json:"streetReference,omitempty" arm:"properties/streetId" armtypes:"Map/Street,Map/Road"`
	Streets   map[string][]reference.Resource `json:"streets,omitzero" arm:"properties/streets"`
	Role      *reference.RoleDefinition       `json:"roleReference,omitempty" arm:"properties/roleId"`
	Shelf     *Shelf                          `json:"shelf,omitempty" arm:"properties/shelf"`
	Empty     *Nothing                        `json:"properties,omitempty"`
}

// Nothing has no fields.
type Nothing struct{}

// Group_Spec is the Spec of a resource group.
type Group_Spec struct {
	AzureName *string          `json:"azureName,omitempty" arm:"-,name"`
	Owner     *reference.Owner `json:"owner,omitempty" arm:"-"`
}

func (*Group_Spec) ARMResource() Resource {
	return Resource{Type: "Microsoft.Resources/resourceGroups", APIVersion: "2020-06-01", Scope: Subscription}
}

func (*House_Spec) ARMResource() Resource {
	return Resource{Type: "Contoso.Homes/houses", APIVersion: "2020-02-02", Scope: ResourceGroup}
}

type color string

// Shelf has properties of all names.
type Shelf struct {
	Wood *string           `json:"wood,omitempty"`
	Rest map[string]string `json:"additionalProperties,omitzero" arm:"*"`
}

// Pet is a union, told apart by "kind".
type Pet struct {
	Name *string `json:"name,omitempty"`
	Cat  *Cat    `json:"cat,omitempty" arm:"kind=Cat"`
	Dog  *Dog    `json:"dog,omitempty" arm:"kind=Microsoft.Dog"`
}

type Cat struct {
	Lives *int64 `json:"lives,omitempty"`
}

type Dog struct{}

type Pet_Status struct {
	Name  *string               `json:"name,omitempty"`
	Cat   *Cat                  `json:"cat,omitempty" arm:"kind=Cat"`
	Dog   *Dog                  `json:"dog,omitempty" arm:"kind=Microsoft.Dog"`
	Other *apiextensionsv1.JSON `json:"other,omitempty" arm:"kind=*"`
}

type House_Status struct {
	Conditions []metav1.Condition  `json:"conditions,omitzero"`
	Id         *string             `json:"id,omitempty"`
	Doors      *int64              `json:"doors,omitempty" arm:"properties/doors"`
	Pets       []Pet_Status        `json:"pets,omitzero" arm:"properties/pets"`
	Floors     map[string][]string `json:"floors,omitzero" arm:"properties/floors"`
}

// Job_Spec is a union whose variants lie in "properties".
type Job_Spec struct {
	Owner *reference.AnyOwner `json:"owner,omitempty"`
	Until *string             `json:"until,omitempty" arm:"properties/until"`
	Paint *Cat                `json:"paint,omitempty" arm:"properties/type=Paint"`
	Move  *Dog                `json:"move,omitempty" arm:"properties/type=Move"`
}

func (*Job_Spec) ARMResource() Resource {
	return Resource{Type: "Contoso.Homes/jobs", APIVersion: "2020-02-02-preview", Scope: Extension | Subscription}
}

// Deal_Spec is a union as a whole; each variant has "properties" of its own.
type Deal_Spec struct {
	Owner *reference.Owner `json:"owner,omitempty"`
	Date  *string          `json:"date,omitempty" arm:"properties/date"`
	Rent  *Rent            `json:"rent,omitempty" arm:"kind=Rent"`
	Empty *Nothing         `json:"properties,omitempty"`
}

func (*Deal_Spec) ARMResource() Resource {
	return Resource{Type: "Contoso.Homes/houses/deals", APIVersion: "2020-02-02", FixedName: "default"}
}

type Rent struct {
	Plan  *string `json:"plan,omitempty"`
	Month *int64  `json:"month,omitempty" arm:"properties/month"`
}

type Deal_Status struct {
	Id    *string               `json:"id,omitempty"`
	Rent  *Rent                 `json:"rent,omitempty" arm:"kind=Rent"`
	Other *apiextensionsv1.JSON `json:"other,omitempty" arm:"kind=*"`
}

// fake resolves every name but "missing". The keys of the Secret "json" are
// their own values.
type fake struct{}

func (fake) Subscription(context.Context) (string, error) { return "/subscriptions/s", nil }

func (fake) OwnerID(_ context.Context, armType, name string) (string, error) {
	switch armType {
	case resourceGroups:
		return "/subscriptions/s/resourceGroups/" + name, nil
	case subscriptions:
		return "/subscriptions/" + name, nil
	}
	return "/subscriptions/s/resourceGroups/g/providers/" + armType + "/" + name, nil
}

func (fake) ResourceID(_ context.Context, ref reference.Resource) (string, error) {
	switch ref.Name {
	case "missing":
		return "", errors.New("there is no " + ref.Kind + " " + ref.Name)
	case "empty":
		return "", nil
	}
	return "/subscriptions/s/resourceGroups/g/providers/" + ref.Group + "/" + ref.Kind + "/" + ref.Name, nil
}

func (fake) SecretValue(_ context.Context, ref reference.Secret) (string, error) {
	if ref.Name == "missing" {
		return "", errors.New("there is no Secret missing")
	}
	if ref.Name == "json" {
		return ref.Key, nil
	}
	return "value of " + ref.Key, nil
}

func p[T any](value T) *T { return &value }

func raw(text string) apiextensionsv1.JSON { return apiextensionsv1.JSON{Raw: []byte(text)} }
