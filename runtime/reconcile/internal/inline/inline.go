// Package inline reads and changes the lists in the body of a resource that hold its
// children.
package inline

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/reference"
)

// Names returns the names of the elements that a body lists, in lower case and sorted, keyed by the paths
// of the collections. A list that is absent is left out.
func Names(body []byte, of []arm.Collection) (map[string][]string, error) {
	root, err := arm.ParseObject(body)
	if err != nil {
		return nil, err
	}
	names := map[string][]string{}
	for _, c := range of {
		if list, listed := listAt(root, c.Path); listed {
			names[c.Path] = namesOf(list)
		}
	}
	return names, nil
}

// Name returns the name of an element in lower case, as ARM compares names, or "".
func Name(element any) string {
	object, _ := element.(map[string]any)
	name, _ := object["name"].(string)
	return strings.ToLower(name)
}

// IsDeleting reports whether ARM shows that it is deleting an element.
func IsDeleting(element map[string]any) bool {
	properties, _ := element["properties"].(map[string]any)
	for _, object := range []map[string]any{element, properties} {
		if state, _ := object["provisioningState"].(string); strings.EqualFold(state, "Deleting") {
			return true
		}
	}
	return false
}

// Merge returns the body of a PUT with the elements that ARM has and the body does not list, as keep
// returns them; an element for which keep returns nil is left out. A list with such an element is there
// even if it is empty, because in some API versions a PUT without it changes nothing.
func Merge(
	body, has []byte, of []arm.Collection, keep func(c arm.Collection, element map[string]any) (map[string]any, error),
) ([]byte, error) {
	root, err := arm.ParseObject(body)
	if err != nil {
		return nil, err
	}
	theirs, err := arm.ParseObject(has)
	if err != nil {
		return nil, err
	}
	changed := false
	for _, c := range of {
		list, listed := listAt(root, c.Path)
		names := namesOf(list)
		existing, _ := listAt(theirs, c.Path)
		missing := false
		for _, e := range existing {
			element, ok := e.(map[string]any)
			if !ok || Name(element) != "" && slices.Contains(names, Name(element)) {
				continue
			}
			kept, err := keep(c, element)
			if err != nil {
				return nil, err
			}
			if kept == nil {
				missing = true
				continue
			}
			list = append(list, kept)
		}
		if listed || missing || len(list) > 0 {
			if err := setList(root, c.Path, list); err != nil {
				return nil, err
			}
			changed = true
		}
	}
	if !changed {
		return body, nil
	}
	return json.Marshal(root)
}

// Elements returns the elements of a collection that a body lists.
func Elements(root map[string]any, c arm.Collection) (all []map[string]any) {
	list, _ := listAt(root, c.Path)
	for _, e := range list {
		if element, ok := e.(map[string]any); ok && Name(e) != "" {
			all = append(all, element)
		}
	}
	return all
}

// Without returns a body without its collections.
func Without(body []byte, of []arm.Collection) ([]byte, error) {
	if len(of) == 0 {
		return body, nil
	}
	root, err := arm.ParseObject(body)
	if err != nil {
		return nil, err
	}
	for _, c := range of {
		steps, at := strings.Split(c.Path, "/"), root
		for _, step := range steps[:len(steps)-1] {
			at, _ = at[step].(map[string]any)
		}
		delete(at, steps[len(steps)-1])
	}
	return json.Marshal(root)
}

// Common returns a body without the elements of its collections that another body does not list.
func Common(body, than []byte, of []arm.Collection) ([]byte, error) {
	if len(of) == 0 {
		return body, nil
	}
	root, err := arm.ParseObject(body)
	if err != nil {
		return nil, err
	}
	names, err := Names(than, of)
	if err != nil {
		return nil, err
	}
	for _, c := range of {
		list, listed := listAt(root, c.Path)
		if !listed {
			continue
		}
		list = slices.DeleteFunc(list, func(e any) bool { return !slices.Contains(names[c.Path], Name(e)) })
		if err := setList(root, c.Path, list); err != nil {
			return nil, err
		}
	}
	return json.Marshal(root)
}

// Add adds an element to a collection in a body.
func Add(root map[string]any, c arm.Collection, element map[string]any) error {
	list, _ := listAt(root, c.Path)
	return setList(root, c.Path, append(list, element))
}

// Element returns the body of a resource in the form that it has in a collection.
func Element(body map[string]any, c arm.Collection) map[string]any {
	properties, ok := body["properties"].(map[string]any)
	if !c.Flat || !ok {
		return body
	}
	element := maps.Clone(body)
	delete(element, "properties")
	maps.Copy(element, properties)
	return element
}

// Fill adds to an object the members of another that it lacks, and likewise to the objects in it. A member
// that is a secret, or a list with one, replaces an existing member, which may be a placeholder.
func Fill(onto, with map[string]any, isSecret func(string) bool) {
	for name, value := range with {
		existing := onto[name]
		to, both := existing.(map[string]any)
		if from, ok := value.(map[string]any); ok && both {
			Fill(to, from, isSecret)
			continue
		}
		if existing == nil || holdsSecret(value, isSecret) {
			onto[name] = value
		}
	}
}

func holdsSecret(value any, isSecret func(string) bool) bool {
	switch value := value.(type) {
	case string:
		return isSecret(value)
	case []any:
		return slices.ContainsFunc(value, func(e any) bool { return holdsSecret(e, isSecret) })
	case map[string]any:
		for _, v := range value {
			if holdsSecret(v, isSecret) {
				return true
			}
		}
	}
	return false
}

func namesOf(list []any) []string {
	names := []string{}
	for _, e := range list {
		if name := Name(e); name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// listAt returns the list at a path.
func listAt(root map[string]any, path string) (list []any, listed bool) {
	var at any = root
	for step := range strings.SplitSeq(path, "/") {
		object, _ := at.(map[string]any)
		at = object[step]
	}
	list, listed = at.([]any)
	return list, listed
}

// setList sets the list at a path, and makes the objects on the way.
func setList(root map[string]any, path string, list []any) error {
	steps := strings.Split(path, "/")
	for i, step := range steps[:len(steps)-1] {
		next, ok := root[step].(map[string]any)
		if root[step] != nil && !ok {
			return fmt.Errorf("found no object at %s in the body", strings.Join(steps[:i+1], "/"))
		}
		if next == nil {
			next = map[string]any{}
			root[step] = next
		}
		root = next
	}
	if list == nil {
		list = []any{}
	}
	root[steps[len(steps)-1]] = list
	return nil
}

// Body returns the body of a request for a Spec, which it changes, with placeholders.
func Body(ctx context.Context, spec arm.ARMTransformer, none *NoValues) ([]byte, error) {
	if err := arm.FillIn(ctx, spec, none); err != nil {
		return nil, err
	}
	return arm.Encode(ctx, spec, none)
}

// NoValues resolves references and secrets to placeholders, for a reader of the rest of a body. It counts the secrets.
type NoValues struct{ Secrets int }

// OwnerID returns a placeholder.
func (*NoValues) OwnerID(context.Context, string, string) (string, error) { return "/", nil }

// ResourceID returns a placeholder.
func (*NoValues) ResourceID(context.Context, reference.Resource) (string, error) { return "/", nil }

// Value returns a placeholder.
func (*NoValues) Value(context.Context, arm.Taker, reference.Value) (string, error) { return "-", nil }

// SecretValue returns a placeholder.
func (n *NoValues) SecretValue(context.Context, reference.Secret) (string, error) {
	n.Secrets++
	return "{}", nil
}
