// Package programs says what a program of a release is for. Its main function is [Platform].
package programs

import (
	"bytes"
	"debug/elf"
	"debug/macho"
	"errors"
	"fmt"
)

// Platform returns the platform of a program, such as "linux-amd64", as its header says. It refuses a program with
// debug information, and one for Linux that is linked dynamically.
func Platform(program []byte) (string, error) {
	in := bytes.NewReader(program)
	if file, err := elf.NewFile(in); err == nil {
		return ofLinux(file)
	}
	if file, err := macho.NewFile(in); err == nil {
		return ofDarwin(file)
	}
	return "", errors.New("found no program for linux or darwin")
}

var errDebug = errors.New("found debug information, expected none: build without --config=debug")

func ofLinux(file *elf.File) (string, error) {
	for _, segment := range file.Progs {
		if segment.Type == elf.PT_INTERP {
			return "", errors.New("found a program that is linked dynamically, expected a static one: build without cgo")
		}
	}
	if file.Section(".symtab") != nil || file.Section(".debug_info") != nil || file.Section(".zdebug_info") != nil {
		return "", errDebug
	}
	switch file.Machine {
	case elf.EM_X86_64:
		return "linux-amd64", nil
	case elf.EM_AARCH64:
		return "linux-arm64", nil
	}
	return "", fmt.Errorf("found a program for %v, expected x86-64 or AArch64", file.Machine)
}

func ofDarwin(file *macho.File) (string, error) {
	if file.Segment("__DWARF") != nil {
		return "", errDebug
	}
	switch file.Cpu {
	case macho.CpuAmd64:
		return "darwin-amd64", nil
	case macho.CpuArm64:
		return "darwin-arm64", nil
	}
	return "", fmt.Errorf("found a program for %v, expected x86-64 or ARM64", file.Cpu)
}
