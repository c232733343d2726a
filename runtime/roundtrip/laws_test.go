package roundtrip_test

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/deepcopy"
	"github.com/armature-dev/armature/runtime/propertybag"
	"github.com/armature-dev/armature/runtime/roundtrip"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// A version and its hub, as they are generated, but for what fault says.

type Old struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              OldSpec `json:"spec"`
	Status            Status  `json:"status"`
}

type OldSpec struct {
	Name        *string           `json:"name,omitempty"`
	Nick        *string           `json:"nick,omitempty"`
	Zones       Zones             `json:"zones,omitzero"`
	Tags        map[string]string `json:"tags,omitzero"`
	PropertyBag propertybag.Bag   `json:"$propertyBag,omitempty"`
}

type New struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              NewSpec `json:"spec"`
	Status            Status  `json:"status"`
}

type NewSpec struct {
	Name        *string           `json:"name,omitempty"`
	Zones       Zones             `json:"zones,omitzero"`
	Tags        map[string]string `json:"tags,omitzero"`
	Age         *int64            `json:"age,omitempty"`
	PropertyBag propertybag.Bag   `json:"$propertyBag,omitempty"`
}

type Status struct {
	Id *string `json:"id,omitempty"`
}

type Zones []string

// fault names the mistake in the conversions; "" means that there is none.
var fault string

func (z Zones) MarshalJSON() ([]byte, error) {
	if fault == "empty lists are null in JSON" && len(z) == 0 {
		return []byte("null"), nil
	}
	return json.Marshal([]string(z))
}

var version = schema.GroupVersion{Group: "example.com", Version: "roundtrip_test"}

func (o *Old) ConvertTo(hub conversion.Hub) error {
	if fault == "a conversion fails" && o.Spec.Name == nil {
		return errors.New("no name")
	}
	if strings.HasPrefix(fault, "an edit costs") && shown != nil && (o.Spec.Name == nil || *o.Spec.Name != *shown) {
		return errors.Join(conversion.To(hub, o, convertOldToNew), drop(hub))
	}
	if fault == "a conversion writes to its source" {
		o.Spec.Nick = nil
	}
	return conversion.To(hub, o, convertOldToNew)
}

func (o *Old) ConvertFrom(hub conversion.Hub) error {
	if from, ok := hub.(*New); ok {
		shown = from.Spec.Name
	}
	return conversion.From(hub, o, convertNewToOld)
}

// shown is the name that a client was shown last.
var shown *string

func drop(hub conversion.Hub) error {
	switch hub, ok := hub.(*New); {
	case ok && fault == "an edit costs another property":
		hub.Spec.Tags = nil
	case ok:
		hub.Spec.Age = nil
	}
	return nil
}

func convertOldToNew(c *conversion.Context, in *Old, out *New) {
	c.Meta(in, out, version)
	if fault == "labels are dropped" {
		out.Labels = nil
	}
	if fault == "the apiVersion is the source's" {
		out.APIVersion = strings.Replace(out.APIVersion, "roundtrip", "old", 1)
	}
	convertOldSpecToNewSpec(c, &in.Spec, &out.Spec)
	out.Status = in.Status
	if fault == "a property is copied by the whole conversion only" {
		out.Spec.Name = in.Spec.Name
	}
}

func convertNewToOld(c *conversion.Context, in *New, out *Old) {
	c.Meta(in, out, version)
	convertNewSpecToOldSpec(c, &in.Spec, &out.Spec)
	out.Status = in.Status
}

func convertOldSpecToNewSpec(c *conversion.Context, in *OldSpec, out *NewSpec) {
	bag := c.Bag(in.PropertyBag, "2020-01-01")
	if fault == "a nil pointer is followed" {
		_ = *in.Name
	}
	if fault != "a property is copied by the whole conversion only" {
		out.Name = in.Name
	}
	bag.Recall("age", &out.Age)
	if fault != "a property is not stashed" {
		bag.Stash("nick", in.Nick)
	}
	out.Zones = slices.Clone(in.Zones)
	if fault == "an empty list becomes nil" && len(in.Zones) == 0 {
		out.Zones = nil
	}
	if fault == "elements are sorted" {
		slices.Sort(out.Zones)
	}
	out.Tags = maps.Clone(in.Tags)
	if fault == "keys of maps are folded" {
		for key, value := range in.Tags {
			delete(out.Tags, key)
			out.Tags[strings.ToUpper(key)] = value
		}
	}
	if fault == "a map is shared" {
		out.Tags = in.Tags
	}
	if fault != "the bag is forgotten" {
		out.PropertyBag = bag.Rest()
	}
	if fault == "an unreadable entry is an error" && c.Unreadable > 0 {
		c.Check(in, errors.New("unreadable"))
	}
}

