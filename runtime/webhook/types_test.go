package webhook_test

import (
	"errors"
	"maps"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/armature-dev/armature/runtime/conversion"
)

// Widget converts by hand, at three versions. What its conversion does depends
// on its mode.
type (
	Widget struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty"`
		Spec              WidgetSpec `json:"spec"`
	}
	WidgetV1 struct{ Widget }
	WidgetV2 struct{ Widget } // the hub
	WidgetV3 struct{ Widget }

	WidgetSpec struct {
		Mode   string            `json:"mode,omitempty"`
		Secret *string           `json:"secret,omitempty"`
		Count  *int64            `json:"count,omitempty"`
		Ratio  *float64          `json:"ratio,omitempty"`
		Tags   map[string]string `json:"tags,omitzero"`
		Parts  []WidgetPart      `json:"parts,omitzero"`
	}
	WidgetPart struct {
		Size *int64 `json:"size,omitempty"`
	}
)

// Note is a kind whose type has an interface.
type (
	Note struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty,omitzero"`
		Spec              map[string]any `json:"spec,omitempty"`
	}
	NoteV1 struct{ Note }
	NoteV2 struct{ Note }
)

// blocked is closed when a conversion of mode "block" may go on.
var blocked = make(chan struct{})

// blocking counts the conversions that wait for that.
var blocking atomic.Int64

var errHook = errors.New("a hook's own words")

func (w *Widget) convertTo(dst *Widget) error {
	switch w.Spec.Mode {
	case "fail":
		return errHook
	case "panic":
		panic("with " + *w.Spec.Secret)
	case "block":
		blocking.Add(1)
		<-blocked
		blocking.Add(-1)
	case "rename":
		w.DeepCopyInto(dst)
		dst.Name += "-renamed"
		return nil
	case "forget metadata":
		dst.Spec = w.Spec
		return nil
	case "annotate":
		*dst = *w // as is common, with the maps of its source
		if dst.Annotations == nil {
			dst.Annotations = map[string]string{}
		}
		dst.Annotations["added"] = "<here> & \"there\""
		delete(dst.Labels, "gone")
		return nil
	}
	w.DeepCopyInto(dst)
	return nil
}

func (w *Widget) DeepCopyInto(dst *Widget) {
	*dst = *w
	w.ObjectMeta.DeepCopyInto(&dst.ObjectMeta)
	dst.Spec.Tags = maps.Clone(w.Spec.Tags)
}

func (w *WidgetV1) DeepCopyObject() runtime.Object { d := *w; return &d }
func (w *WidgetV2) DeepCopyObject() runtime.Object { d := *w; return &d }
func (w *WidgetV3) DeepCopyObject() runtime.Object { d := *w; return &d }

func (*WidgetV2) Hub() {}

func (w *WidgetV1) ConvertTo(hub conversion.Hub) error {
	return w.convertTo(&hub.(*WidgetV2).Widget)
}
func (w *WidgetV1) ConvertFrom(hub conversion.Hub) error {
	return hub.(*WidgetV2).convertTo(&w.Widget)
}
func (w *WidgetV3) ConvertTo(hub conversion.Hub) error {
	return w.convertTo(&hub.(*WidgetV2).Widget)
}
func (w *WidgetV3) ConvertFrom(hub conversion.Hub) error {
	return hub.(*WidgetV2).convertTo(&w.Widget)
}

func (n *NoteV1) DeepCopyObject() runtime.Object { d := *n; return &d }
func (n *NoteV2) DeepCopyObject() runtime.Object { d := *n; return &d }

func (*NoteV2) Hub() {}

func (n *NoteV1) ConvertTo(hub conversion.Hub) error   { hub.(*NoteV2).Note = n.Note; return nil }
func (n *NoteV1) ConvertFrom(hub conversion.Hub) error { n.Note = hub.(*NoteV2).Note; return nil }

// Loner is a kind with one version, which does not convert.
type Loner struct{ Widget }

func (l *Loner) DeepCopyObject() runtime.Object { d := *l; return &d }

const group = "example.com"

func scheme() *runtime.Scheme {
	s := runtime.NewScheme()
	for name, object := range map[schema.GroupVersionKind]runtime.Object{
		{Group: group, Version: "v1", Kind: "Widget"}: &WidgetV1{},
		{Group: group, Version: "v2", Kind: "Widget"}: &WidgetV2{},
		{Group: group, Version: "v3", Kind: "Widget"}: &WidgetV3{},
		{Group: group, Version: "v1", Kind: "Note"}:   &NoteV1{},
		{Group: group, Version: "v2", Kind: "Note"}:   &NoteV2{},
		{Group: group, Version: "v1", Kind: "Loner"}:  &Loner{},
	} {
		s.AddKnownTypeWithName(name, object)
		metav1.AddToGroupVersion(s, name.GroupVersion())
	}
	return s
}
