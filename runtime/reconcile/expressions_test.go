package reconcile

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reference"
)

// computes lets a House ask for the values of expressions, named e0, e1 and so on: "secret/key text", or
// "configMap/key text" where the name begins with cm.
func computes(h *homes.House, all ...string) *homes.House {
	if h.Spec.Fields.OperatorSpec == nil {
		h.Spec.Fields.OperatorSpec = &reference.OperatorSpec{}
	}
	o := h.Spec.Fields.OperatorSpec
	o.Expressions = map[string]reference.Expression{}
	for i, line := range all {
		at, text, _ := strings.Cut(line, " ")
		name, key, _ := strings.Cut(at, "/")
		e := reference.Expression{Secret: name, Key: key, Value: text}
		if strings.HasPrefix(name, "cm") {
			e.Secret, e.ConfigMap = "", name
		}
		o.Expressions[fmt.Sprint("e", i)] = e
	}
	return h
}

func TestExpressions(t *testing.T) {
	start := func(t *testing.T, all ...string) *world {
		w := newWorld(t, armtest.Behavior{})
		w.create(computes(newHouse("h", 3), all...))
		w.pass(time.Minute)
		return w
	}
	t.Run("they are made of the object and its outputs", func(t *testing.T) {
		w := start(t, `keys/url "https://" + self.metadata.name + ":" + secretOutputs.key1`, `keys/photo secretOutputs.photo`,
			`keys/two secretOutputs.key1 + secretOutputs.key2`, `cm/rooms string(outputs.rooms + self.spec.rooms)`, `cm/id self.status.id`)
		w.expect("the house", get[homes.House](w, "h"), "True Succeeded")
		w.want("written", "keys photo=<photo> two=<key1><key2> url=https://h:<key1>", "cm id="+houseID+" rooms=6")
		if n := w.posts(); n != 2 {
			t.Errorf("ARM got %d POSTs for two actions", n)
		}
		if text := w.everything(); strings.Contains(text, armtest.Secret) {
			t.Errorf("a secret is where people see it: %s", text)
		}
		for _, r := range w.arm.Requests() {
			if strings.Contains(string(r.Body), "expressions") {
				t.Errorf("ARM got %s", r.Body)
			}
		}
		w.pass(30 * time.Minute)
		w.start()
		w.pass(time.Minute)
		if n := w.posts(); n != 2 {
			t.Errorf("ARM got %d POSTs before a refresh was due", n)
		}
		w.want("after a restart", "keys photo=<photo> two=<key1><key2> url=https://h:<key1>", "cm id="+houseID+" rooms=6")
	})
	t.Run("they are beside outputs", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(computes(asks(newHouse("h", 3), "key1 keys/a", "rooms cm/rooms"), `keys/b "b"`, `cm/more "c"`, `other/c "d"`))
		w.pass(time.Minute)
		w.want("written", "keys a=<key1> b=b", "other c=d", "cm more=c rooms=3")
		edit(w, "h", func(h *homes.House) { computes(h, `cm/more "e"`) })
		w.start()
		w.pass(time.Minute)
		w.want("asked for no more", "keys a=<key1>", "cm more=e rooms=3")
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.OperatorSpec = nil })
		w.pass(time.Minute)
		w.want("nothing is asked for")
	})
	t.Run("they follow what they are made of", func(t *testing.T) {
		w := start(t, `keys/url secretOutputs.key1 + string(self.spec.rooms)`, `cm/rooms string(outputs.rooms)`)
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
		w.pass(time.Minute)
		w.want("an edit", "keys url=<key1>4", "cm rooms=4")
		w.arm.Rotate(houseID)
		w.pass(2 * time.Hour)
		w.want("a refresh", "keys url=<key1>4", "cm rooms=4")
		edit(w, "h", func(h *homes.House) { computes(h, `keys/url secretOutputs.key2`) })
		w.pass(time.Minute)
		w.want("another expression", "keys url=<key2>")
		w.delete(get[corev1.Secret](w, "keys"))
		w.pass(time.Minute)
		w.want("its Secret was deleted", "keys url=<key2>")
		edit(w, "h", func(h *homes.House) { h.Annotations["mine"] = "2"; computes(h, `cm/a self.metadata.annotations.mine`) })
		w.pass(time.Minute)
		edit(w, "h", func(h *homes.House) { h.Annotations["mine"] = "3" })
		w.pass(time.Minute)
		w.want("an annotation", "cm a=3")
	})
	t.Run("json.encode of an object shows no secret", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.secret("pw", map[string]string{"k": "canary"})
		h := computes(asks(newHouse("h", 3), "key1 keys/a"), `cm/all json.encode(self)`)
		h.Spec.Fields.Password = &reference.Secret{Name: "pw", Key: "k"}
		w.configMap("paint", map[string]string{"color": "red"})
		h.Spec.Fields.ColorFrom = &reference.Value{Kind: "ConfigMap", Name: "paint", Output: "color"}
		w.create(h)
		w.pass(time.Minute)
		w.expect("the house", get[homes.House](w, "h"), "True Succeeded")
		var all struct {
			Spec map[string]any
		}
		text := get[corev1.ConfigMap](w, "cm").Data["all"]
		if err := json.Unmarshal([]byte(text), &all); err != nil || all.Spec["rooms"] != 3.0 || all.Spec["color"] != nil ||
			strings.Contains(text, "canary") || strings.Contains(text, armtest.Secret) || strings.Contains(text, annotation.Sent) {
			t.Errorf("got %s, %v", text, err)
		}
	})
	t.Run("a version at which one does not compile keeps what is there", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		h := computes(newHouse("h", 3), `keys/a has(self.spec.color) ? self.spec.color : secretOutputs.key1`,
			`cm/color self.spec.?color.orValue("none")`)
		w.create(h)
		w.pass(time.Minute)
		w.want("at 2020-02-02", "keys a=<key1>", "cm color=none")
		before := w.contents()
		w.arm.Rotate(houseID)
		edit(w, "h", func(h *homes.House) { h.Annotations[annotation.APIVersion] = homes.V2019 })
		w.pass(3 * time.Hour)
		w.expect("at 2019-01-01", get[homes.House](w, "h"), "False ExpressionInvalid",
			"spec.operatorSpec.expressions.e", "value: line 1, column ", "undefined field 'color'")
		if got := w.contents(); fmt.Sprint(got) != fmt.Sprint(before) {
			t.Errorf("got %q, want %q", got, before)
		}
		edit(w, "h", func(h *homes.House) { delete(h.Annotations, annotation.APIVersion) })
		w.pass(time.Hour)
		w.expect("again", get[homes.House](w, "h"), "True Succeeded")
		w.want("again", "keys a=<key1>", "cm color=none")
	})
	t.Run("one that fails has no old value", func(t *testing.T) {
		w := start(t, `keys/a secretOutputs.key1`, `cm/a string(12 / (self.spec.rooms - 2))`)
		w.want("at first", "keys a=<key1>", "cm a=12")
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(2)) })
		w.pass(time.Minute)
		w.expect("it fails", get[homes.House](w, "h"), "False ExpressionFailed", "spec.operatorSpec.expressions.e1: it divides by zero")
		w.want("it fails", "keys a=<key1>", "cm")
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(5)) })
		w.pass(time.Minute)
		w.expect("again", get[homes.House](w, "h"), "True Succeeded")
		w.want("again", "keys a=<key1>", "cm a=4")
	})
	t.Run("what belongs to somebody else stays as it is", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(&corev1.ConfigMap{ObjectMeta: objectMeta("cm"), Data: map[string]string{"a": "mine"}})
		w.create(computes(newHouse("h", 3), `cm/a "a"`))
		w.create(computes(newHouse("i", 3), `cm-i/a "a"`))
		w.create(asks(newHouse("j", 3), "rooms cm-i/a"))
		w.pass(time.Hour)
		w.expect("of nobody", get[homes.House](w, "h"), "False OutputBelongsToAnother", "ConfigMap shop/cm exists and belongs to nobody")
		w.expect("of another House", get[homes.House](w, "j"), "False OutputBelongsToAnother", "belongs to House i")
		if c := get[corev1.ConfigMap](w, "cm"); c.Data["a"] != "mine" || len(c.Labels) > 0 {
			t.Errorf("it was changed: %v", c)
		}
		w.want("of another House", "cm-i a=a")
	})
	t.Run("what cannot be is told, without a value", func(t *testing.T) {
		big := `"` + strings.Repeat("x", 1000) + `"`
		for _, row := range []struct {
			what   string
			all    []string
			want   string
			text   string
			others string // what is written all the same
		}{
			{"it does not compile", []string{`keys/a self.spec.nothing`, `keys/b "b"`}, "ExpressionInvalid",
				"spec.operatorSpec.expressions.e0.value: line 1, column 10: undefined field 'nothing'", "keys b=b"},
			{"an unknown output", []string{`keys/a secretOutputs.key9`}, "ExpressionInvalid",
				"line 1, column 14: undefined field 'key9'", "keys"},
			{"a secret output for a ConfigMap", []string{`cm/a secretOutputs.key1`}, "ExpressionInvalid",
				"line 1, column 1: undeclared reference to 'secretOutputs'", "cm"},
			{"neither text nor bytes", []string{`cm/a outputs.rooms`}, "ExpressionInvalid",
				"found a value of type int, expected string or bytes", "cm"},
			{"too expensive", []string{`keys/a [` + strings.Repeat("1,", 1000) + `1].all(i, [` + strings.Repeat("1,", 900) +
				`1].all(j, string(i + j) != secretOutputs.key1)) ? "y" : "n"`}, "ExpressionFailed",
				"spec.operatorSpec.expressions.e0: it is too expensive: it costs more than 1000000", "keys"},
			{"it fails", []string{`keys/a string(int(secretOutputs.key1))`, `keys/b "b"`}, "ExpressionFailed",
				"spec.operatorSpec.expressions.e0: a conversion or an operation fails with a value that it finds", "keys b=b"},
			{"it fails in a macro", []string{`keys/a [secretOutputs.key1].map(x, string(timestamp(x))).join()`}, "ExpressionFailed",
				"a conversion or an operation fails", "keys"},
			{"it takes what is not there", []string{`keys/a self.metadata.labels[secretOutputs.key1]`}, "ExpressionFailed",
				"something that it takes is not there", "keys"},
			{"an output that ARM does not have", []string{`keys/a secretOutputs.key1 + secretOutputs.key3`}, "ExpressionFailed",
				"the output key3: there is no keys[keyName=key3].value", "keys"},
			{"too long", []string{
				`cm/a [` + strings.Repeat(big+`,`, 3) + big + `].map(a, a+a+a+a+a).map(a, a+a+a+a+a).map(a, a+a+a+a+a)[0]`},
				"ExpressionFailed", "a text in it is longer than 65536 bytes", "cm"},
			{"not UTF-8 for a ConfigMap", []string{`cm/a b"\xff"`}, "ExpressionFailed", "its value is not in UTF-8", "cm"},
			{"a text that is too long", []string{`keys/a "` + strings.Repeat("x", 4095) + `"`}, "ExpressionInvalid",
				"found 4097 bytes, expected at most 4096", "keys"},
			{"too many", slices.Repeat([]string{`keys/a "a"`}, 65), "InvalidSpec",
				"spec.operatorSpec.expressions: found 65, expected at most 64", ""},
			{"two for one key", []string{`keys/a "a"`, `keys/a "b"`}, "InvalidSpec",
				`spec.operatorSpec.expressions.e1: the key "a" of Secret shop/keys is that of e0`, ""},
			{"neither a Secret nor a ConfigMap", []string{`/a "a"`}, "InvalidSpec",
				"spec.operatorSpec.expressions.e0: it goes into a Secret or a ConfigMap", ""},
			{"the Secret that is the namespace's credential", []string{`armature-credential/a "a"`}, "InvalidSpec",
				"spec.operatorSpec.expressions.e0: Secret armature-credential is for the credential", ""},
		} {
			w := start(t, row.all...)
			w.expect(row.what, get[homes.House](w, "h"), "False "+row.want, row.text)
			if row.others == "" {
				w.want(row.what)
			} else {
				w.want(row.what, row.others)
			}
			if text := w.everything() + strings.Join(w.errors, " "); strings.Contains(text, armtest.Secret) {
				t.Errorf("%s: a secret is where people see it: %s", row.what, text)
			}
		}
	})
	t.Run("an output and an expression for one key", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(computes(asks(newHouse("h", 3), "rooms cm/a"), `cm/a "a"`))
		w.pass(time.Minute)
		w.expect("the house", get[homes.House](w, "h"), "False InvalidSpec", `the key "a" of ConfigMap shop/cm is that of rooms`)
	})
	t.Run("all together may be too expensive", func(t *testing.T) {
		var all []string
		for i := range 20 {
			all = append(all, fmt.Sprintf(`keys/k%02d [%s1].all(i, [%s1].all(j, i + j < 9)) ? "y" : "n"`, i,
				strings.Repeat("1,", 150), strings.Repeat("1,", 500)))
		}
		w := newWorld(t, armtest.Behavior{})
		w.create(computes(newHouse("h", 3), all...))
		w.pass(time.Second)
		w.expect("the house", get[homes.House](w, "h"), "False ExpressionFailed",
			"the expressions of the object together are too expensive: they cost more than 2500000")
		if n := len(get[corev1.Secret](w, "keys").Data); n == 0 || n == 20 {
			t.Errorf("%d have a value", n)
		}
	})
	t.Run("they take too long", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.op.evaluation = 0
		w.create(computes(newHouse("h", 3), `cm/a [`+strings.Repeat("1,", 1000)+`1].all(i, i < 9) ? "y" : "n"`))
		w.pass(time.Second)
		w.expect("the house", get[homes.House](w, "h"), "False ExpressionFailed", "spec.operatorSpec.expressions.e0: it takes too long")
	})
	t.Run("no right to list, and nothing asked for", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(newHouse("h", 3))
		w.pass(time.Minute)
		w.live = noLists{w.live}
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
		w.pass(time.Minute)
		w.expect("the house", get[homes.House](w, "h"), "True Succeeded")
		edit(w, "h", func(h *homes.House) { computes(h, `cm/a "a"`) })
		w.pass(time.Minute)
		w.expect("asked for", get[homes.House](w, "h"), "False OutputRefused")
	})
}

