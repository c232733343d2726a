package expressions

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/armature-dev/armature/runtime/arm"
)

type (
	spec struct {
		Name  *string              `json:"name,omitempty"`
		Size  *float64             `json:"size,omitempty"`
		Tags  map[string]string    `json:"tags,omitempty"`
		Rules []rule               `json:"rules,omitempty"`
		Any   apiextensionsv1.JSON `json:"any,omitzero"`
	}
	rule struct {
		Name string `json:"name,omitempty"`
		In   *rule  `json:"in,omitempty"` // as deep as anybody likes
	}
	status struct {
		Conditions         []metav1.Condition `json:"conditions,omitzero"`
		ObservedGeneration *int64             `json:"observedGeneration,omitempty"`
		Id                 *string            `json:"id,omitempty"`
		Port               *int64             `json:"port,omitempty"`
		Open               *bool              `json:"open,omitempty"`
		Load               *float64           `json:"load,omitempty"`
		Certificate        *string            `json:"certificate,omitempty"`
		Hosts              []struct {
			Name *string `json:"name,omitempty"`
		} `json:"hosts,omitempty"`
		Labels map[string]string `json:"labels,omitempty"`
	}
)

var things = Kind{reflect.TypeFor[spec](), reflect.TypeFor[status](), []arm.Output{
	{Name: "id", Path: "id"}, {Name: "port", Path: "port"}, {Name: "open", Path: "open"}, {Name: "load", Path: "load"},
	{Name: "host", Path: "hosts[0].name"}, {Name: "labels", Path: "labels.*"}, {Name: "certificate", Path: "certificate", Base64: true},
	{Name: "key1", Action: "listKeys", Path: "keys[0].value"}, {Name: "photo", Action: "listKeys", Path: "photo", Base64: true},
}}

func p[T any](value T) *T { return &value }

