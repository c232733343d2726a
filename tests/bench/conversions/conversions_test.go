// Package conversions measures conversions, and compares them with a deep copy of
// the same object in the same run.
package conversions

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	v2019 "github.com/armature-dev/armature/apis/storage/v20190601"
	"github.com/armature-dev/armature/apis/storage/v20210201storage"
	"github.com/armature-dev/armature/apis/storage/v20210401"
	"github.com/armature-dev/armature/apis/storage/v20250801storage"
	hub "github.com/armature-dev/armature/apis/storage/v20260401storage"
	"github.com/armature-dev/armature/runtime/annotation"
	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/remainder"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// account returns the published example at 2019-06-01, Spec and Status, with so
// many network rules that it has 6 KB.
func account(tb testing.TB) *v2019.StorageAccount {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(os.Getenv("TEST_SRCDIR"), filepath.Dir(os.Getenv("SPECS")),
		"azure-rest-api-specs/specification/storage/resource-manager/Microsoft.Storage/stable/2019-06-01/examples/StorageAccountCreate.json"))
	if os.IsNotExist(err) {
		tb.Skip("there are no published specs: the account is an example of theirs")
	}
	if err != nil {
		tb.Fatal(err)
	}
	var example struct {
		Parameters struct{ Parameters json.RawMessage }
		Responses  map[string]struct{ Body json.RawMessage }
	}
	if err := json.Unmarshal(text, &example); err != nil {
		tb.Fatal(err)
	}
	object := &v2019.StorageAccount{
		TypeMeta:   metav1.TypeMeta{APIVersion: v2019.GroupVersion.String(), Kind: "StorageAccount"},
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "sto4445"},
	}
	for body, half := range map[string]any{
		string(example.Parameters.Parameters): &object.Spec,
		string(example.Responses["200"].Body): &object.Status,
	} {
		if _, err := arm.Decode([]byte(body), half); err != nil {
			tb.Fatal(err)
		}
	}
	rules := &v2019.NetworkRuleSet{DefaultAction: ptr(v2019.DefaultAction_Deny)}
	object.Spec.NetworkAcls = rules
	for size(tb, object) < 6<<10 {
		rules.IpRules = append(rules.IpRules, v2019.IPRule{Value: ptr(fmt.Sprint("10.0.0.", len(rules.IpRules)))})
	}
	return object
}

// newer returns the account as stored, with 20 properties of later versions that
// 2019-06-01 cannot hold.
func newer(tb testing.TB) *hub.StorageAccount {
	tb.Helper()
	latest := &v20210401.StorageAccount{}
	stored := &hub.StorageAccount{}
	must(tb, account(tb).ConvertTo(stored))
	must(tb, latest.ConvertFrom(stored))
	spec := `{"allowCrossTenantReplication":true,"extendedLocation":{"name":"losangeles","type":"EdgeZone"},"isNfsV3Enabled":false,
		"keyPolicy":{"keyExpirationPeriodInDays":20},"sasPolicy":{"sasExpirationPeriod":"1.15:59:59","expirationAction":"Log"},
		"encryption":{"identity":{"userAssignedIdentityReference":{"armId":"/subscriptions/s/resourceGroups/r/providers/Microsoft.ManagedIdentity/userAssignedIdentities/i"}}},
		"networkAcls":{"resourceAccessRules":[{"tenantId":"72f988bf-86f1-41af-91ab-2d7cd011db47"}]}}`
	status := `{"allowCrossTenantReplication":true,"extendedLocation":{"name":"losangeles","type":"EdgeZone"},"isNfsV3Enabled":false,
		"keyPolicy":{"keyExpirationPeriodInDays":20},"sasPolicy":{"sasExpirationPeriod":"1.15:59:59","expirationAction":"Log"},
		"keyCreationTime":{"key1":"2021-03-18T05:42:22.4322836Z","key2":"2021-03-18T05:42:22.4322836Z"},
		"encryption":{"identity":{"userAssignedIdentity":"/subscriptions/s/resourceGroups/r/providers/Microsoft.ManagedIdentity/userAssignedIdentities/i"}}}`
	must(tb, json.Unmarshal([]byte(spec), &latest.Spec))
	must(tb, json.Unmarshal([]byte(status), &latest.Status))
	stored = &hub.StorageAccount{}
	must(tb, latest.ConvertTo(stored))
	bag := `{"a":{"value":"of a preview","version":"2021-08-01"},"b":{"value":2,"version":"2021-08-01"},"c":{"value":{"d":true},"version":"2021-08-01"}}`
	must(tb, json.Unmarshal([]byte(bag), &stored.Spec.PropertyBag))
	must(tb, json.Unmarshal([]byte(bag), &stored.Status.PropertyBag))
	stored.Spec.OriginalVersion = v2019.GroupVersion.Version
	return stored
}

