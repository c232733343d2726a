package roundtrip

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
)

// same returns an error with the paths at which got differs from want, and with
// both values. It does not compare what API versions carry for the hub, because
// other laws check the effects of that.
func (t *Trial) same(when string, want, got any, e equality) error {
	want, got = withoutRemainder(want), withoutRemainder(got)
	if e.equal(want, got) {
		return nil
	}
	if len(t.Compare) > 0 && cmp.Equal(want, got, e.options(), t.Compare) {
		return nil
	}
	var lines []string
	for _, d := range e.differences(place{}, reflect.ValueOf(want), reflect.ValueOf(got)) {
		if !t.waived(d.owners) {
			lines = append(lines, fmt.Sprintf("\t%v: want %s, got %s", d.place, show(d.want), show(d.got)))
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return fmt.Errorf("%T differs %s:\n%s", want, when, atMost(lines))
}

// withoutRemainder returns an object of a version that is not stored without
// what it carries for the hub, and any other value as it is.
func withoutRemainder(value any) any {
	object, ok := value.(runtime.Object)
	if _, isHub := value.(conversion.Hub); !ok || isHub || !carries(object) {
		return value
	}
	return plain(object)
}

// atMost joins lines, the first ten if there are more.
func atMost(lines []string) string {
	const most = 10
	if len(lines) > most {
		lines = append(lines[:most:most], fmt.Sprintf("\tand %d more", len(lines)-most))
	}
	return strings.Join(lines, "\n")
}
