package untyped

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
)

// list is a list of objects, with its other fields.
type list struct {
	fields map[string]json.RawMessage
	items  []runtime.RawExtension
}

// listOf returns the object as a list, or nil if it has no items.
func listOf(object Convertible) (*list, error) {
	data, err := object.MarshalJSON()
	if err != nil {
		return nil, err
	}
	l := &list{}
	if err := json.Unmarshal(data, &l.fields); err != nil {
		return nil, err
	}
	if l.fields["items"] == nil {
		return nil, nil
	}
	return l, json.Unmarshal(l.fields["items"], &l.items)
}

// convertList converts the items. The list gets the desired version too, unless it
// is Kubernetes' own List, which has only one.
func (g *graph) convertList(h head, l *list, desiredAPIVersion string) (Convertible, error) {
	if h.APIVersion != "v1" || h.Kind != "List" {
		if _, _, err := versionsOf(h.APIVersion, desiredAPIVersion); err != nil {
			return Convertible{}, fmt.Errorf("%s: %w", h, err)
		}
		l.fields["apiVersion"], _ = json.Marshal(desiredAPIVersion)
	}
	items, err := convertAll(context.Background(), l.items, g.convert, desiredAPIVersion)
	if err != nil {
		return Convertible{}, err
	}
	if l.fields["items"], err = json.Marshal(items); err != nil {
		return Convertible{}, fmt.Errorf("%s: %w", h, err)
	}
	data, err := json.Marshal(l.fields)
	return Convertible{runtime.RawExtension{Raw: data}}, err
}

// failures collects the errors of objects, and keeps the first few for the message.
type failures struct {
	of    int
	first []error
	count int
}

func (f *failures) add(index int, err error) {
	const most = 10
	if f.count++; f.count > most {
		return
	}
	if f.of > 1 {
		err = fmt.Errorf("object %d: %w", index, err)
	}
	f.first = append(f.first, err)
}

// err returns all failures as one error, or nil if there are none.
func (f *failures) err() error {
	if more := f.count - len(f.first); more > 0 {
		return errors.Join(append(f.first, fmt.Errorf("and %d more of %d objects", more, f.of))...)
	}
	return errors.Join(f.first...)
}
