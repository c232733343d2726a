package swagger_test

import (
	"testing"

	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/documents/documentstest"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/swagger"
)

func TestReader(t *testing.T) {
	documentstest.Run(t, checkedReader{t: t})
}

// checkedReader is a Reader that checks the paths of each version it returns.
type checkedReader struct {
	swagger.Reader
	t *testing.T
}

func (r checkedReader) Read(in documents.Input) (*ir.Version, error) {
	v, err := r.Reader.Read(in)
	if err == nil {
		checkPaths(r.t, v)
	}
	return v, err
}

// TestFiles tests that each file is read once, and examples never.
func TestFiles(t *testing.T) {
	for _, c := range documentstest.Cases(t) {
		reads := map[string]int{}
		in := c.Input()
		in.Read = func(name string) ([]byte, error) {
			reads[name]++
			return c.Files[name], nil
		}
		_, err := swagger.Reader{}.Read(in)
		if err != nil {
			continue
		}
		for name := range c.Files {
			if reads[name] != 1 {
				t.Errorf("%s: %s was read %d times", c.Dir, name, reads[name])
			}
			delete(reads, name)
		}
		if len(reads) > 0 {
			t.Errorf("%s: read %v, which nothing needs", c.Dir, reads)
		}
	}
}
