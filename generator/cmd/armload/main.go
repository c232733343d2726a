// Command armload reads the specs of one API version and writes three files: its
// IR with descriptions, its IR without them, and the notes for the report.
package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/readers"
	"github.com/armature-dev/armature/generator/transform"
)

func main() { verb.Main("armload", Run) }

// options are the verb's arguments.
type options struct {
	load, provider, apiVersion *string
	documents, files, roots    *[]string
	published                  *string
	strict                     *bool
	irFile, apiFile, notesFile *string
}

func parse(args []string) (*options, error) {
	flags := verb.NewFlags()
	o := &options{
		load:       flags.String("load", "the file from armconfig"),
		provider:   flags.String("provider", "the ARM resource provider"),
		apiVersion: flags.String("api-version", "ARM's name of the version"),
		documents:  flags.Strings("document", "a document of the version: <format>:<path>, in which the format may be empty"),
		files:      flags.Strings("file", "a file that may be read; every document is one too"),
		roots:      flags.Strings("root", "a folder that is left out of the names of files in notes and messages"),
		published:  flags.Optional("published", "the formats from which the version was published, such as swagger+jsonschema"),
		strict:     flags.Bool("strict-files", "fail if a file is not used"),
		irFile:     flags.String("ir", "the IR to write"),
		apiFile:    flags.String("api", "the IR without descriptions to write"),
		notesFile:  flags.String("notes", "the notes to write"),
	}
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if len(*o.documents) == 0 {
		return nil, verb.Usagef("no --document is given; a version is read from at least one")
	}
	return o, nil
}

// Run reads the documents of a version and writes its IR.
func Run(ctx context.Context, args []string, stderr io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	shaped, err := read(o)
	if err != nil {
		return err
	}
	outputs := verb.NewOutputs(*o.irFile, *o.apiFile, *o.notesFile)
	rest, notes := transform.Notes(shaped)
	for path, v := range map[string]*ir.Version{*o.irFile: rest, *o.apiFile: transform.API(shaped), *o.notesFile: notes} {
		outputs.SetJSON(path, v)
	}
	return outputs.Commit()
}

// read returns the shaped form of the version.
func read(o *options) (*ir.Version, error) {
	text, err := os.ReadFile(*o.load)
	if err != nil {
		return nil, err
	}
	load, err := config.DecodeLoad(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", *o.load, err)
	}
	if err := checkVersion(o, load); err != nil {
		return nil, err
	}
	files := newFiles(*o.files, *o.roots)
	sources, err := readRaw(o, load, files)
	if err != nil {
		return nil, err
	}
	if *o.strict {
		if err := files.unused(); err != nil {
			return nil, err
		}
	}
	raw, before := transform.Merge(sources, strings.Split(*o.published, "+"))
	shaped, err := transform.Shape(raw, load)
	if err != nil || before == nil {
		return shaped, err
	}
	known, err := transform.Shape(before, load)
	if err != nil {
		return nil, err
	}
	shaped.Reshaped = transform.Reshaped(known, shaped)
	return shaped, nil
}

// checkVersion checks the name of the version and the exports of the group.
func checkVersion(o *options, load *config.Load) error {
	var errs diag.List
	if _, err := naming.ParseVersion(*o.apiVersion); err != nil {
		errs.Merge(err)
	}
	for _, export := range slices.Sorted(maps.Keys(load.Exports)) {
		if provider, _, _ := strings.Cut(export, "/"); !strings.EqualFold(provider, *o.provider) {
			errs.Addf("", 0, 0, "group.yaml exports %s, which is not of the provider %s; correct one of the two", export, *o.provider)
		}
	}
	return errs.Err()
}

// readRaw returns the raw forms of the version, one for each format.
func readRaw(o *options, load *config.Load, files *files) ([]*ir.Version, error) {
	var docs []readers.Document
	for _, d := range *o.documents {
		format, file, _ := strings.Cut(d, ":")
		docs = append(docs, readers.Document{Format: format, Name: files.name(file)})
	}
	in := documents.Input{Provider: *o.provider, APIVersion: *o.apiVersion, Read: files.read, Exports: load.Exports}
	return readers.All.Read(in, docs)
}
