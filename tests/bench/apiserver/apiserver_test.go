// Package apiserver measures what the CRDs of all groups cost a real kube-apiserver.
package apiserver

import (
	"context"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/generator/crd"
	"github.com/armature-dev/armature/tests/e2e/cluster"
)

// BenchmarkMemory installs the CRDs and policies of a choice of groups in an API server of
// their own, lists each of them once, asks for /openapi/v2, and reports the memory
// of the API server beside the price of the CRDs.
func BenchmarkMemory(b *testing.B) {
	folders, err := filepath.Glob(filepath.Join("..", "..", "..", "apis", "*", "crds"))
	if err != nil || len(folders) == 0 {
		b.Fatalf("no CRDs (%v): run this with ./bazelw, which builds them", err)
	}
	three := []string{"network", "resources", "storage"}
	ten := append([]string{"authorization", "compute", "containerregistry", "containerservice", "insights", "keyvault", "managedidentity"},
		three...)
	for _, row := range []struct {
		name, serve string
		groups      []string // nil for all
	}{
		{"newest=1", "newest=1", nil}, {crd.DefaultChoice, crd.DefaultChoice, nil}, {"all", "all", nil},
		{"three groups", crd.DefaultChoice, three}, {"ten groups", crd.DefaultChoice, ten},
	} {
		b.Run(row.name, func(b *testing.B) {
			choice, err := crd.ParseChoice(row.serve)
			if err != nil {
				b.Fatal(err)
			}
			var crds []*apiextensionsv1.CustomResourceDefinition
			var policies []string
			var price crd.Price
			for _, folder := range folders {
				if row.groups != nil && !slices.Contains(row.groups, filepath.Base(filepath.Dir(folder))) {
					continue
				}
				all, err := crd.ReadFolder(folder)
				if err != nil {
					b.Fatal(err)
				}
				chosen := all.Serve(choice)
				price = price.Plus(chosen.Price())
				files, err := chosen.Files(nil, nil)
				if err != nil {
					b.Fatal(err)
				}
				for _, c := range chosen.CRDs {
					definition := &apiextensionsv1.CustomResourceDefinition{}
					if err := yaml.UnmarshalStrict(files[c.File], definition); err != nil {
						b.Fatal(err)
					}
					crds = append(crds, definition)
				}
				policies = append(policies, cluster.ReadPolicies(b, folder))
			}
			for b.Loop() {
				measure(b, crds, policies)
			}
			b.ReportMetric(float64(len(crds)), "kinds")
			b.ReportMetric(float64(price.Versions), "versions")
			b.ReportMetric(float64(price.Live()), "MB-price")
			b.ReportMetric(float64(price.Peak()), "MB-price-peak")
		})
	}
}

// measure reports the live memory of an API server, the peak, and the mean and the most
// of what is resident between five and ten minutes later, and by how much the first two
// grow with the CRDs and policies.
func measure(b *testing.B, crds []*apiextensionsv1.CustomResourceDefinition, policies []string) {
	server, err := cluster.Start()
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := server.Stop(); err != nil {
			b.Error(err)
		}
	}()
	before := live(b, server)
	empty := server.Memory(b)
	ctx, stop := context.WithCancel(b.Context())
	var peak atomic.Int64
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			peak.Store(max(peak.Load(), server.Memory(b)))
			time.Sleep(200 * time.Millisecond)
		}
	}()
	never := cluster.NewWebhook(b, http.NotFoundHandler()) // there are no objects
	defer never.Stop()
	server.Install(b, never, crds...)
	server.Apply(b, strings.Join(policies, ""))
	for _, crd := range crds {
		for _, v := range crd.Spec.Versions {
			if !v.Storage {
				continue
			}
			resource := schema.GroupVersionResource{Group: crd.Spec.Group, Version: v.Name, Resource: crd.Spec.Names.Plural}
			if _, err := server.Client.Resource(resource).List(b.Context(), metav1.ListOptions{}); err != nil {
				b.Fatal(err)
			}
		}
	}
	if _, err := server.Discovery.RESTClient().Get().AbsPath("/openapi/v2").DoRaw(b.Context()); err != nil {
		b.Fatal(err)
	}
	time.Sleep(20 * time.Second) // the documents are made in the background
	stop()
	<-done
	// Every five minutes the API server makes its OpenAPI documents anew, of which the garbage goes within minutes.
	const resync = 5 * time.Minute
	time.Sleep(resync)
	var sum, most, samples int64
	for end := time.Now().Add(resync); time.Now().Before(end); time.Sleep(time.Second) {
		resident := server.Memory(b)
		sum, most, samples = sum+resident, max(most, resident), samples+1
	}
	after := live(b, server)
	const mb = 1 << 20
	b.ReportMetric(float64(sum/samples/mb), "MB-steady")
	b.ReportMetric(float64(most/mb), "MB-steady-most")
	b.ReportMetric(float64(after/mb), "MB-live")
	b.ReportMetric(float64((after-before)/mb), "MB-live-of-CRDs")
	b.ReportMetric(float64(peak.Load()/mb), "MB-peak")
	b.ReportMetric(float64((peak.Load()-empty)/mb), "MB-peak-of-CRDs")
}

// live returns the bytes on the heap of an API server after garbage collection.
func live(b *testing.B, server *cluster.Cluster) int64 {
	client := server.Discovery.RESTClient()
	for range 2 { // what the first collection finalizes goes with the second
		if _, err := client.Get().AbsPath("/debug/pprof/heap").Param("gc", "1").DoRaw(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	text, err := client.Get().AbsPath("/metrics").DoRaw(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if value, is := strings.CutPrefix(line, "go_memstats_heap_alloc_bytes "); is {
			bytes, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil {
				b.Fatal(err)
			}
			return int64(bytes)
		}
	}
	b.Fatal("the API server's metrics do not have go_memstats_heap_alloc_bytes")
	return 0
}
