package roundtrip

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
)

// CheckGoldens is [Golden] with what the environment says, and with a function
// that takes what each exemplar comes to.
func CheckGoldens(scheme *runtime.Scheme, target, plans, root string, report func(name string, err error)) error {
	g, err := newGoldens(scheme, target, plans, root)
	if err != nil {
		return err
	}
	g.check(report)
	return nil
}

// Crossings are the folders of the pairs whose road crosses a hook, and whose
// hooks these are.
func Crossings(scheme *runtime.Scheme, plans string) ([]string, error) {
	g, err := newGoldens(scheme, "//:hooks_test", plans, "")
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, c := range g.crossings() {
		lines = append(lines, fmt.Sprintf("%s %v", c.folder, c.hooks))
	}
	return lines, nil
}
