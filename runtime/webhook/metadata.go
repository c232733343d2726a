package webhook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/armature-dev/armature/runtime/annotation"
)

// metadata is the metadata of an object in a review. A conversion changes only labels and
// annotations, so all other fields are copied from the request to the response, byte for
// byte, whether this release knows them or not.
type metadata struct {
	raw                                []byte
	managedFields, labels, annotations span
	deleted                            bool
}

func parseMetadata(raw []byte) (metadata, error) {
	m := metadata{raw: raw}
	err := values(raw, func(f member, v span) error {
		switch string(f.name) {
		case "managedFields":
			m.managedFields = v
		case "labels":
			m.labels = v
		case "annotations":
			m.annotations = v
		case "deletionTimestamp":
			m.deleted = raw[v.from] == '"'
		}
		return nil
	})
	return m, err
}

// annotationSize returns the length of all annotations if they may include that of package
// remainder, or else 0.
func (m metadata) annotationSize() int {
	if annotations := m.annotations.of(m.raw); bytes.Contains(annotations, []byte(annotation.Remainder)) {
		return len(annotations)
	}
	return 0
}

// withoutManagedFields appends the object to dst, without managed fields: no conversion
// reads them, and they are often a third of an object.
func (m metadata) withoutManagedFields(dst, object []byte, at int) ([]byte, error) {
	fields := m.managedFields.of(m.raw)
	if !valid(fields) {
		return dst, errors.New("metadata.managedFields: invalid JSON")
	}
	dst = append(dst, object[:at+m.managedFields.from]...)
	dst = append(dst, "null"...)
	return append(dst, object[at+m.managedFields.to:]...), nil
}

// checkMetadata compares the metadata before and after a conversion. It allows dropped
// fields, because the response keeps them, and fails for changed ones.
func checkMetadata(before, after *metav1.ObjectMeta) error {
	a, b := *before, *after
	a.Labels, a.Annotations, b.Labels, b.Annotations = nil, nil, nil, nil
	if reflect.DeepEqual(a, b) {
		return nil
	}
	var changed []string
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	for i := range x.NumField() {
		if !y.Field(i).IsZero() && !equality.Semantic.DeepEqual(x.Field(i).Interface(), y.Field(i).Interface()) {
			name, _, _ := strings.Cut(x.Type().Field(i).Tag.Get("json"), ",")
			changed = append(changed, "metadata."+name)
		}
	}
	if changed == nil {
		return nil
	}
	return fmt.Errorf("the conversion changed %s; of metadata only labels and annotations may change", strings.Join(changed, ", "))
}

// write appends the metadata of the converted object. Labels and annotations are
// those after the conversion, unless the conversion made no metadata at all.
func (m metadata) write(dst []byte, before, after *metav1.ObjectMeta) []byte {
	labels := change{name: "labels", at: m.labels, to: after.Labels, changed: !maps.Equal(before.Labels, after.Labels)}
	annotations := change{
		name: "annotations", at: m.annotations, to: after.Annotations,
		changed: !maps.Equal(before.Annotations, after.Annotations),
	}
	if !labels.changed && !annotations.changed || reflect.ValueOf(after).Elem().IsZero() {
		return append(dst, m.raw...)
	}
	dst = append(dst, '{')
	empty := len(dst)
	separate := func() {
		if len(dst) > empty {
			dst = append(dst, ',')
		}
	}
	// The metadata was parsed before, so this cannot fail.
	_ = values(m.raw, func(f member, v span) error {
		for _, c := range []*change{&labels, &annotations} {
			if c.changed && c.at == v {
				return nil
			}
		}
		separate()
		dst = append(dst, m.raw[f.at:v.to]...)
		return nil
	})
	for _, c := range []*change{&annotations, &labels} {
		if c.changed && len(c.to) > 0 {
			separate()
			text, _ := json.Marshal(c.to) // cannot fail for such a map
			dst = append(append(append(dst, '"'), c.name...), `":`...)
			dst = append(dst, text...)
		}
	}
	return append(dst, '}')
}

// change describes the labels or the annotations after a conversion.
type change struct {
	name    string
	at      span
	to      map[string]string
	changed bool
}

// splice appends an encoded object, with the metadata that write appends in place of its own.
func splice(dst, encoded []byte, write func([]byte) []byte) ([]byte, error) {
	var own span
	err := values(encoded, func(m member, v span) error {
		if string(m.name) == "metadata" {
			own = v
			return errFound
		}
		return nil
	})
	if err != nil && err != errFound {
		return dst, errors.New("the result of the conversion is not a JSON object")
	}
	if own.found() {
		return append(write(append(dst, encoded[:own.from]...)), encoded[own.to:]...), nil
	}
	rest := encoded[1:] // encoded has no metadata, because it was empty
	dst = write(append(dst, `{"metadata":`...))
	if len(rest) > 1 {
		dst = append(dst, ',')
	}
	return append(dst, rest...), nil
}
