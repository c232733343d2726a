package hooks_test

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/armature-dev/armature/runtime/conversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Thing is a version of a kind, and Hub the hub, which has the same properties.
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ThingSpec   `json:"spec"`
	Status            ThingStatus `json:"status"`
}

type ThingSpec struct {
	Name  *string           `json:"name,omitempty"`
	Nick  *string           `json:"nick,omitempty"`
	Zones Zones             `json:"zones,omitzero"`
	Tags  map[string]string `json:"tags,omitzero"`
}

type Zones []string

type ThingStatus struct {
	Id *string `json:"id,omitempty"`
}

type Hub struct{ Thing }

func (*Hub) Hub() {}

// fault names the mistake in the conversions; "" means that there is none.
var fault string

func (t *Thing) ConvertTo(hub conversion.Hub) error {
	if fault == "a conversion fails" && t.Spec.Name == nil {
		return errors.New("no name")
	}
	hub.(*Hub).Thing = *t.DeepCopyObject().(*Thing)
	if fault == "elements are sorted" {
		slices.Sort(hub.(*Hub).Spec.Zones)
	}
	return nil
}

func (t *Thing) ConvertFrom(hub conversion.Hub) error {
	*t = *hub.(*Hub).DeepCopyObject().(*Thing)
	return nil
}

func (t *Thing) DeepCopyObject() runtime.Object {
	text, err := json.Marshal(t)
	c := new(Thing)
	if err := errors.Join(err, json.Unmarshal(text, c)); err != nil {
		panic(err)
	}
	return c
}

func (*Thing) NewHub() conversion.Hub                                { return &Hub{} }
func (t *Thing) GetSpec() conversion.ConvertibleSpec                 { return &t.Spec }
func (t *Thing) GetStatus() conversion.ConvertibleStatus             { return &t.Status }
func (*Thing) NewEmptyStatus() conversion.ConvertibleStatus          { return &ThingStatus{} }
func (t *Thing) SetStatus(status conversion.ConvertibleStatus) error { return errors.ErrUnsupported }
func (*Thing) OriginalGVK() schema.GroupVersionKind                  { return schema.GroupVersionKind{} }

func (*ThingSpec) ConvertSpecTo(conversion.ConvertibleSpec) error   { return errors.ErrUnsupported }
func (*ThingSpec) ConvertSpecFrom(conversion.ConvertibleSpec) error { return errors.ErrUnsupported }

func (*ThingStatus) ConvertStatusTo(conversion.ConvertibleStatus) error {
	return errors.ErrUnsupported
}

func (*ThingStatus) ConvertStatusFrom(conversion.ConvertibleStatus) error {
	return errors.ErrUnsupported
}
