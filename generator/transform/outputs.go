package transform

import (
	"regexp"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// addOutputs gives the resources the outputs that group.yaml lists, and keeps the
// actions that these name and those whose answers have secrets. It notes the latter
// where group.yaml has no output of them, with its reason if there is one.
func (s *shaper) addOutputs(load *config.Load) {
	listed := map[[2]string]bool{}
	for _, r := range s.out.Resources {
		r.Outputs = load.Outputs[r.Type]
		for _, o := range r.Outputs {
			listed[[2]string{r.Type, strings.ToLower(o.Action)}] = true
		}
	}
	reasons := map[[2]string]string{}
	for typ, actions := range load.NotOutputs {
		for action, reason := range actions {
			reasons[[2]string{typ, strings.ToLower(action)}] = reason
		}
	}
	for _, a := range s.raw.Actions {
		r := s.out.Resource(a.Resource)
		if r == nil {
			continue
		}
		a = withSecrets(a)
		isListed := listed[[2]string{a.Resource, strings.ToLower(a.Name)}] // ARM compares without case
		if a.Secret || isListed {
			s.out.Actions = append(s.out.Actions, a)
		}
		if !a.Secret || isListed {
			continue
		}
		if reason := reasons[[2]string{a.Resource, strings.ToLower(a.Name)}]; reason != "" {
			s.note(ir.Skipped, r.Kind, "the action %s has no outputs: %s", a.Name, reason)
			continue
		}
		s.note(ir.Skipped, r.Kind, "the action %s answers %s; what of it people need is for group.yaml to say, "+
			"under outputs or notOutputs", a.Name, strings.Join(SecretValues(a), ", "))
	}
}

// tellingAction matches the names of actions that tell something, and change nothing.
// secretAction matches those that tell secrets, however the answer names them.
var (
	tellingAction = regexp.MustCompile(`(?i)^(list|get|read|show|retrieve)|^[a-z]*(key|secret|credential|connectionstring)s$`)
	secretAction  = regexp.MustCompile(`(?i)(key|secret|credential|connectionstring|password|token|sas)s?(info|information)?$`)
)

// withSecrets returns an action that says which values are secrets by their names, too.
// One that does more than to tell is no candidate.
func withSecrets(a ir.Action) ir.Action {
	segments := strings.Split(a.Name, "/")
	tells := tellingAction.MatchString(segments[len(segments)-1])
	a.Secret = a.Secret || slices.ContainsFunc(segments, secretAction.MatchString)
	a.Values = slices.Clone(a.Values)
	for i := range a.Values {
		v := &a.Values[i]
		path := strings.TrimSuffix(v.Path, ".*") // the entries of a map are called as the map
		name := strings.TrimSuffix(path[strings.LastIndexByte(path, '.')+1:], "[]")
		v.Secret = v.Secret || isSecretName(naming.JSON(name))
		a.Secret = a.Secret || v.Secret
	}
	a.Secret = a.Secret && tells
	return a
}

// SecretValues returns the paths of the values of an action that are secrets, or all of
// them if only the name of the action says that there are any.
func SecretValues(a ir.Action) []string {
	var secrets, all []string
	for _, v := range a.Values {
		all = append(all, v.Path)
		if v.Secret {
			secrets = append(secrets, v.Path)
		}
	}
	if secrets == nil {
		return all
	}
	return secrets
}

// operatorSpec returns the property of a Spec by which people ask for outputs, and say what
// its lists of children mean.
func operatorSpec(r *ir.Resource) *ir.Property {
	var secrets, both []string
	for _, o := range r.Outputs {
		if o.Action != "" {
			secrets = append(secrets, o.Name)
		} else {
			both = append(both, o.Name)
		}
	}
	var into []string
	if secrets != nil {
		into = append(into, list(secrets)+" into Secrets")
	}
	if both != nil {
		into = append(into, list(both)+" into Secrets or ConfigMaps")
	}
	var doc []string
	if into != nil {
		doc = append(doc, "Where the operator writes what ARM knows of the resource: "+strings.Join(into, "; ")+".")
	}
	if len(r.Collections) > 0 {
		doc = append(doc, "What becomes of children that the Spec does not list.")
	}
	return &ir.Property{
		Name: "operatorSpec", GoName: "OperatorSpec", Type: ir.TypeRef{Primitive: ir.OperatorSpec}, Doc: strings.Join(doc, " "),
	}
}

// list returns names as text.
func list(names []string) string {
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " and " + names[last]
	}
	return names[0]
}
