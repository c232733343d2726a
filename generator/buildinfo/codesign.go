package buildinfo

import (
	"bytes"
	"crypto/sha256"
	"debug/macho"
	"encoding/binary"
	"errors"
)

// Numbers of Apple's format of code signatures, which are big-endian.
const (
	loadCodeSignature = 0x1d       // the load command that says where the signature is
	superBlob         = 0xfade0cc0 // what it begins with
	codeDirectory     = 0xfade0c02 // the part with the hashes of the pages
	codeDirectorySlot = 0
	hashTypeSHA256    = 2
)

var errSignature = errors.New("found a code signature that is not as Go's linker makes it: hashes of pages, SHA-256")

// sign makes the signature of a program for darwin valid again: the hashes of its pages, in place. It is no signature
// of somebody; without it a Mac with Apple's processor does not start the program. A program of another system, and
// one that has none, stay as they are.
func sign(program []byte) error {
	file, err := macho.NewFile(bytes.NewReader(program))
	if err != nil {
		return nil
	}
	for _, load := range file.Loads {
		raw := load.Raw()
		if len(raw) < 16 || file.ByteOrder.Uint32(raw) != loadCodeSignature {
			continue
		}
		from, size := uint64(file.ByteOrder.Uint32(raw[8:])), uint64(file.ByteOrder.Uint32(raw[12:]))
		if from+size > uint64(len(program)) {
			return errSignature
		}
		return signPages(program, program[from:from+size])
	}
	return nil
}

// signPages writes the hashes of a program's pages into its signature.
func signPages(program, signature []byte) error {
	be := binary.BigEndian
	if len(signature) < 20 || be.Uint32(signature) != superBlob || be.Uint32(signature[8:]) != 1 ||
		be.Uint32(signature[12:]) != codeDirectorySlot {
		return errSignature
	}
	at := uint64(be.Uint32(signature[16:]))
	if at+40 > uint64(len(signature)) {
		return errSignature
	}
	directory := signature[at:]
	hashes, pages, limit := uint64(be.Uint32(directory[16:])), uint64(be.Uint32(directory[28:])), uint64(be.Uint32(directory[32:]))
	page := uint64(1) << (directory[39] & 31)
	if be.Uint32(directory) != codeDirectory || directory[36] != sha256.Size || directory[37] != hashTypeSHA256 ||
		limit > uint64(len(program)-len(signature)) || pages != (limit+page-1)/page ||
		hashes+pages*sha256.Size > uint64(len(directory)) {
		return errSignature
	}
	for i := range pages {
		sum := sha256.Sum256(program[i*page : min((i+1)*page, limit)])
		copy(directory[hashes+i*sha256.Size:], sum[:])
	}
	return nil
}
