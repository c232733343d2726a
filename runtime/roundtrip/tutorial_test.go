package roundtrip_test

import (
	"strings"
	"testing"

	"github.com/armature-dev/armature/runtime/roundtrip"
	fuzz "github.com/google/gofuzz"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
)

// The two versions of CronJob in kubebuilder's tutorial of several versions,
// rebuilt: the hub has the schedule in one string, v2 in one field for each part.

type CronJobV1 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   CronJobSpecV1 `json:"spec,omitempty"`
	Status CronJobStatus `json:"status,omitempty"`
}

type CronJobSpecV1 struct {
	Schedule    Cron `json:"schedule"`
	CronJobRest `json:",inline"`
}

// Cron is a schedule: minute, hour, day of the month, month, day of the week.
type Cron string

type CronJobV2 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   CronJobSpecV2 `json:"spec,omitempty"`
	Status CronJobStatus `json:"status,omitempty"`
}

type CronJobSpecV2 struct {
	Schedule    CronSchedule `json:"schedule"`
	CronJobRest `json:",inline"`
}

// CronSchedule is a schedule in parts; one that is absent is "*".
type CronSchedule struct {
	Minute     *CronField `json:"minute,omitempty"`
	Hour       *CronField `json:"hour,omitempty"`
	DayOfMonth *CronField `json:"dayOfMonth,omitempty"`
	Month      *CronField `json:"month,omitempty"`
	DayOfWeek  *CronField `json:"dayOfWeek,omitempty"`
}

func (s *CronSchedule) fields() []**CronField {
	return []**CronField{&s.Minute, &s.Hour, &s.DayOfMonth, &s.Month, &s.DayOfWeek}
}

// CronField is one part of a schedule.
type CronField string

// CronJobRest has the properties that both versions share.
type CronJobRest struct {
	StartingDeadlineSeconds    *int64            `json:"startingDeadlineSeconds,omitempty"`
	ConcurrencyPolicy          ConcurrencyPolicy `json:"concurrencyPolicy,omitempty"`
	Suspend                    *bool             `json:"suspend,omitempty"`
	SuccessfulJobsHistoryLimit *int32            `json:"successfulJobsHistoryLimit,omitempty"`
}

type ConcurrencyPolicy string

type CronJobStatus struct {
	Active           []string     `json:"active,omitempty"`
	LastScheduleTime *metav1.Time `json:"lastScheduleTime,omitempty"`
}

func (*CronJobV1) Hub() {}

func (j *CronJobV2) ConvertTo(hub conversion.Hub) error {
	dst := hub.(*CronJobV1)
	var parts []string
	for _, field := range j.Spec.Schedule.fields() {
		if *field == nil {
			parts = append(parts, "*")
		} else {
			parts = append(parts, string(**field))
		}
	}
	dst.ObjectMeta, dst.Spec.CronJobRest, dst.Status = j.ObjectMeta, j.Spec.CronJobRest, j.Status
	if tutorial != "a part is forgotten" {
		dst.Spec.Schedule = Cron(strings.Join(parts, " "))
	} else {
		dst.Spec.Schedule = Cron(strings.Join(append(parts[:4], "*"), " "))
	}
	return nil
}

func (j *CronJobV2) ConvertFrom(hub conversion.Hub) error {
	src := hub.(*CronJobV1)
	parts := strings.Split(string(src.Spec.Schedule), " ")
	for i, field := range j.Spec.Schedule.fields() {
		if i < len(parts) && parts[i] != "*" {
			part := CronField(parts[i])
			*field = &part
		}
	}
	j.ObjectMeta, j.Spec.CronJobRest, j.Status = src.ObjectMeta, src.Spec.CronJobRest, src.Status
	return nil
}

// tutorial names the mistake in the conversions; "" means that there is none.
var tutorial string

func (j *CronJobV1) DeepCopyObject() runtime.Object {
	c := *j
	c.ObjectMeta, c.Spec.CronJobRest, c.Status = *j.ObjectMeta.DeepCopy(), j.Spec.CronJobRest.copy(), j.Status.copy()
	return &c
}

func (j *CronJobV2) DeepCopyObject() runtime.Object {
	c := *j
	c.ObjectMeta, c.Spec.CronJobRest, c.Status = *j.ObjectMeta.DeepCopy(), j.Spec.CronJobRest.copy(), j.Status.copy()
	for _, field := range c.Spec.Schedule.fields() {
		*field = clone(*field)
	}
	return &c
}

func (r CronJobRest) copy() CronJobRest {
	r.StartingDeadlineSeconds, r.Suspend = clone(r.StartingDeadlineSeconds), clone(r.Suspend)
	r.SuccessfulJobsHistoryLimit = clone(r.SuccessfulJobsHistoryLimit)
	return r
}

func (s CronJobStatus) copy() CronJobStatus {
	if s.Active != nil {
		s.Active = append([]string{}, s.Active...)
	}
	s.LastScheduleTime = s.LastScheduleTime.DeepCopy()
	return s
}

func clone[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}

func cronField(c fuzz.Continue) string { return []string{"0", "*/5", "1-3", "12"}[c.Intn(4)] }

// cronJob says what the Go types of a CronJob do not: what a schedule looks like,
// and the values of an enum.
var cronJob = roundtrip.Options{
	Fill: []any{
		func(f *CronField, c fuzz.Continue) { *f = CronField(cronField(c)) },
		func(s *Cron, c fuzz.Continue) {
			parts := make([]string, 5)
			for i := range parts {
				if parts[i] = "*"; c.RandBool() {
					parts[i] = cronField(c)
				}
			}
			*s = Cron(strings.Join(parts, " "))
		},
		func(s *[]string, c fuzz.Continue) { // omitempty does not keep nil and empty apart
			if n := c.Intn(4); n > 0 {
				*s = make([]string, n)
				for i := range *s {
					(*s)[i] = c.RandString()
				}
			}
		},
	},
	Enums: []any{[]ConcurrencyPolicy{"Allow", "Forbid", "Replace"}},
}

func cronJobs() (*runtime.Scheme, schema.GroupKind) {
	kind := schema.GroupKind{Group: "batch.tutorial.example.com", Kind: "CronJob"}
	s := runtime.NewScheme()
	s.AddKnownTypeWithName(kind.WithVersion("v1"), &CronJobV1{})
	s.AddKnownTypeWithName(kind.WithVersion("v2"), &CronJobV2{})
	return s, kind
}

func TestTutorial(t *testing.T) {
	t.Run("its conversions keep the laws", func(t *testing.T) {
		scheme, kind := cronJobs()
		cronJob.Check(t, scheme, kind)
	})
	t.Run("a conversion that forgets a part breaks laws", func(t *testing.T) {
		tutorial = "a part is forgotten"
		defer func() { tutorial = "" }()
		kind := &roundtrip.Kind{Options: cronJob, Hub: &CronJobV1{}}
		var broken []string
		for _, law := range roundtrip.Laws {
			for seed := int64(1); seed < 50 && !law.OfPair; seed++ {
				if kind.NewTrial(&CronJobV2{}, nil, seed).Try(law) != nil {
					broken = append(broken, law.Name)
					break
				}
			}
		}
		if got := strings.Join(broken, " "); got != "RoundTrip NoLoss Edit" {
			t.Errorf("the laws %q fail", got)
		}
	})
}

func ExampleOptions_Check() {
	_ = func(t *testing.T) {
		scheme, kind := cronJobs()
		roundtrip.Options{
			Fill: []any{func(f *CronField, c fuzz.Continue) { *f = "*/5" }},
		}.Check(t, scheme, kind)
	}
}