// values returns those of a thing.
func values(t *testing.T) Values {
	object := &metav1.ObjectMeta{Name: "a", Namespace: "shop", UID: "u", Labels: map[string]string{"app": "web"},
		Annotations: map[string]string{"mine": "1", "armature.dev/sent": "canary"}}
	self, err := Self("things.example.com/v1", "Thing", object,
		&spec{Name: p("n"), Size: p(3.0), Tags: map[string]string{"b": "2", "a": "<&>"},
			Rules: []rule{{Name: "x"}, {Name: "y", In: &rule{Name: "z"}}},
			Any:   apiextensionsv1.JSON{Raw: []byte(`{"n": 3, "f": 0.5, "l": [null, true]}`)}},
		&status{Id: p("/x"), Port: p(int64(80)), Conditions: []metav1.Condition{{Message: "canary"}}, ObservedGeneration: p(int64(7))})
	if err != nil {
		t.Fatal(err)
	}
	all := Values{Self: self, Outputs: map[string]any{}, SecretOutputs: map[string]any{"key1": "s3cret", "photo": []byte{0xff}}}
	for name, text := range map[string]string{
		"id": "/x", "port": "80", "open": "true", "load": "0.5", "host": "h", "labels": `{"a":"b"}`, "certificate": "\xfe"} {
		for _, o := range things.Outputs {
			if o.Name == name {
				if all.Outputs[name], err = things.Output(o, []byte(text)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return all
}

func TestEval(t *testing.T) {
	for _, row := range []struct{ what, text, want string }{
		{"text", `"a" + "b"`, "ab"},
		{"bytes", `b"\xff"`, "\xff"},
		{"the Spec", `self.spec.name + string(self.spec.size / 2.0)`, "n1.5"},
		{"the Status, where a number is one", `self.status.id + ":" + string(self.status.port + 1)`, "/x:81"},
		{"the metadata", `self.metadata.namespace + "/" + self.metadata.name + self.metadata.uid + self.metadata.labels.app`, "shop/auweb"},
		{"annotations but for Armature's own", `json.encode(self.metadata.annotations)`, `{"mine":"1"}`},
		{"the version", `self.apiVersion + " " + self.kind`, "things.example.com/v1 Thing"},
		{"a property of any content", `string(self.spec.any.n + 1) + string(self.spec.any.f)`, "40.5"},
		{"a type that has itself in it", `self.spec.rules[1].` + "`in`.name", "z"},
		{"outputs of each type", `outputs.id + string(outputs.port - 1) + (outputs.open ? "y" : "n") + string(outputs.load * 2.0) + outputs.host +
			outputs.labels`, `/x79y1h{"a":"b"}`},
		{"an output that is encoded as base64", `outputs.certificate`, "\xfe"},
		{"a secret output", `"key=" + secretOutputs.key1`, "key=s3cret"},
		{"has", `has(self.spec.any) && !has(self.status.load) ? "y" : "n"`, "y"},
		{"what is not there, with another value",
			`self.status.?load.orValue(7.0) > 6.0 ? secretOutputs.?key1.orValue("x") : "n"`, "s3cret"},
		{"a name that is no identifier", "self.metadata.labels.`app`", "web"},
		{"macros", `self.spec.rules.filter(r, r.name != "x").map(r, r.name + "!").join(",")`, "y!"},
		{"a key of a map, and a text in a list", `"a" in self.spec.tags && "b" in ["a", "b"] ? "y" : "n"`, "y"},
		{"functions", `" A-B ".trim().lowerAscii().replace("-", "+") + "x,y".split(",").join().upperAscii()`, "a+bXY"},
		{"base64", `base64.encode(b"ab") + string(base64.decode("YWI="))`, "YWI=ab"},
		{"JSON, always in one order", `json.encode({"z": [1, 2.5, true, null, b"ab"], "tags": self.spec.tags, "any": self.spec.any})`,
			`{"any":{"f":0.5,"l":[null,true],"n":3},"tags":{"a":"<&>","b":"2"},"z":[1,2.5,true,null,"YWI="]}`},
	} {
		program, err := things.Compile(row.text, true)
		if err != nil {
			t.Errorf("%s: %v", row.what, err)
			continue
		}
		if got, _, err := program.Eval(t.Context(), values(t)); err != nil || string(got) != row.want {
			t.Errorf("%s: got %q, %v, want %q", row.what, got, err, row.want)
		}
	}
	t.Run("nothing of what the operator says is in an object", func(t *testing.T) {
		program, err := things.Compile("json.encode(self)", false)
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := program.Eval(t.Context(), values(t))
		if err != nil || strings.Contains(string(got), "canary") || strings.Contains(string(got), "observedGeneration") {
			t.Errorf("got %s, %v", got, err)
		}
	})
	t.Run("the outputs that an expression names", func(t *testing.T) {
		program, err := things.Compile(`outputs.id + secretOutputs.?key1.orValue("") + (has(outputs.port) ? outputs.id : "")`, true)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(program.Outputs, program.SecretOutputs); got != "[id port] [key1]" {
			t.Error(got)
		}
	})
}

func TestCompile(t *testing.T) {
	for _, row := range []struct{ what, text, want string }{
		{"what is no expression", "self.", "line 1, column 6: Syntax error"},
		{"a property that there is not", "'' +\n self.spec.nam", "line 2, column 11: undefined field 'nam'"},
		{"another type", `self.status.id + self.status.port`,
			"line 1, column 16: found no matching overload for '_+_' applied to '(string, int)'"},
		{"several errors", `self.a + self.b`, "and 1 more"},
		{"an unknown output", `outputs.nothing`, "line 1, column 8: undefined field 'nothing'"},
		{"a secret output among the others", `outputs.key1`, "undefined field 'key1'"},
		{"the conditions", `self.status.conditions[0].message`, "undefined field 'conditions'"},
		{"no value", ``, "Syntax error"},
		{"a number", `self.status.port`, "found a value of type int, expected string or bytes"},
		{"a list", `["a"]`, "found a value of type list(string), expected string or bytes"},
		{"a text that is too long", `"` + strings.Repeat("x", MaxText) + `"`, "found 4098 bytes, expected at most 4096"},
		{"all outputs at once", `json.encode(outputs)`, "line 1, column 13: outputs has the outputs, of which an expression names one"},
		{"all secret outputs", `json.encode([secretOutputs])`, "line 1, column 14: secretOutputs has the outputs"},
		{"regular expressions", `self.status.id.matches("a*") ? "" : ""`, "undeclared reference to 'matches'"},
		{"an object of a type", `json.encode(google.protobuf.Struct{})`, "an expression makes no objects of a type"},
		{"joined lists", `([1] + [2]).map(i, string(i)).join()`, "line 1, column 6: + does not join lists"},
		{"joined values that may be lists", `string(self.spec.any.l + self.spec.any.l)`, "+ does not join lists"},
		{"compared lists", `self.spec.rules == self.spec.rules ? "" : ""`, "line 1, column 17: lists and maps are not compared"},
		{"compared values that may be lists", `self.spec.any != self.spec.any ? "" : ""`, "lists and maps are not compared"},
		{"a list in a list", `[1] in [[1]] ? "" : ""`, "line 1, column 5: what may be a list or a map is not looked for"},
	} {
		_, err := things.Compile(row.text, true)
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: got the error %v, want %q in it", row.what, err, row.want)
		}
	}
	t.Run("what is no secret cannot name secret outputs", func(t *testing.T) {
		for _, text := range []string{`secretOutputs.key1`, `has(secretOutputs.key1) ? "" : ""`, `secretOutputs.?key1.orValue("")`} {
			_, err := things.Compile(text, false)
			if err == nil || !strings.Contains(err.Error(), "undeclared reference to 'secretOutputs'") {
				t.Errorf("%s: %v", text, err)
			}
		}
	})
}

func TestErrors(t *testing.T) {
	long := values(t)
	long.SecretOutputs["key1"] = strings.Repeat("s3cret", 20000)
	long.Self["spec"].(map[string]any)["rules"] = slicesOf(2000)
	for _, row := range []struct {
		what, text string
		values     Values
		want       string
	}{
		{"a conversion", `string(int(secretOutputs.key1))`, values(t), "a conversion or an operation fails"},
		{"a time", `string(timestamp(secretOutputs.key1))`, values(t), "a conversion or an operation fails"},
		{"bytes that are no text", `string(secretOutputs.photo)`, values(t), "a conversion or an operation fails"},
		{"base64 that is none", `base64.decode(secretOutputs.key1)`, values(t), "a conversion or an operation fails"},
		{"a key of a map", `self.metadata.labels[secretOutputs.key1]`, values(t), "something that it takes is not there"},
		{"a property that is not set", `string(self.status.load)`, values(t), "something that it takes is not there"},
		{"an output that is not there", `secretOutputs.key1 + outputs.id`, Values{Self: values(t).Self},
			"something that it takes is not there"},
		{"an element of a list", `self.spec.rules[size(secretOutputs.key1)].name`, values(t), "something that it takes is not there"},
		{"another type than it seems", `self.spec.any.n + secretOutputs.key1`, values(t), "an operation does not take a value of the type"},
		{"a division", `string(size(secretOutputs.key1) / (self.status.port - 80))`, values(t), "it divides by zero"},
		{"a number in place of text", `self.spec.any.n`, values(t), "its value is neither text nor bytes"},
		{"a result that is too long", `secretOutputs.key1`, long, "a text in it is longer than 65536 bytes"},
		{"a text that grows", `secretOutputs.key1.replace("s", secretOutputs.key1)`, long, "a text in it is longer"},
		{"texts that are joined", `self.spec.rules.map(r, secretOutputs.key1).join(secretOutputs.key1)`, long, "a text in it is longer"},
		{"JSON that is too long", `json.encode(self.spec.rules.map(r, self.spec.rules))`, long, "a text in it is longer"},
		{"one that is too expensive",
			`self.spec.rules.all(a, self.spec.rules.all(b, self.spec.rules.all(c, c.name != "z"))) ? "" : ""`,
			long, "it is too expensive: it costs more than 1000000"},
		{"one that makes much text",
			`[secretOutputs.key1].map(a, a+a+a+a).map(a, a+a+a+a).map(a, a+a+a+a).map(a, a+a+a+a)[0]`,
			long, "it is too expensive"},
	} {
		program, err := things.Compile(row.text, true)
		if err != nil {
			t.Errorf("%s: %v", row.what, err)
			continue
		}
		value, _, err := program.Eval(t.Context(), row.values)
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: got %.100q, %v, want %q in the error", row.what, value, err, row.want)
		} else if strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: the error shows a value: %v", row.what, err)
		}
	}
	t.Run("a program that stops", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		program, err := things.Compile(`self.spec.rules.all(a, self.spec.rules.all(b, b.name != "z")) ? "" : ""`, false)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err = program.Eval(ctx, long); err == nil || err.Error() != "it takes too long" {
			t.Errorf("got %v", err)
		}
	})
}

// slicesOf returns a list of rules.
func slicesOf(n int) (all []any) {
	for i := range n {
		all = append(all, map[string]any{"name": fmt.Sprint(i)})
	}
	return all
}
