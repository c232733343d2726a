package cluster

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
	"github.com/armature-dev/armature/runtime/reference"
)

// TestHealth has kstatus and the health check for Argo CD judge each state that an
// object goes through.
func TestHealth(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.arm.Behave(armtest.Behavior{Rates: armtest.Rates{armtest.AsyncOperation: 1}, Slowest: 2 * time.Second})
	check := healthCheck(t)
	id := houseID(0)
	h := &homes.House{ObjectMeta: named("h0")}
	h.Spec.Fields.Owner = &reference.Owner{ARMID: group}
	rooms := int64(1)
	h.Spec.Fields.Rooms = &rooms

	// seen has what the two say, in the order of the states that the API server had.
	var seen []string
	var mutex sync.Mutex
	d, err := dynamic.NewForConfig(s.plane.Config)
	if err != nil {
		t.Fatal(err)
	}
	houses := schema.GroupVersionResource{Group: homes.Group, Version: homes.V2020 + "storage", Resource: "houses"}
	watch, err := d.Resource(houses).Namespace("default").Watch(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(watch.Stop)
	go func() {
		for event := range watch.ResultChan() {
			o, ok := event.Object.(*unstructured.Unstructured)
			if !ok {
				return // it has ended, and expect fails unless the test has, too
			}
			result, err := status.Compute(o)
			if err != nil {
				t.Error(err)
				continue
			}
			says := fmt.Sprintf("%s %s", result.Status, check(o))
			// What is current is in ARM.
			want, _, _ := unstructured.NestedInt64(o.Object, "spec", "fields", "rooms")
			if has := s.rooms(id); result.Status == status.CurrentStatus && (has != want || says != "Current Healthy") {
				t.Errorf("%s with %d rooms in ARM, and %d in the Spec", says, has, want)
			}
			mutex.Lock()
			if len(seen) == 0 || seen[len(seen)-1] != says {
				seen = append(seen, says)
			}
			mutex.Unlock()
		}
	}()
	// expect waits until the two say something, and returns what they said until then.
	expect := func(what, says string) (before []string) {
		t.Helper()
		await.Until(s.T, what, func() error {
			mutex.Lock()
			defer mutex.Unlock()
			if n := len(seen) - 1; n < 0 || seen[n] != says {
				return fmt.Errorf("found %q, expected %q in the end", seen, says)
			}
			before, seen = seen[:len(seen)-1], nil
			return nil
		})
		return before
	}
	if err := s.Create(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	expect("no operator has seen it", "InProgress Progressing")
	kill := s.start()
	expect("made", "Current Healthy")
	s.edit(h, `{"spec":{"fields":{"rooms":2}}}`)
	if before := expect("changed", "Current Healthy"); !slices.Contains(before, "InProgress Progressing") {
		t.Errorf("found %q before a change was done", before)
	}
	kill()
	s.edit(h, `{"spec":{"fields":{"rooms":3}}}`)
	expect("a change that no operator has seen", "InProgress Progressing")
	s.start()
	expect("seen", "Current Healthy")
	s.edit(h, `{"spec":{"fields":{"streetReference":{"group":"no.example","kind":"Such","name":"n"}}}}`)
	expect("somebody has to act", "Failed Degraded")
	s.edit(h, `{"spec":{"fields":{"streetReference":null,"password":{"name":"pw","key":"k"}}}}`)
	expect("it can be waited for", "InProgress Progressing")
	if err := s.Create(t.Context(), &corev1.Secret{ObjectMeta: named("pw"), Data: map[string][]byte{"k": []byte("canary")}}); err != nil {
		t.Fatal(err)
	}
	expect("it has come", "Current Healthy")
	s.arm.Behave(armtest.Behavior{Rates: armtest.Rates{armtest.Transient409: 1}})
	if err := s.Delete(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	expect("its deletion is refused", "Terminating Degraded")
}

// rooms returns how many rooms a house has in ARM.
func (s *stage) rooms(id string) int64 {
	body, _ := s.arm.Resource(id)
	var has struct{ Properties struct{ Rooms int64 } }
	if json.Unmarshal(body, &has) != nil {
		return -1
	}
	return has.Properties.Rooms
}

func (s *stage) edit(o client.Object, patch string) {
	s.Helper()
	o = o.DeepCopyObject().(client.Object)
	if err := s.Patch(s.Context(), o, client.RawPatch(types.MergePatchType, []byte(patch))); err != nil {
		s.Fatal(err)
	}
}

// healthCheck returns the health check that docs/argo-cd.yaml has.
func healthCheck(t *testing.T) func(*unstructured.Unstructured) string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/argo-cd.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var config corev1.ConfigMap
	if err := yaml.UnmarshalStrict(text, &config); err != nil {
		t.Fatal(err)
	}
	var kinds map[string]map[string]string
	if err := yaml.UnmarshalStrict([]byte(config.Data["resource.customizations"]), &kinds); err != nil {
		t.Fatal(err)
	}
	script := kinds["*.azure.armature.dev/*"]["health.lua"]
	return func(o *unstructured.Unstructured) string {
		l := lua.NewState()
		defer l.Close()
		l.SetGlobal("obj", luaOf(l, o.Object))
		if err := l.DoString(script); err != nil {
			return err.Error()
		}
		health, _ := l.Get(-1).(*lua.LTable)
		if health == nil || health.RawGetString("message").String() == "" {
			return "found no health with a message"
		}
		return health.RawGetString("status").String()
	}
}

// luaOf returns a JSON value as Argo CD shows it to Lua.
func luaOf(l *lua.LState, value any) lua.LValue {
	switch value := value.(type) {
	case map[string]any:
		t := l.NewTable()
		for k, v := range value {
			t.RawSetString(k, luaOf(l, v))
		}
		return t
	case []any:
		t := l.NewTable()
		for _, v := range value {
			t.Append(luaOf(l, v))
		}
		return t
	case string:
		return lua.LString(value)
	case bool:
		return lua.LBool(value)
	case int64:
		return lua.LNumber(value)
	case float64:
		return lua.LNumber(value)
	}
	return lua.LNil
}