func convertNewSpecToOldSpec(c *conversion.Context, in *NewSpec, out *OldSpec) {
	bag := c.Bag(in.PropertyBag, "2021-01-01")
	out.Name = in.Name
	bag.Recall("nick", &out.Nick)
	bag.Stash("age", in.Age)
	out.Zones = slices.Clone(in.Zones)
	out.Tags = maps.Clone(in.Tags)
	if fault == "a list of the hub is shared" {
		out.Zones = in.Zones
	}
	out.PropertyBag = bag.Rest()
	if fault == "an unreadable entry is an error" && c.Unreadable > 0 {
		c.Check(out, errors.New("unreadable"))
	}
}

func (s *OldSpec) ConvertSpecTo(dst conversion.ConvertibleSpec) error {
	return conversion.SpecTo(dst, s, convertOldSpecToNewSpec)
}

func (s *OldSpec) ConvertSpecFrom(src conversion.ConvertibleSpec) error {
	return conversion.SpecFrom(src, s, convertNewSpecToOldSpec)
}

func (s *NewSpec) ConvertSpecTo(dst conversion.ConvertibleSpec) error {
	return conversion.HubSpecTo(dst, s)
}

func (s *NewSpec) ConvertSpecFrom(src conversion.ConvertibleSpec) error {
	return conversion.HubSpecFrom(src, s)
}

func (s *Status) ConvertStatusTo(dst conversion.ConvertibleStatus) error {
	return conversion.HubStatusTo(dst, s)
}

func (s *Status) ConvertStatusFrom(src conversion.ConvertibleStatus) error {
	return conversion.HubStatusFrom(src, s)
}

func (*New) Hub() {}

func (*Old) NewHub() conversion.Hub { return &New{} }
func (*New) NewHub() conversion.Hub { return &New{} }

func (o *Old) GetSpec() conversion.ConvertibleSpec { return &o.Spec }
func (n *New) GetSpec() conversion.ConvertibleSpec { return &n.Spec }

func (o *Old) GetStatus() conversion.ConvertibleStatus { return &o.Status }
func (n *New) GetStatus() conversion.ConvertibleStatus { return &n.Status }

func (*Old) NewEmptyStatus() conversion.ConvertibleStatus { return &Status{} }
func (*New) NewEmptyStatus() conversion.ConvertibleStatus { return &Status{} }

func (o *Old) SetStatus(s conversion.ConvertibleStatus) error {
	if fault == "setting a Status changes the Spec" {
		o.Spec.Tags = map[string]string{}
	}
	return conversion.SetStatus(&o.Status, s)
}

func (n *New) SetStatus(s conversion.ConvertibleStatus) error {
	return conversion.SetStatus(&n.Status, s)
}

func (*Old) OriginalGVK() schema.GroupVersionKind { return version.WithKind("Old") }
func (*New) OriginalGVK() schema.GroupVersionKind { return version.WithKind("New") }

func (s *OldSpec) DeepCopyInto(out *OldSpec) {
	*out = *s
	out.Name, out.Nick = deepcopy.Pointer(s.Name), deepcopy.Pointer(s.Nick)
	if fault == "a deep copy shares a pointer" {
		out.Nick = s.Nick
	}
	out.Zones, out.Tags, out.PropertyBag = slices.Clone(s.Zones), maps.Clone(s.Tags), s.PropertyBag.DeepCopy()
}

func (s *NewSpec) DeepCopyInto(out *NewSpec) {
	*out = *s
	out.Name, out.Age = deepcopy.Pointer(s.Name), deepcopy.Pointer(s.Age)
	out.Zones, out.Tags, out.PropertyBag = slices.Clone(s.Zones), maps.Clone(s.Tags), s.PropertyBag.DeepCopy()
}

func (s *Status) DeepCopyInto(out *Status) { out.Id = deepcopy.Pointer(s.Id) }

func (o *Old) DeepCopyObject() runtime.Object {
	out := *o
	o.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	o.Spec.DeepCopyInto(&out.Spec)
	o.Status.DeepCopyInto(&out.Status)
	return &out
}

func (n *New) DeepCopyObject() runtime.Object {
	out := *n
	n.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	n.Spec.DeepCopyInto(&out.Spec)
	n.Status.DeepCopyInto(&out.Status)
	return &out
}