// noLists is an API server that permits no lists.
type noLists struct{ ctrlclient.Reader }

func (noLists) List(_ context.Context, _ ctrlclient.ObjectList, _ ...ctrlclient.ListOption) error {
	return apierrors.NewForbidden(schema.GroupResource{Resource: "secrets"}, "", fmt.Errorf("no"))
}

// dressed asks for the metadata of the Secret keys.
func dressed(h *homes.House, m reference.SecretMetadata) *homes.House {
	h.Spec.Fields.OperatorSpec.SecretMetadata = map[string]reference.SecretMetadata{"keys": m}
	return h
}

func TestSecretMetadata(t *testing.T) {
	t.Run("a Secret has its type, labels and annotations, and keeps those of others", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(dressed(computes(newHouse("h", 3), `keys/username "u"`, `keys/password secretOutputs.key1`), reference.SecretMetadata{
			Type: "kubernetes.io/basic-auth", Labels: map[string]string{"app": "web", "tier": "db"},
			Annotations: map[string]string{"example.com/a": "1"}}))
		w.pass(time.Minute)
		w.expect("the house", get[homes.House](w, "h"), "True Succeeded")
		s := get[corev1.Secret](w, "keys")
		if s.Type != corev1.SecretTypeBasicAuth || s.Labels["app"] != "web" || s.Labels["tier"] != "db" ||
			s.Annotations["example.com/a"] != "1" ||
			s.Labels[annotation.OutputOf] != string(get[homes.House](w, "h").UID) {
			t.Errorf("got %s %v %v", s.Type, s.Labels, s.Annotations)
		}
		s.Labels["other"], s.Annotations["other"] = "1", "1"
		s.Labels["app"] = "changed"
		if err := w.store.Update(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		edit(w, "h", func(h *homes.House) {
			dressed(h, reference.SecretMetadata{Type: "kubernetes.io/basic-auth", Labels: map[string]string{"app": "shop"}})
		})
		w.pass(time.Minute)
		s = get[corev1.Secret](w, "keys")
		delete(s.Labels, annotation.OutputOf)
		want := map[string]string{"other": "1", annotation.OutputMetadata: `{"labels":["app"]}`}
		if !maps.Equal(s.Labels, map[string]string{"app": "shop", "other": "1"}) || !maps.Equal(s.Annotations, want) {
			t.Errorf("then: got %v %v", s.Labels, s.Annotations)
		}
		edit(w, "h", func(h *homes.House) {
			h.Spec.Fields.OperatorSpec.SecretMetadata["keys"] = reference.SecretMetadata{Type: "kubernetes.io/basic-auth"}
		})
		w.pass(time.Minute)
		s = get[corev1.Secret](w, "keys")
		delete(s.Labels, annotation.OutputOf)
		if len(s.Labels) != 1 || len(s.Annotations) != 1 {
			t.Errorf("at last: got %v %v", s.Labels, s.Annotations)
		}
	})
	t.Run("another type is told, and the values are written", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.create(asks(newHouse("h", 3), "key1 keys/a"))
		w.pass(time.Minute)
		w.arm.Rotate(houseID)
		edit(w, "h", func(h *homes.House) { dressed(h, reference.SecretMetadata{Type: "kubernetes.io/tls"}) })
		w.pass(time.Minute)
		w.expect("the house", get[homes.House](w, "h"), "False SecretTypeFixed",
			"Secret shop/keys has the type Opaque, which cannot change: delete it, and it is made again with the type kubernetes.io/tls")
		w.want("the house", "keys a=<key1>")
		w.delete(get[corev1.Secret](w, "keys"))
		w.pass(time.Minute)
		w.expect("made again", get[homes.House](w, "h"), "True Succeeded")
		if s := get[corev1.Secret](w, "keys"); s.Type != corev1.SecretTypeTLS {
			t.Errorf("got the type %s", s.Type)
		}
		edit(w, "h", func(h *homes.House) { h.Spec.Fields.OperatorSpec.SecretMetadata = nil })
		w.pass(time.Minute)
		w.expect("without", get[homes.House](w, "h"), "False SecretTypeFixed", "kubernetes.io/tls, which cannot change")
	})
	t.Run("what would mean something to the cluster is refused", func(t *testing.T) {
		for _, row := range []struct {
			what string
			m    reference.SecretMetadata
			want string
		}{
			{"a misspelled property", reference.SecretMetadata{Unknown: map[string]apiextensionsv1.JSON{"lables": {Raw: []byte("{}")}}},
				`secretMetadata.keys: found the property "lables", expected type, labels or annotations`},
			{"the type of a token", reference.SecretMetadata{Type: "kubernetes.io/service-account-token"},
				`spec.operatorSpec.secretMetadata.keys.type: found "kubernetes.io/service-account-token", expected one of Opaque, `},
			{"the account of a token",
				reference.SecretMetadata{Annotations: map[string]string{"kubernetes.io/service-account.name": "admin"}},
				"spec.operatorSpec.secretMetadata.keys.annotations: found kubernetes.io/service-account.name"},
			{"the same in another case",
				reference.SecretMetadata{Annotations: map[string]string{"Kubernetes.IO/service-account.name": "admin"}},
				"found Kubernetes.IO/service-account.name"},
			{"a domain below it",
				reference.SecretMetadata{Labels: map[string]string{"app.kubernetes.io/name": "a"}}, "found app.kubernetes.io/name"},
			{"k8s.io", reference.SecretMetadata{Labels: map[string]string{"x.k8s.io/a": "a"}}, "found x.k8s.io/a"},
			{"the owner of an output", reference.SecretMetadata{Labels: map[string]string{annotation.OutputOf: "other"}},
				"spec.operatorSpec.secretMetadata.keys.labels: found armature.dev/output-of"},
			{"a domain below Armature's",
				reference.SecretMetadata{Annotations: map[string]string{"azure.armature.dev/a": "a"}}, "found azure.armature.dev/a"},
		} {
			w := newWorld(t, armtest.Behavior{})
			w.create(dressed(asks(newHouse("h", 3), "key1 keys/a"), row.m))
			w.pass(time.Minute)
			w.expect(row.what, get[homes.House](w, "h"), "False InvalidSpec", row.want)
			w.want(row.what)
		}
	})
	t.Run("a Secret that gets nothing is told", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{})
		w.secret("keys", map[string]string{"a": "mine"})
		w.create(dressed(asks(newHouse("h", 3), "key1 other/a"), reference.SecretMetadata{Labels: map[string]string{"a": "b"}}))
		w.pass(time.Minute)
		w.expect("the house", get[homes.House](w, "h"), "False InvalidSpec", "nothing of this object goes into Secret shop/keys")
		if s := get[corev1.Secret](w, "keys"); len(s.Labels) > 0 {
			t.Errorf("got %v", s.Labels)
		}
	})
}
