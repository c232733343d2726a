package programs

import (
	"bytes"
	"debug/elf"
	"debug/macho"
	"encoding/binary"
	"strings"
	"testing"
)

func elfHeader(machine elf.Machine) elf.Header64 {
	header := elf.Header64{Type: uint16(elf.ET_EXEC), Machine: uint16(machine), Version: uint32(elf.EV_CURRENT), Ehsize: 64}
	copy(header.Ident[:], elf.ELFMAG)
	header.Ident[elf.EI_CLASS], header.Ident[elf.EI_DATA], header.Ident[elf.EI_VERSION] =
		byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)
	return header
}

// forLinux returns a program that consists of a header and of segments.
func forLinux(t *testing.T, machine elf.Machine, segments ...elf.ProgType) []byte {
	t.Helper()
	header := elfHeader(machine)
	header.Phoff, header.Phentsize, header.Phnum = 64, 56, uint16(len(segments))
	parts := []any{header}
	for _, kind := range segments {
		parts = append(parts, elf.Prog64{Type: uint32(kind)})
	}
	return encoded(t, parts...)
}

// withSymbols returns a program for Linux that has a table of symbols.
func withSymbols(t *testing.T) []byte {
	t.Helper()
	const names, size = "\x00.shstrtab\x00.symtab\x00", 64
	header := elfHeader(elf.EM_X86_64)
	header.Shoff, header.Shentsize, header.Shnum, header.Shstrndx = size, size, 3, 1
	return encoded(t, header, elf.Section64{},
		elf.Section64{Name: 1, Type: uint32(elf.SHT_STRTAB), Off: 4 * size, Size: uint64(len(names))},
		elf.Section64{Name: 11, Type: uint32(elf.SHT_SYMTAB)}, []byte(names))
}

// forDarwin returns a program that consists of a header and of segments.
func forDarwin(t *testing.T, cpu macho.Cpu, segments ...string) []byte {
	t.Helper()
	const size = 72
	header := macho.FileHeader{Magic: macho.Magic64, Cpu: cpu, Type: macho.TypeExec, Ncmd: uint32(len(segments)),
		Cmdsz: uint32(size * len(segments))}
	parts := []any{header, uint32(0)}
	for _, name := range segments {
		segment := macho.Segment64{Cmd: macho.LoadCmdSegment64, Len: size}
		copy(segment.Name[:], name)
		parts = append(parts, segment)
	}
	return encoded(t, parts...)
}

func encoded(t *testing.T, parts ...any) []byte {
	t.Helper()
	var out bytes.Buffer
	for _, part := range parts {
		if err := binary.Write(&out, binary.LittleEndian, part); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

func TestPlatform(t *testing.T) {
	for _, test := range []struct {
		reason  string
		program []byte
		want    string
		err     string
	}{
		{"Linux on a PC", forLinux(t, elf.EM_X86_64, elf.PT_LOAD), "linux-amd64", ""},
		{"Linux on ARM", forLinux(t, elf.EM_AARCH64, elf.PT_LOAD), "linux-arm64", ""},
		{"a Mac before 2020", forDarwin(t, macho.CpuAmd64, "__TEXT"), "darwin-amd64", ""},
		{"a Mac since then", forDarwin(t, macho.CpuArm64, "__TEXT"), "darwin-arm64", ""},
		{"another processor", forLinux(t, elf.EM_RISCV), "", "found a program for EM_RISCV, expected x86-64 or AArch64"},
		{"another Mac", forDarwin(t, macho.CpuPpc64), "", "found a program for CpuPpc64, expected x86-64 or ARM64"},
		{"a program of cgo", forLinux(t, elf.EM_X86_64, elf.PT_INTERP), "", "found a program that is linked dynamically"},
		{"a program for a debugger", forDarwin(t, macho.CpuArm64, "__DWARF"), "", "found debug information, expected none"},
		{"a program with symbols", withSymbols(t), "", "found debug information, expected none"},
		{"a script", []byte("#!/bin/sh\n"), "", "found no program for linux or darwin"},
	} {
		got, err := Platform(test.program)
		if got != test.want || (err != nil) != (test.err != "") || err != nil && !strings.HasPrefix(err.Error(), test.err) {
			t.Errorf("%s: got %q, %v; want %q, %s", test.reason, got, err, test.want, test.err)
		}
	}
}