func TestLaws(t *testing.T) {
	t.Run("conversions as they are generated keep all laws", func(t *testing.T) {
		k := roundtrip.Options{}.NewKind(t, &New{}, &Old{})
		k.TryVersion(t, &Old{})
		k.TryVersion(t, &New{})
	})
	for _, test := range []struct {
		fault string
		laws  string // that fail, in the order of Laws
	}{
		{"none", ""},
		{"a property is not stashed", "RoundTrip Edit Pair PairEdit"},
		{"an empty list becomes nil", "RoundTrip NoLoss Edit Pair PairEdit"},
		{"elements are sorted", "RoundTrip NoLoss Edit Pair PairEdit"},
		{"keys of maps are folded", "RoundTrip NoLoss Edit Pair PairEdit"},
		{"the bag is forgotten", "RoundTrip NoLoss Edit Pair PairEdit"},
		{"an edit costs what the version lacks", "Frame"},
		{"an edit costs another property", "Edit Frame PairEdit PairFrame"},
		{"empty lists are null in JSON", "JSON"},
		{"a deep copy shares a pointer", "Copy"},
		{"a conversion fails", "RoundTrip NoLoss Edit Frame Reliability Source Metadata Halves Pair PairEdit PairFrame"},
		{"a nil pointer is followed", "RoundTrip NoLoss Edit Frame Reliability Source Metadata Halves Pair PairEdit PairFrame"},
		{"an unreadable entry is an error", "Reliability"},
		{"a conversion writes to its source", "Source"},
		{"a map is shared", "Source"},
		{"a list of the hub is shared", "Source"},
		{"labels are dropped", "RoundTrip NoLoss Edit Metadata Pair"},
		{"the apiVersion is the source's", "Metadata"},
		{"a property is copied by the whole conversion only", "Halves"},
		{"setting a Status changes the Spec", "Halves"},
	} {
		t.Run("fault: "+test.fault, func(t *testing.T) {
			defer func() { fault = "" }()
			fault = test.fault
			var failed []string
			for _, law := range roundtrip.Laws {
				name := law.Name
				if law.OfPair && name != "Pair" {
					name = "Pair" + name
				}
				if fails(law) {
					failed = append(failed, name)
				}
			}
			if got := strings.Join(failed, " "); got != test.laws {
				t.Errorf("the laws %q fail, want %q", got, test.laws)
			}
		})
	}
}

func TestShrink(t *testing.T) {
	for _, test := range []struct{ fault, law, want string }{
		{"a property is not stashed", "RoundTrip", `*roundtrip_test.Old: {"metadata":{},"spec":{"nick":""},"status":{}}`},
		{"elements are sorted", "RoundTrip", `*roundtrip_test.Old: {"metadata":{},"spec":{"zones":["a",""]},"status":{}}`},
		{"keys of maps are folded", "RoundTrip", `*roundtrip_test.Old: {"metadata":{},"spec":{"tags":{`},
		{"an edit costs what the version lacks", "Frame",
			`*roundtrip_test.New: {"metadata":{},"spec":{"name":"","age":0},"status":{}}` + "\nedit: Spec.Name: "},
	} {
		t.Run(test.fault, func(t *testing.T) {
			defer func() { fault = "" }()
			fault = test.fault
			law := roundtrip.Laws[slices.IndexFunc(roundtrip.Laws, func(l roundtrip.Law) bool { return l.Name == test.law })]
			kind := &roundtrip.Kind{Hub: &New{}}
			for seed := int64(1); ; seed++ {
				shown = nil
				trial := kind.NewTrial(&Old{}, nil, seed)
				if trial.Try(law) == nil {
					continue
				}
				if err := trial.Shrink(law, time.Minute); err == nil || !strings.HasPrefix(trial.Describe(), test.want) {
					t.Errorf("got\n%s\n%v\nwant\n%s", trial.Describe(), err, test.want)
				}
				break
			}
		})
	}
}

// fails reports whether a law fails for some object.
func fails(law roundtrip.Law) bool {
	kind := &roundtrip.Kind{Hub: &New{}}
	for seed := range int64(50) {
		shown = nil
		trial := kind.NewTrial(&Old{}, nil, seed)
		if law.OfPair {
			trial = kind.NewTrial(&Old{}, &Old{}, seed)
		}
		if trial.Try(law) != nil {
			return true
		}
		if law.OfHub && kind.NewTrial(&New{}, nil, seed).Try(law) != nil {
			return true
		}
	}
	return false
}
