package reconcile

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/armature-dev/armature/runtime/arm/armtest"
	"github.com/armature-dev/armature/runtime/reconcile/internal/homes"
)

// stateWords returns all words that the specs have for the state of a resource.
func stateWords(t testing.TB) (words []string) {
	text, err := os.ReadFile("../arm/client/testdata/states.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if where, word, _ := strings.Cut(strings.TrimSpace(line), " "); where == "resource" {
			words = append(words, word)
		}
	}
	return words
}

// TestStates has the words that services use for the states of resources.
func TestStates(t *testing.T) {
	for _, row := range []struct{ state, want string }{
		{"Cancelled", "False OperationCancelled"},
		{"CreateFailed", "False OperationCreateFailed"},
		{"ResolvingDNS", "False InProgress"},
		{"ProvisioningResources", "False InProgress"},
		{"Running", "True Succeeded"},
		{"Degraded", "True Succeeded"},
		{"Fermented", "True Succeeded"}, // nobody knows it, and ARM does not ask to wait
	} {
		t.Run("a resource that is "+row.state, func(t *testing.T) {
			w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.LastingState: 1, armtest.ShowsState: 1},
				States: []string{row.state}})
			w.create(newHouse("h", 3))
			w.pass(10 * time.Second)
			w.expect("soon", get[homes.House](w, "h"), row.want)
			if strings.HasPrefix(row.want, "False") {
				w.expect("in its own words", get[homes.House](w, "h"), row.want, row.state)
			}
		})
	}
	t.Run("each word of the specs is ready, or is said", func(t *testing.T) {
		words := stateWords(t)
		for _, word := range words {
			w := newWorld(t, armtest.Behavior{Rates: armtest.Rates{armtest.LastingState: 1, armtest.ShowsState: 1}, States: []string{word}})
			w.create(newHouse("h", 3))
			w.pass(10 * time.Second)
			if h := get[homes.House](w, "h"); ready(h) != "True Succeeded" {
				w.expect("in its own words", h, ready(h), word)
			}
			edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
			w.pass(time.Minute)
			w.has("a change is sent", houseID, `{"rooms":4}`)
		}
		if len(words) < 100 {
			t.Errorf("found %d words", len(words))
		}
	})
	t.Run("nobody knows the word, and ARM asks to wait", func(t *testing.T) {
		w := newWorld(t, armtest.Behavior{Seed: 2, Slowest: 40 * time.Minute,
			Rates: armtest.Rates{armtest.StateOperation: 1, armtest.OddState: 1}})
		w.create(newHouse("h", 3))
		w.pass(10 * time.Second)
		w.expect("at work", get[homes.House](w, "h"), "False InProgress", "Percolated")
		w.pass(time.Hour)
		w.expect("in the end", get[homes.House](w, "h"), "True Succeeded")
	})
	const failed = `{"status":"%s","error":{"code":"NoRoom","message":"There is no room in this region."}}`
	for _, row := range []struct {
		how  armtest.Fault
		word string
	}{{armtest.AsyncOperation, "Cancelled"}, {armtest.AsyncOperation, "TimedOut"}, {armtest.LocationOperation, "Failed"},
		{armtest.LocationOperation, "Cancelled"}} {
		t.Run(fmt.Sprint(row.how, ", which ends as ", row.word), func(t *testing.T) {
			begin := func(t *testing.T) *world {
				w := newWorld(t, armtest.Behavior{})
				w.poll = &http.Response{StatusCode: 200, Status: fmt.Sprintf(failed, row.word), Header: http.Header{}}
				return w
			}
			fail := func(w *world) {
				w.behave(armtest.Behavior{Rates: armtest.Rates{row.how: 1}, Slowest: 1000 * time.Hour})
			}
			const words = "There is no room in this region."
			t.Run("a creation", func(t *testing.T) {
				w := begin(t)
				fail(w)
				w.create(newHouse("h", 3))
				w.pass(2 * time.Minute)
				w.expect("ARM's words", get[homes.House](w, "h"), "False NoRoom", words)
			})
			t.Run("a change", func(t *testing.T) {
				w := begin(t)
				w.create(newHouse("h", 3))
				w.pass(time.Second)
				fail(w)
				edit(w, "h", func(h *homes.House) { h.Spec.Fields.Rooms = p(int64(4)) })
				w.pass(2 * time.Minute)
				w.expect("ARM's words", get[homes.House](w, "h"), "False NoRoom", words)
			})
			t.Run("a deletion", func(t *testing.T) {
				w := begin(t)
				w.create(newHouse("h", 3))
				w.pass(time.Second)
				fail(w)
				w.delete(get[homes.House](w, "h"))
				w.pass(2 * time.Minute)
				w.expect("ARM's words", get[homes.House](w, "h"), "False NoRoom", words)
			})
		})
	}
}
