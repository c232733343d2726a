package verb

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/ir"
)

// Outputs has the files that a verb was told to write. It keeps what they have until
// [Outputs.Commit], which writes all of them or nothing.
type Outputs struct {
	declared []string
	folders  []string
	contents map[string]content
	errs     diag.List
}

// content writes what a file has.
type content func(*os.File) error

// NewOutputs returns outputs that must all be set.
func NewOutputs(declared ...string) *Outputs {
	return &Outputs{declared: declared, contents: map[string]content{}}
}

// Folder declares a folder, in which a verb may set any files.
func (o *Outputs) Folder(path string) { o.folders = append(o.folders, path) }

// Set sets the content of a file. Commit checks that the file was declared.
func (o *Outputs) Set(path string, text []byte) {
	o.set(path, func(file *os.File) error {
		_, err := file.Write(text)
		return err
	})
}

// SetJSON sets the content of a file to the canonical JSON of a value, which must not
// change until Commit. That writes it to the file piece by piece, because the text can
// be larger than all else that a verb keeps in memory.
func (o *Outputs) SetJSON(path string, value any) {
	o.set(path, func(file *os.File) error {
		w := bufio.NewWriterSize(file, 16<<10)
		if err := ir.WriteCanonical(w, value); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return w.Flush()
	})
}

func (o *Outputs) set(path string, c content) {
	if _, twice := o.contents[path]; twice {
		o.errs.Addf(path, 0, 0, "the output was written twice")
	}
	o.contents[path] = c
}

// Commit writes all outputs, each to a temporary file first, so that no output is
// left after an error. It fails if a declared output was not set, or if a file
// was set that is not declared.
func (o *Outputs) Commit() error {
	if err := o.check(); err != nil {
		return err
	}
	for _, folder := range o.folders {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
	}
	var temporaries []string
	defer func() {
		for _, t := range temporaries {
			os.Remove(t)
		}
	}()
	paths := o.paths()
	for _, path := range paths {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		temporaries = append(temporaries, path+".tmp")
		if err := o.contents[path].write(path + ".tmp"); err != nil {
			return err
		}
	}
	for _, path := range paths {
		if err := os.Rename(path+".tmp", path); err != nil {
			return err
		}
	}
	return nil
}

func (c content) write(path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	return errors.Join(c(file), file.Close())
}

// check compares the files that were set with those that were declared.
func (o *Outputs) check() error {
	for _, path := range o.declared {
		if _, set := o.contents[path]; !set {
			o.errs.Addf(path, 0, 0, "the output was declared and not written")
		}
	}
	for _, path := range o.paths() {
		if !slices.Contains(o.declared, path) && !o.inFolder(path) {
			o.errs.Addf(path, 0, 0, "the output was written and not declared")
		}
	}
	return o.errs.Err()
}

// inFolder reports whether path lies in a declared folder.
func (o *Outputs) inFolder(path string) bool {
	return slices.ContainsFunc(o.folders, func(folder string) bool {
		rel, err := filepath.Rel(folder, path)
		return err == nil && rel != "." && filepath.IsLocal(rel)
	})
}

func (o *Outputs) paths() []string {
	paths := make([]string, 0, len(o.contents))
	for path := range o.contents {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}
