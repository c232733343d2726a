package sample

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// setting is a value that a person has chosen for a property.
type setting struct {
	path  []string
	value yaml.Node
}

// parseSetting reads PATH=VALUE, of which the value is YAML.
func parseSetting(text string) (setting, error) {
	path, value, found := strings.Cut(text, "=")
	s := setting{path: strings.Split(path, ".")}
	for _, name := range s.path {
		found = found && name != ""
	}
	if !found {
		return s, fmt.Errorf("--set: found %q, expected PATH=VALUE, such as spec.location=westeurope", text)
	}
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(value), &document); err != nil {
		return s, fmt.Errorf("--set %s: the value is no YAML: %w", path, err)
	}
	s.value = yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: ""}
	if len(document.Content) == 1 {
		s.value = *document.Content[0]
	}
	return s, nil
}

// setAll returns an object with settings, in YAML as before.
func setAll(object string, settings []setting) (string, error) {
	if len(settings) == 0 {
		return object, nil
	}
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(object), &document); err != nil {
		return "", err
	}
	for _, s := range settings {
		if err := s.apply(document.Content[0]); err != nil {
			return "", err
		}
	}
	var text bytes.Buffer
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	if err := encoder.Encode(&document); err != nil {
		return "", err
	}
	return text.String(), encoder.Close()
}

// apply sets the property in an object, with those that it is in. Elements of lists go by their number.
func (s *setting) apply(at *yaml.Node) error {
	for i, name := range s.path {
		var next *yaml.Node
		switch at.Kind {
		case yaml.MappingNode:
			next = member(at, name)
		case yaml.SequenceNode:
			number, err := strconv.Atoi(name)
			if err != nil || number < 0 || number >= len(at.Content) {
				return fmt.Errorf("--set: found %s in %s, expected a number below %d: it is a list", name,
					strings.Join(s.path, "."), len(at.Content))
			}
			next = at.Content[number]
		default:
			return fmt.Errorf("--set: %s has the value %q, so %s can have no property", strings.Join(s.path[:i], "."), at.Value,
				strings.Join(s.path, "."))
		}
		at = next
	}
	value := s.value
	*at = value
	return nil
}

// member returns the value of a member of a map, which it adds if there is none.
func member(of *yaml.Node, name string) *yaml.Node {
	for i := 0; i < len(of.Content); i += 2 {
		if of.Content[i].Value == name {
			return of.Content[i+1]
		}
	}
	value := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	of.Content = append(of.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name}, value)
	return value
}
