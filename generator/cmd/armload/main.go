// Command armload reads the facts or the specs of one API version and writes four
// files: its IR with descriptions, its IR without them, the notes for the report, and
// digests of what it declares for the lock.
package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/facts"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan/lock"
	"github.com/armature-dev/armature/generator/readers"
	"github.com/armature-dev/armature/generator/transform"
)

func main() { verb.Main("armload", Run) }

// options are the verb's arguments.
type options struct {
	load, provider, apiVersion             *string
	facts, update                          *string
	documents, absent, roots               *[]string
	irFile, apiFile, limitsFile, notesFile *string
	digestsFile                            *string
}

func parse(args []string) (*options, error) {
	flags := verb.NewFlags()
	o := &options{
		load:       flags.String("load", "the file from armconfig"),
		provider:   flags.String("provider", "the ARM resource provider"),
		apiVersion: flags.String("api-version", "ARM's name of the version"),
		facts:      flags.Optional("facts", "the file with the facts of the version"),
		update:     flags.Optional("update", "the command that writes that file, for messages"),
		documents: flags.Strings("document", "a file of the version's specs: <format>:<path>; the format is ref if the others "+
			"refer to it, and may be empty"),
		absent:      flags.Strings("absent", "a document that the checkout lacks, so that the facts alone are read"),
		roots:       flags.Strings("root", "a folder that is left out of the names of files in notes and messages"),
		irFile:      flags.String("ir", "the IR to write"),
		apiFile:     flags.String("api", "the shape to write: the IR without descriptions and limits"),
		limitsFile:  flags.String("limits", "the shape with limits to write"),
		notesFile:   flags.String("notes", "the notes to write"),
		digestsFile: flags.String("digests", "the digests of what the version declares to write"),
	}
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if len(*o.documents) == 0 && *o.facts == "" {
		return nil, verb.Usagef("neither --document nor --facts is given; a version is read from one of them at least")
	}
	return o, nil
}

// Run reads the facts or the documents of a version and writes its IR.
func Run(ctx context.Context, args []string, stderr io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	load, err := config.ReadLoad(*o.load)
	if err != nil {
		return err
	}
	if err := checkVersion(o, load); err != nil {
		return err
	}
	if len(*o.absent) > 0 {
		fmt.Fprintf(stderr, "%s %s has no descriptions: the checkout of the specs lacks %s; if Azure has it, add its service to "+
			"specs.checkout in MODULE.bazel\n", *o.provider, *o.apiVersion, strings.Join(*o.absent, ", "))
	}
	raw, err := readRaw(o, load)
	if err != nil {
		return err
	}
	shaped, err := transform.Shape(raw, load)
	if err != nil {
		return err
	}
	shaped.WithoutDocs = len(*o.documents) == 0
	digests, err := transform.Digests(shaped)
	if err != nil {
		return err
	}
	outputs := verb.NewOutputs(*o.irFile, *o.apiFile, *o.limitsFile, *o.notesFile, *o.digestsFile)
	outputs.SetJSON(*o.digestsFile, lock.VersionDigests{APIVersion: shaped.APIVersion, Digests: digests})
	rest, notes := transform.Notes(shaped)
	for path, v := range map[string]*ir.Version{
		*o.irFile: rest, *o.apiFile: transform.API(shaped), *o.limitsFile: transform.Limited(shaped), *o.notesFile: notes,
	} {
		outputs.SetJSON(path, v)
	}
	return outputs.Commit()
}

// readRaw returns the raw form of the version. If there are facts and documents, it is the
// one of the facts, with the descriptions and notes of the documents.
func readRaw(o *options, load *config.Load) (*ir.Version, error) {
	known, err := readFacts(o, load)
	if err != nil || len(*o.documents) == 0 {
		return known, err
	}
	said, err := readDocuments(o, load, known)
	if err != nil || known == nil {
		return said, err
	}
	if err := facts.Compare(known, said, *o.update); err != nil {
		return nil, err
	}
	facts.Describe(known, said)
	return known, nil
}

// readFacts returns what the file with the facts says of the exported resources, or nil if
// there is no such file.
func readFacts(o *options, load *config.Load) (*ir.Version, error) {
	if *o.facts == "" {
		return nil, nil
	}
	text, err := ir.ReadText(*o.facts)
	if err != nil {
		return nil, err
	}
	name := newFiles(nil, *o.roots).name(*o.facts)
	v, err := facts.Decode(name, text, *o.update)
	if err != nil {
		return nil, err
	}
	if v.Provider != *o.provider || v.APIVersion != *o.apiVersion {
		return nil, diag.Error{File: name, Message: fmt.Sprintf("the file has the facts of %s %s, expected those of %s %s; "+
			"%s writes it again", v.Provider, v.APIVersion, *o.provider, *o.apiVersion, *o.update)}
	}
	facts.Select(v, load.Exports)
	return v, nil
}

// readDocuments returns what the documents say. known is what was published, or nil.
func readDocuments(o *options, load *config.Load, known *ir.Version) (*ir.Version, error) {
	var docs []readers.Document
	var paths []string
	for _, d := range *o.documents {
		format, file, _ := strings.Cut(d, ":")
		paths = append(paths, file)
		if format != documents.Ref {
			docs = append(docs, readers.Document{Format: format, Name: file})
		}
	}
	files := newFiles(paths, *o.roots)
	if len(*o.roots) > 0 { // the files are in a checkout of published specs
		files.update = *o.update
	}
	for i := range docs {
		docs[i].Name = files.name(docs[i].Name)
	}
	raw, err := merged(o, docs, files, load, known)
	if err != nil {
		return nil, err
	}
	return raw, files.unused()
}

// merged returns what some documents say. known is what was published, or nil.
func merged(o *options, docs []readers.Document, files *files, load *config.Load, known *ir.Version) (*ir.Version, error) {
	in := documents.Input{Provider: *o.provider, APIVersion: *o.apiVersion, Read: files.read, Exports: load.Exports}
	sources, err := readers.All.Read(in, docs)
	if err != nil {
		return nil, err
	}
	return transform.Merge(sources, known), nil
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
