package roundtrip_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/armature-dev/armature/runtime/roundtrip"
	fuzz "github.com/google/gofuzz"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
)

// Three versions of a kind, as one writes them with kubebuilder: the first has
// its times in one string, the second is the hub, the third has them in an object.

type JobV1 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Schedule          Schedule `json:"schedule"`
	Hosts             []string `json:"hosts,omitzero"`
}

// Schedule is "minute/hour".
type Schedule string

type JobV2 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Minute            string   `json:"minute"`
	Hour              string   `json:"hour"`
	Hosts             []string `json:"hosts,omitzero"`
}

type JobV3 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	At                At       `json:"at"`
	Hosts             []string `json:"hosts,omitzero"`
}

type At struct {
	Minute string `json:"minute"`
	Hour   string `json:"hour"`
}

func (j *JobV1) ConvertTo(hub conversion.Hub) error {
	dst := hub.(*JobV2)
	dst.ObjectMeta = j.ObjectMeta
	dst.Minute, dst.Hour, _ = strings.Cut(string(j.Schedule), "/")
	dst.Hosts = j.Hosts
	return nil
}

func (j *JobV1) ConvertFrom(hub conversion.Hub) error {
	src := hub.(*JobV2)
	j.ObjectMeta = src.ObjectMeta
	j.Schedule = Schedule(src.Minute + "/" + src.Hour)
	j.Hosts = src.Hosts
	return nil
}

func (*JobV2) Hub() {}

func (j *JobV3) ConvertTo(hub conversion.Hub) error {
	dst := hub.(*JobV2)
	dst.ObjectMeta, dst.Minute, dst.Hour, dst.Hosts = j.ObjectMeta, j.At.Minute, j.At.Hour, j.Hosts
	return nil
}

func (j *JobV3) ConvertFrom(hub conversion.Hub) error {
	src := hub.(*JobV2)
	j.ObjectMeta, j.At, j.Hosts = src.ObjectMeta, At{src.Minute, src.Hour}, src.Hosts
	return nil
}

func (j *JobV1) DeepCopyObject() runtime.Object {
	c := *j
	c.ObjectMeta, c.Hosts = *j.ObjectMeta.DeepCopy(), slices.Clone(j.Hosts)
	return &c
}

func (j *JobV2) DeepCopyObject() runtime.Object {
	c := *j
	c.ObjectMeta, c.Hosts = *j.ObjectMeta.DeepCopy(), slices.Clone(j.Hosts)
	return &c
}

func (j *JobV3) DeepCopyObject() runtime.Object {
	c := *j
	c.ObjectMeta, c.Hosts = *j.ObjectMeta.DeepCopy(), slices.Clone(j.Hosts)
	return &c
}

var job = schema.GroupKind{Group: "jobs.example.com", Kind: "Job"}

func scheme() *runtime.Scheme {
	s := runtime.NewScheme()
	s.AddKnownTypeWithName(job.WithVersion("v1"), &JobV1{})
	s.AddKnownTypeWithName(job.WithVersion("v2"), &JobV2{})
	s.AddKnownTypeWithName(job.WithVersion("v3"), &JobV3{})
	return s
}

// Where values follow a rule that their Go types do not say, a function fills them.
func TestCheck(t *testing.T) {
	roundtrip.Options{
		Fill: []any{func(s *Schedule, c fuzz.Continue) {
			*s = Schedule(strconv.Itoa(c.Intn(60)) + "/" + strconv.Itoa(c.Intn(24)))
		}},
	}.Check(t, scheme(), job)
}

func ExampleCheck() {
	_ = func(t *testing.T) {
		roundtrip.Check(t, scheme(), schema.GroupKind{Group: "jobs.example.com", Kind: "Job"})
	}
}
