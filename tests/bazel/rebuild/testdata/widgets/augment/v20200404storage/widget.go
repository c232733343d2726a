package v20200404storage

import next "github.com/armature-dev/armature/apis/widgets/v20200505storage"

// AssignToWidget_Spec is there for its body to be edited.
func (w *Widget_Spec) AssignToWidget_Spec(dst *next.Widget_Spec) error {
	dst.AzureName = w.AzureName
	return nil
}

// AssignFromWidget_Spec moves when the body above it grows.
func (w *Widget_Spec) AssignFromWidget_Spec(src *next.Widget_Spec) error { return nil }
