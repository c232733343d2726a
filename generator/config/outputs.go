package config

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
)

// Output is a value that the operator writes into a Secret or a ConfigMap for those
// who ask for it: what an action answers, or a property of the Status.
type Output struct {
	// Action is the name of a POST of the resource, such as "listKeys", and Path leads
	// to the value in its answer by ARM's names: "keys[0].value", or
	// "keys[keyName=key1].value" for the element of a list that has a property. All
	// entries of a map, as JSON, are "properties.*".
	Action string `yaml:"action"`
	Path   string `yaml:"path"`
	// Encoding is "base64" if the value in the answer is encoded so and the Secret
	// shall have the decoded value.
	Encoding string `yaml:"encoding"`
	// Status leads to a property of the Status by the names of Kubernetes.
	Status string `yaml:"status"`
}

// ir returns the output as the generator has it.
func (o *Output) ir(name string) ir.Output {
	return ir.Output{Name: name, Action: o.Action, Path: cmp.Or(o.Path, o.Status), Base64: o.Encoding != ""}
}

var (
	actionForm = form(`^[A-Za-z][A-Za-z0-9._-]*(/[A-Za-z][A-Za-z0-9._-]*)*$`)
	pathForm   = form(`^(\*|[\w$-]+(\[(\d+|[\w$-]+=[^\]]+)\])?(\.[\w$-]+(\[(\d+|[\w$-]+=[^\]]+)\])?)*(\.\*)?)$`)
	selector   = form(`\[[^\]]*\]`)
)

// anyElement returns a path with "[]" for each element of a list.
func anyElement(path string) string { return selector().ReplaceAllString(path, "[]") }

// isMap reports whether a path leads to all entries of a map.
func isMap(path string) bool { return path == "*" || strings.HasSuffix(path, ".*") }

// leads reports whether a path without selectors leads to a value: to it, to an entry of
// a map that it is in, or to all entries of one.
func leads(path, value string) bool {
	steps, known := strings.Split(path, "."), strings.Split(value, ".")
	if isMap(path) && len(steps) < len(known) {
		known = known[:len(steps)]
	}
	return slices.EqualFunc(steps, known, func(step, known string) bool {
		entry, isList := strings.CutSuffix(step, "[]")
		return step == known || known == "*" && entry != "" && !isList || known == "*[]" && isList
	})
}

// keysOf returns the paths of the properties by which a path selects elements of lists.
func keysOf(path string) []string {
	var keys []string
	for _, at := range selector().FindAllStringIndex(path, -1) {
		if key, _, selects := strings.Cut(path[at[0]+1:at[1]-1], "="); selects {
			keys = append(keys, anyElement(path[:at[1]])+"."+key)
		}
	}
	return keys
}

// eachOutput calls f with each output in the order of the types and names.
func (g *Group) eachOutput(f func(entry []any, armType, name string, o *Output)) {
	for _, typ := range slices.Sorted(maps.Keys(g.Outputs)) {
		for _, name := range slices.Sorted(maps.Keys(g.Outputs[typ])) {
			f(at("outputs", typ, name), typ, name, g.Outputs[typ][name])
		}
	}
}

// notOutputs checks what the entries show by themselves.
func (c *checker) notOutputs() {
	for typ, reasons := range c.NotOutputs {
		if c.Exports[typ] == nil {
			c.errorf(at("notOutputs", typ), "%s is not exported%s", typ, diag.DidYouMean(typ, c.types()))
		}
		for action, reason := range reasons {
			c.required(at("notOutputs", typ, action), "a reason", reason)
			for _, o := range c.Outputs[typ] {
				if strings.EqualFold(o.Action, action) {
					c.errorf(at("notOutputs", typ, action), "%s has an output of %s; remove one of the two entries", typ, action)
				}
			}
		}
	}
}

// outputs checks what the entries show by themselves.
func (c *checker) outputs() {
	for typ, outputs := range c.Outputs {
		switch {
		case c.Exports[typ] == nil:
			c.errorf(at("outputs", typ), "%s is not exported%s", typ, diag.DidYouMean(typ, c.types()))
		case len(outputs) == 0:
			c.errorf(at("outputs", typ), "there are no outputs of %s; remove the entry, or add one such as "+
				"primaryKey: {action: listKeys, path: primaryKey}", typ)
		}
	}
	c.eachOutput(func(entry []any, _, name string, o *Output) {
		if !nameForm().MatchString(name) {
			c.errorf(entry, "%q is not the name of an output; expected letters and digits, the first a small one", name)
		}
		switch {
		case o.Status != "" && o.Action+o.Path+o.Encoding != "":
			c.errorf(entry, "%s has status, and other keys; expected either status, or action and path", name)
		case o.Status == "":
			c.required(entry, "action, or status", o.Action)
			c.required(entry, "path", o.Path)
		}
		if o.Action != "" && !actionForm().MatchString(o.Action) {
			c.errorf(append(entry, "action"), "%q is not an action; expected a name such as listKeys or "+
				"config/publishingcredentials/list", o.Action)
		}
		for key, path := range map[string]string{"path": o.Path, "status": o.Status} {
			if path != "" && !pathForm().MatchString(path) {
				c.errorf(append(entry, key), "%q is not a path; expected names with dots, such as primaryKey, "+
					"keys[0].value or keys[keyName=key1].value", path)
			}
		}
		if o.Encoding != "" && isMap(o.Path) {
			c.errorf(append(entry, "encoding"), "%s is a map, which is JSON; expected no encoding", o.Path)
		}
		if isMap(o.Status) {
			c.errorf(append(entry, "status"), "%s is a map; expected the path of a string, a number or a boolean", o.Status)
		}
		if o.Encoding != "" && o.Encoding != "base64" {
			c.errorf(append(entry, "encoding"), "%q is not an encoding; expected base64, or none", o.Encoding)
		}
	})
}

