package cluster

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"syscall"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/armature-dev/armature/internal/await"
	"github.com/armature-dev/armature/runtime/arm/armtest"
)

// The lease of the instances in TestFrozen, which is long enough for a busy machine.
const (
	leaseDuration = 20 * time.Second
	renewDeadline = 15 * time.Second
)

var leaseName = types.NamespacedName{Namespace: "default", Name: "armature"}

// TestFrozen freezes the instance that leads past its lease, again and again, while it
// is at work. After it goes on it sends nothing more, and the other one loses nothing.
func TestFrozen(t *testing.T) {
	const houses, doors, rounds = 6, 2, 2
	t.Parallel()
	s := newStage(t)
	s.arm.Behave(armtest.Behavior{Seed: 1, Slowest: 4 * time.Second, RetryAfter: 2 * time.Second, WriteOnly: []string{"password"},
		Rates: armtest.Rates{
			armtest.AsyncOperation: .3, armtest.LocationOperation: .3, armtest.MissingParent: 1, armtest.Busy: 1, armtest.NewURL: .4,
			armtest.NotEchoed: 1}})
	town := &town{stage: s}
	secret := &corev1.Secret{ObjectMeta: named("pw"), Data: map[string][]byte{"k": []byte("canary")}}
	if err := s.Create(t.Context(), secret); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 1))
	leader := s.instance("instance-0")
	await.Until(s.T, "instance-0 leads", s.leads("instance-0"))
	for i := range houses {
		town.build(i, doors)
	}
	for round := range rounds {
		old, next := fmt.Sprintf("instance-%d", round), fmt.Sprintf("instance-%d", round+1)
		successor := s.instance(next)
		n := s.sentBy(old)
		for _, house := range town.houses {
			town.change(house)
		}
		await.Until(s.T, old+" is at work", func() error {
			if s.sentBy(old) < n+1+random.IntN(houses) {
				return errors.New("it has sent too little")
			}
			return nil
		})
		s.signal(leader, syscall.SIGSTOP)
		for _, house := range town.houses[:houses/2] {
			town.change(house) // which only the next one sees at first
		}
		await.Until(s.T, next+" leads", s.leads(next))
		taken := time.Now()
		await.Until(s.T, next+" is at work", func() error {
			if s.sentBy(next) == 0 {
				return errors.New("it has sent nothing")
			}
			return nil
		})
		s.signal(leader, syscall.SIGCONT)
		if err := leader.Wait(); err == nil {
			t.Errorf("%s ended well, want an error that it has lost the lease", old)
		}
		// One request may have passed the check of the lease when the process stopped: the next instance waits for it.
		if late := s.after(old, taken); len(late) > 1 {
			t.Errorf("%s sent %d requests after %s had taken over, the first %s later", old, len(late), next, late[0].Sub(taken))
		}
		leader = successor
	}
	await.Until(s.T, "ready", s.allReady)
	town.inARM()
}

// instance starts one of several operators.
func (s *stage) instance(name string) *exec.Cmd {
	s.Helper()
	r := s.role
	r.Name = name
	c := s.launch(r)
	s.Cleanup(func() { c.Process.Kill() }) // which may have ended
	return c
}

func (s *stage) signal(c *exec.Cmd, what syscall.Signal) {
	s.Helper()
	if err := c.Process.Signal(what); err != nil {
		s.Fatal(err)
	}
}

// leads returns a function that returns an error until an instance has the lease.
func (s *stage) leads(name string) func() error {
	return func() error {
		var lease coordinationv1.Lease
		if err := s.Get(s.Context(), leaseName, &lease); err != nil {
			return err
		}
		if holder := lease.Spec.HolderIdentity; holder == nil || *holder != name {
			return errors.New("another has the lease")
		}
		return nil
	}
}

// sentBy returns how many requests an instance has sent.
func (s *stage) sentBy(name string) int { return len(s.after(name, time.Time{})) }

// after returns when requests of an instance came after a time.
func (s *stage) after(name string, since time.Time) (all []time.Time) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, at := range s.came[name] {
		if at.After(since) {
			all = append(all, at)
		}
	}
	return all
}
