package published_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrlclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/armature-dev/armature/cli/objects"
	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/reconcile"
)

// plansNothing checks that a plan of objects that are ready has nothing to do, with the keys of records and without
// them. Without them a plan may say that it cannot know, and foretells no request either.
func (u *user) plansNothing(t *testing.T, samples []sample) {
	t.Helper()
	live, err := ctrlclient.New(server.Config, ctrlclient.Options{Scheme: u.scheme})
	if err != nil {
		t.Fatal(err)
	}
	var all []ctrlclient.Object
	for _, s := range samples {
		o, err := s.resource.Get(t.Context(), s.GetName(), metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if reason, _ := s.unready(t); reason != "" {
			continue // it is listed
		}
		text, err := o.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		versioned, err := u.scheme.New(o.GroupVersionKind())
		if err == nil {
			err = json.Unmarshal(text, versioned)
		}
		if err != nil {
			t.Fatal(err)
		}
		hub, err := objects.HubOf(versioned.(conversion.KubernetesResource))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, hub.(ctrlclient.Object))
	}
	namespace, instance := reconcile.OperatorOf(all)
	for _, keys := range []string{"", "there-are-none"} {
		plan, err := reconcile.Plan(t.Context(), reconcile.PlanOptions{
			Options: reconcile.Options{Namespace: namespace, Instance: instance, KeySecret: keys, Transport: u.arm, InsecureHTTP: true,
				Subscription: "s", Cloud: cloud.Configuration{Services: map[cloud.ServiceName]cloud.ServiceConfiguration{
					cloud.ResourceManager: {Endpoint: armtest.Endpoint, Audience: armtest.Endpoint}}}},
			Scheme: u.scheme, Objects: all, Live: live, Selected: func(ctrlclient.Object) bool { return true },
			Wait: func(context.Context, time.Duration) error { return nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range plan {
			if len(f.Requests) > 0 || f.Action != reconcile.PlanNothing || keys == "" && f.Maybe != "" {
				text, _ := json.Marshal(f)
				t.Errorf("after it was made, a plan of %s %s says %s", f.Kind, f.Name, text)
			}
		}
	}
}