// unusedOutputs reports the outputs that no version can have.
func (c *checker) unusedOutputs(versions []*ir.Version) {
	c.eachOutput(func(entry []any, typ, name string, o *Output) {
		if o.Status != "" {
			for _, path := range append([]string{o.Status}, keysOf(o.Status)...) {
				if why := noStatus(versions, typ, path); why != "" {
					c.errorf(append(entry, "status"), "%s", why)
					break
				}
			}
			return
		}
		var actions []string
		path := anyElement(o.Path)
		keys := map[string]bool{} // by which path selects, and which an answer has
		paths, found, encoded := map[string]bool{}, false, false
		for _, v := range versions {
			for _, a := range v.Actions {
				if a.Resource != typ {
					continue
				}
				actions = append(actions, a.Name)
				if a.Name != o.Action {
					continue
				}
				for _, value := range a.Values {
					paths[value.Path] = true
					if leads(path, value.Path) {
						found, encoded = true, encoded || value.Base64 && !isMap(path)
					}
					for _, key := range keysOf(o.Path) {
						keys[key] = keys[key] || leads(key, value.Path)
					}
				}
			}
		}
		known := slices.Sorted(maps.Keys(paths))
		switch {
		case len(paths) == 0:
			c.errorf(append(entry, "action"), "no version of %s has an action %s, a POST without content that an "+
				"object answers%s%s", typ, o.Action, diag.DidYouMean(o.Action, actions), among(actions))
		case !found:
			c.errorf(append(entry, "path"), "no answer of %s has %s%s%s", o.Action, path, diag.DidYouMean(path, known), among(known))
		case encoded && o.Encoding == "":
			c.errorf(append(entry, "path"), "%s is encoded in the answer of %s; add encoding: base64", path, o.Action)
		}
		for _, key := range keysOf(o.Path) {
			if !keys[key] && found {
				c.errorf(append(entry, "path"), "no answer of %s has %s, by which the path selects an element%s",
					o.Action, key, diag.DidYouMean(key, known))
			}
		}
	})
}

// unusedNotOutputs reports the actions that tell no secret in any version.
func (c *checker) unusedNotOutputs(versions []*ir.Version) {
	for typ, reasons := range c.NotOutputs {
		var actions []string
		for _, v := range versions {
			for _, a := range v.Actions {
				if a.Resource == typ && a.Secret {
					actions = append(actions, a.Name)
				}
			}
		}
		for action := range reasons {
			if !slices.ContainsFunc(actions, func(a string) bool { return strings.EqualFold(a, action) }) {
				c.errorf(at("notOutputs", typ, action), "no version of %s has an action %s that tells secrets%s%s", typ, action,
					diag.DidYouMean(action, actions), among(actions))
			}
		}
	}
}

// among lists what there is, for a message, if that is not much.
func among(known []string) string {
	slices.Sort(known)
	known = slices.Compact(known)
	if len(known) == 0 || len(known) > 20 {
		return ""
	}
	return "; there is " + strings.Join(known, ", ")
}

// noStatus returns why no version has a scalar at a path of the Status of a resource,
// or "".
func noStatus(versions []*ir.Version, armType, path string) (why string) {
	for _, v := range versions { // the newest comes last
		r := v.Resource(armType)
		if r == nil {
			continue
		}
		if why = noScalar(v, r.Status, path); why == "" {
			return ""
		}
	}
	return why
}

// noScalar returns why a type has no scalar at a path, or "".
func noScalar(v *ir.Version, name, path string) string {
	ref := ir.TypeRef{Named: name}
	for step := range strings.SplitSeq(anyElement(path), ".") {
		property, selects := strings.CutSuffix(step, "[]")
		t := v.Type(ref.Named)
		if t == nil {
			return fmt.Sprintf("%s in the Status is %s, which has no %s", path, ref, property)
		}
		p := t.Property(property)
		if p == nil {
			var names []string
			for _, p := range t.Properties {
				names = append(names, p.Name)
			}
			return fmt.Sprintf("no version of %s has a property %s%s", t.Name, property, diag.DidYouMean(property, names))
		}
		ref = p.Type
		if isList := ref.Items != nil; isList != selects {
			return fmt.Sprintf("%s of %s is %s; expected the path of a string, a number or a boolean", property, t.Name, ref)
		} else if isList {
			ref = *ref.Items
		}
	}
	switch ref.Primitive {
	case ir.String, ir.Integer, ir.Number, ir.Boolean:
		return ""
	}
	return fmt.Sprintf("%s in the Status is %s; expected the path of a string, a number or a boolean", path, ref)
}
