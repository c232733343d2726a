package buildinfo

import (
	"bytes"
	"crypto/sha256"
	"debug/macho"
	"encoding/binary"
	"errors"
	"testing"
)

// darwin returns a program for darwin with content, and with a signature as Go's linker makes it: of pages of 4096
// bytes.
func darwin(t *testing.T, content []byte) []byte {
	t.Helper()
	const headers, size = 32 + 16, 16384
	end := uint32(headers + len(content))
	var program bytes.Buffer
	write := func(order binary.ByteOrder, parts ...any) {
		for _, part := range parts {
			if err := binary.Write(&program, order, part); err != nil {
				t.Fatal(err)
			}
		}
	}
	header := macho.FileHeader{Magic: macho.Magic64, Cpu: macho.CpuArm64, Type: macho.TypeExec, Ncmd: 1, Cmdsz: 16}
	write(binary.LittleEndian, header, uint32(0), [4]uint32{loadCodeSignature, 16, end, size}, content)
	pages := (end + 4095) / 4096
	const directory, hashes = 20, 100
	length := hashes + pages*sha256.Size
	write(binary.BigEndian, [5]uint32{superBlob, directory + length, 1, codeDirectorySlot, directory},
		[9]uint32{codeDirectory, length, 0x20400, 0x20002, hashes, 88, 0, pages, end},
		[4]uint8{sha256.Size, hashTypeSHA256, 0, 12}, make([]byte, hashes-40))
	for from := range pages {
		sum := sha256.Sum256(program.Bytes()[from*4096 : min((from+1)*4096, end)])
		write(binary.BigEndian, sum)
	}
	return append(program.Bytes(), make([]byte, int(end)+size-program.Len())...)
}

func TestSign(t *testing.T) {
	content := append(bytes.Repeat([]byte("a page of a program "), 500), placeholder(t)...)
	plain := darwin(t, content)
	info := Of(Own+"/tools/armature", "0.1.0", []string{"example.com/a"}, modules(t))
	t.Run("a program for darwin gets the signature of what was written", func(t *testing.T) {
		written, err := Write(plain, info)
		if err != nil {
			t.Fatal(err)
		}
		content, err := Write(content, info)
		if err != nil {
			t.Fatal(err)
		}
		if want := darwin(t, content); !bytes.Equal(written, want) || bytes.Equal(written, plain) {
			t.Error("the hashes are not those of the pages")
		}
	})
	t.Run("one without a signature stays as it is", func(t *testing.T) {
		unsigned := bytes.Clone(plain)
		unsigned[32] = 0x1e
		if err := sign(unsigned); err != nil || !bytes.Equal(unsigned[33:], plain[33:]) {
			t.Errorf("error %v", err)
		}
	})
	signature := bytes.Index(plain, []byte{0xfa, 0xde, 0x0c, 0xc0})
	for _, test := range []struct {
		reason string
		at     int
		value  byte
	}{
		{"another part than hashes", signature + 11, 2},
		{"another hash", signature + 20 + 37, 1},
		{"more pages than there are", signature + 20 + 31, 200},
		{"hashes beyond the end", signature + 20 + 16, 1},
		{"a place beyond the file", 32 + 11, 0x7f},
	} {
		t.Run(test.reason+" is an error", func(t *testing.T) {
			program := bytes.Clone(plain)
			program[test.at] = test.value
			if err := sign(program); !errors.Is(err, errSignature) {
				t.Errorf("error %v", err)
			}
		})
	}
}
