package hooks

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
)

// Check is [Golden] with a function that takes the result of each example.
func Check(scheme *runtime.Scheme, plans string, report func(name string, err error)) error {
	g, err := newGoldens(scheme, plans)
	if err != nil {
		return err
	}
	g.check(report)
	return nil
}

// Crossings returns the folders of the pairs between which hooks are called, each
// with the packages of these hooks.
func Crossings(scheme *runtime.Scheme, plans string) ([]string, error) {
	g, err := newGoldens(scheme, plans)
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, c := range g.crossings() {
		lines = append(lines, fmt.Sprintf("%s %v", c.folder, c.hooks))
	}
	return lines, nil
}