func ptr[T any](value T) *T { return &value }

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func size(tb testing.TB, object any) int {
	text, err := json.Marshal(object)
	must(tb, err)
	return len(text)
}

// run measures do.
func run(b *testing.B, name string, do func() error) {
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := do(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// compare reports how many times as long as base do takes: the fastest of batches
// that take turns, in CPU time, so that what else runs on the machine matters little.
// They run on one core, where the garbage collector takes what it needs: on a core
// that has nothing else to do it takes more, the more often it runs.
func compare(b *testing.B, name, unit string, base, do func() error) {
	const calls = 10_000 // enough for the garbage collector to run many times in each batch
	batch := func(do func() error) time.Duration {
		start := cpu(b)
		for range calls {
			must(b, do())
		}
		return cpu(b) - start
	}
	b.Run(name, func(b *testing.B) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // here, since testing sets it before each run
		fastest, fastestBase := batch(do), batch(base)
		for b.Loop() {
			fastest, fastestBase = min(fastest, batch(do)), min(fastestBase, batch(base))
		}
		b.ReportMetric(float64(fastest)/float64(fastestBase), unit)
	})
}

// cpu returns the CPU time that the process has used.
func cpu(b *testing.B) time.Duration {
	var used syscall.Rusage
	must(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkStorageAccount measures up and down, each of which may cost 1.1 times
// a copy, and 40 allocations.
func BenchmarkStorageAccount(b *testing.B) {
	object, stored := account(b), &hub.StorageAccount{}
	must(b, object.ConvertTo(stored))
	plainCopy := func() error { object.DeepCopy(); return nil }
	up := func() error { return object.ConvertTo(&hub.StorageAccount{}) }
	down := func() error { return (&v2019.StorageAccount{}).ConvertFrom(stored) }
	run(b, "copy", plainCopy)
	run(b, "up", up)
	run(b, "down", down)
	compare(b, "up-against-copy", "copies", plainCopy, up)
	compare(b, "down-against-copy", "copies", plainCopy, down)
}

// BenchmarkRoute measures conversions across five storage versions, which may
// cost twice as much as across two, with an object that all of them can hold.
func BenchmarkRoute(b *testing.B) {
	shown, stored := &v2019.StorageAccount{}, &hub.StorageAccount{}
	must(b, account(b).ConvertTo(stored))
	must(b, shown.ConvertFrom(stored))
	delete(shown.Annotations, annotation.Remainder)
	stored = &hub.StorageAccount{}
	must(b, shown.ConvertTo(stored))
	oldest, next := &v20210201storage.StorageAccount{}, &v20250801storage.StorageAccount{}
	must(b, oldest.ConvertFrom(stored))
	must(b, next.ConvertFrom(stored))
	twoUp := func() error { return next.ConvertTo(&hub.StorageAccount{}) }
	twoDown := func() error { return (&v20250801storage.StorageAccount{}).ConvertFrom(stored) }
	compare(b, "five-against-two/up", "twos", twoUp, func() error { return oldest.ConvertTo(&hub.StorageAccount{}) })
	compare(b, "five-against-two/down", "twos", twoDown,
		func() error { return (&v20210201storage.StorageAccount{}).ConvertFrom(stored) })
}

// BenchmarkRemainder measures conversions with an empty remainder and with one of
// 20 entries, and plain conversions, which have no remainder.
func BenchmarkRemainder(b *testing.B) {
	nothing, much := &hub.StorageAccount{}, newer(b)
	must(b, account(b).ConvertTo(nothing))
	carrying := &v2019.StorageAccount{}
	must(b, carrying.ConvertFrom(much))
	carried := len(carrying.Annotations[annotation.Remainder])
	edited := much.DeepCopy()
	edited.Spec.OriginalVersion = v20210401.GroupVersion.Version
	editing := &v2019.StorageAccount{}
	must(b, editing.ConvertFrom(edited))

	plainDown := func(from *hub.StorageAccount) func() error {
		return func() error {
			object := &v2019.StorageAccount{}
			from.ObjectMeta.DeepCopyInto(&object.ObjectMeta)
			if err := object.Spec.ConvertSpecFrom(&from.Spec); err != nil {
				return err
			}
			return object.Status.ConvertStatusFrom(&from.Status)
		}
	}
	plainUp := func() error {
		object := &hub.StorageAccount{}
		carrying.ObjectMeta.DeepCopyInto(&object.ObjectMeta)
		if err := carrying.Spec.ConvertSpecTo(&object.Spec); err != nil {
			return err
		}
		return carrying.Status.ConvertStatusTo(&object.Status)
	}
	down := func(from *hub.StorageAccount) func() error {
		return func() error { return (&v2019.StorageAccount{}).ConvertFrom(from) }
	}
	up := func(from *v2019.StorageAccount) func() error {
		return func() error { return from.ConvertTo(&hub.StorageAccount{}) }
	}
	run(b, "nothing/down-plain", plainDown(nothing))
	run(b, "nothing/down", down(nothing))
	run(b, "much/down-plain", plainDown(much))
	run(b, "much/down", down(much))
	run(b, "much/down-digest", down(edited))
	run(b, "much/up-plain", plainUp)
	run(b, "much/up", up(carrying))
	run(b, "much/up-digest", up(editing))
	both := func(down, up func() error) func() error {
		return func() error { return errors.Join(down(), up()) }
	}
	plain := both(plainDown(much), plainUp)
	compare(b, "nothing-against-plain", "plains", plainDown(nothing), down(nothing))
	compare(b, "much-against-plain", "plains", plain, both(down(much), up(carrying)))
	compare(b, "digest-against-plain", "plains", plain, both(down(edited), up(editing)))
	b.Logf("the annotation has %d bytes", carried)
}

// TestAllocations holds the allocations of BenchmarkStorageAccount to their limit,
// because they are exact.
func TestAllocations(t *testing.T) {
	const limit = 40
	object, stored := account(t), &hub.StorageAccount{}
	must(t, object.ConvertTo(stored))
	for name, convert := range map[string]func() error{
		"up":   func() error { return object.ConvertTo(&hub.StorageAccount{}) },
		"down": func() error { return (&v2019.StorageAccount{}).ConvertFrom(stored) },
	} {
		t.Run(name, func(t *testing.T) {
			got := testing.AllocsPerRun(100, func() { must(t, convert()) })
			t.Logf("%v allocations", got)
			if got > limit {
				t.Errorf("%v allocations, at most %d are allowed", got, limit)
			}
		})
	}
}

// The objects of the benchmarks must have the size and the entries that their
// names promise.
func TestObjects(t *testing.T) {
	if got := size(t, account(t)); got < 6<<10 || got > 7<<10 {
		t.Errorf("the account has %d bytes, want 6 to 7 KB", got)
	}
	much, object := newer(t), &v2019.StorageAccount{}
	must(t, object.ConvertFrom(much))
	note, err := remainder.Read(object.Annotations,
		remainder.Object{Group: v2019.GroupVersion.Group, Kind: "StorageAccount", Namespace: "default", Name: "sto4445"}, nil, nil)
	must(t, err)
	if got := len(note.Lost.Entries()); got != 20 {
		t.Errorf("%d entries, want 20: %v", got, note.Lost.Entries())
	}
	back := &hub.StorageAccount{}
	must(t, object.ConvertTo(back))
	want, err := json.Marshal(much)
	must(t, err)
	got, err := json.Marshal(back)
	must(t, err)
	if string(got) != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
