package reconcile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reconcile/internal/kinds"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/outputs"
)

// outputs lets a House ask for other outputs, also for invalid ones, or for outputs in a Secret
// that belongs to another House. That permits no PUT.
func (m *model) outputs(t *rapid.T) {
	var houses []*homes.House
	for _, name := range []string{"h", "i"} {
		if h := get[homes.House](m.w, name); h != nil && h.DeletionTimestamp.IsZero() {
			houses = append(houses, h)
		}
	}
	if len(houses) == 0 {
		t.Skip("there is no House")
	}
	h := rapid.SampledFrom(houses).Draw(t, "house")
	var wishes []string
	for _, o := range homes.HouseOutputs {
		name := rapid.SampledFrom([]string{"", "", "out-" + h.Name, "out-both", "cm-" + h.Name, "cm-both"}).Draw(t, o.Name)
		if name != "" {
			wishes = append(wishes, o.Name+" "+name+"/"+rapid.SampledFrom([]string{o.Name, o.Name, "same"}).Draw(t, "key"))
		}
	}
	var more []string
	for i, text := range modelExpressions {
		name := rapid.SampledFrom([]string{"", "", "", "out-" + h.Name, "out-both", "cm-" + h.Name, "cm-both"}).Draw(t, text)
		if name != "" {
			more = append(more, fmt.Sprintf("%s/e%d %s", name, i, text))
		}
	}
	m.update(h, func() {
		if asks(h, wishes...); len(more) > 0 {
			computes(h, more...)
		}
	})
}

// modelExpressions are expressions of a House. In a ConfigMap some do not compile, and so does the color at 2019.
var modelExpressions = []string{
	`"key:" + secretOutputs.key1`,
	`string(int(secretOutputs.key1))`,
	`self.spec.color + ":" + self.status.id`,
	`string(12 / (self.spec.rooms - 5))`,
	`json.encode(self)`,
	`outputs.id + secretOutputs.?key3.orValue("")`,
}

// meddle deletes or changes a Secret or ConfigMap with outputs, creates one where outputs should
// go, or gives a House other keys.
func (m *model) meddle(t *rapid.T) {
	name := rapid.SampledFrom([]string{"out-h", "out-i", "out-both", "cm-h", "cm-i", "cm-both"}).Draw(t, "name")
	switch rapid.SampledFrom([]string{"delete", "change", "make", "rotate"}).Draw(t, "how") {
	case "delete":
		if o := m.container(name); o != nil {
			m.w.delete(o)
		}
	case "change":
		if o := m.container(name); o != nil {
			outputs.SetData(o, map[string][]byte{"key1": []byte("x")})
			m.store(o)
		}
	case "make":
		if m.container(name) == nil {
			m.w.create(outputs.New(containerRef(name)))
		}
	case "rotate":
		m.w.arm.Rotate(houseID)
	}
}

func containerRef(name string) ref {
	of := outputs.In(named.SecretKind, namespace)
	if of.Name = name; strings.HasPrefix(name, "cm") {
		of.GroupKind = named.ConfigMapKind
	}
	return of
}

// container returns a Secret or a ConfigMap, or nil.
func (m *model) container(name string) ctrlclient.Object {
	if strings.HasPrefix(name, "cm") {
		if c := get[corev1.ConfigMap](m.w, name); c != nil {
			return c
		}
	} else if s := get[corev1.Secret](m.w, name); s != nil {
		return s
	}
	return nil
}

func (m *model) store(o ctrlclient.Object) {
	if err := m.w.store.Update(m.Context(), o); err != nil {
		m.Fatalf("%v", err)
	}
}

// repairOutputs lets each House ask for valid outputs, and deletes the Secrets and ConfigMaps of
// those names that nobody owns.
func (m *model) repairOutputs(r kinds.Resource) {
	h, isHouse := r.(*homes.House)
	if !isHouse || h.Spec.Fields.OperatorSpec == nil {
		return
	}
	asks(h, "key1 out-"+h.Name+"/key1", "photo out-"+h.Name+"/photo", "id cm-"+h.Name+"/id")
	computes(h, "out-"+h.Name+`/url has(self.spec.rooms) ? string(self.spec.rooms) + secretOutputs.key1 : secretOutputs.key1`,
		"cm-"+h.Name+`/rooms has(outputs.rooms) ? string(outputs.rooms) : "none"`)
	for _, name := range []string{"out-" + h.Name, "cm-" + h.Name} {
		if o := m.container(name); o != nil && len(o.GetOwnerReferences()) == 0 {
			m.w.delete(o)
		}
	}
}

// delivered checks that the Secrets and ConfigMaps have what ARM has, and that nothing
// else has outputs.
func (m *model) delivered() {
	want := map[string]string{}
	for _, name := range []string{"h", "i"} {
		h := get[homes.House](m.w, name)
		if h == nil || h.Spec.Fields.OperatorSpec == nil {
			continue
		}
		id := things["House "+name].id
		answer := func(action string) map[string]any {
			return m.w.arm.Answer(id, action, map[string]string{
				homes.V2019: "2019-01-01", homes.V2020: "2020-02-02"}[h.Spec.OriginalVersion]).(map[string]any)
		}
		key1 := answer("listKeys")["keys"].([]any)[0].(map[string]any)["value"].(string)
		photo := homes.HouseOutputs[slices.IndexFunc(homes.HouseOutputs, func(o arm.Output) bool { return o.Name == "photo" })]
		picture, err := photo.Value(fmt.Appendf(nil, `{"photo": %q}`, answer("listPhotos")["photo"]))
		if err != nil {
			m.fail("%v", err)
		}
		rooms, shown := "", "none"
		if r := h.Spec.Fields.Rooms; r != nil {
			rooms = fmt.Sprint(*r)
		}
		if r := h.Status.Rooms; r != nil {
			shown = fmt.Sprint(*r)
		}
		want["out-"+name] = "out-" + name + " key1=" + key1 + " photo=" + string(picture) + " url=" + rooms + key1
		want["cm-"+name] = "cm-" + name + " id=" + id + " rooms=" + shown
	}
	got := map[string]string{}
	for _, line := range m.w.contents() {
		name, _, _ := strings.Cut(line, " ")
		got[name] = line
	}
	for name, line := range want {
		if strings.HasPrefix(name, "cm") { // ARM writes ids in another case
			got[name], want[name] = strings.ToLower(got[name]), strings.ToLower(line)
		}
	}
	if !maps.Equal(got, want) {
		m.fail("outputs: got %q, want %q", got, want)
	}
}
