//go:build !linux

package folder

func exchange(made, dir string) error { return replace(made, dir) }
