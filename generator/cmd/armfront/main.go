// Command armfront writes the pages and scripts that all groups of a site share.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/site/front"
	"github.com/armature-dev/armature/generator/site/page"
)

func main() { verb.Main("armfront", Run) }

// Run writes the files of a site that belong to no group.
func Run(_ context.Context, args []string, _ io.Writer) error {
	flags := verb.NewFlags()
	groups := flags.Strings("group", "what armsite lists of a group, for each")
	frontPage := flags.String("front", "the Markdown of the front page")
	docs := flags.Strings("doc", "a page of Markdown, whose path is its name, for each")
	index := flags.String("index", "the front page to write, in the folder of the site")
	out := flags.Strings("out", "another file to write, for each")
	if err := flags.Parse(args); err != nil {
		return err
	}
	in, err := read(*groups, *frontPage, *docs)
	if err != nil {
		return err
	}
	files, err := front.Files(in)
	if err != nil {
		return err
	}
	outputs := verb.NewOutputs(append(*out, *index)...)
	for name, text := range files {
		outputs.Set(filepath.Join(filepath.Dir(*index), filepath.FromSlash(name)), text)
	}
	return outputs.Commit()
}

// read reads all inputs. Its error lists every file that cannot be read.
func read(groups []string, frontPage string, docs []string) (front.Input, error) {
	var in front.Input
	var errs diag.List
	file := func(name string) []byte {
		text, err := os.ReadFile(name)
		errs.Merge(err)
		return text
	}
	for _, name := range groups {
		var group page.Group
		if text := file(name); text != nil {
			if err := json.Unmarshal(text, &group); err != nil {
				errs.Merge(fmt.Errorf("%s: %w", name, err))
			}
		}
		in.Groups = append(in.Groups, group)
	}
	doc := func(name string) front.Doc { return front.Doc{Path: filepath.ToSlash(name), Text: file(name)} }
	in.Front = doc(frontPage)
	for _, name := range docs {
		in.Docs = append(in.Docs, doc(name))
	}
	return in, errs.Err()
}
