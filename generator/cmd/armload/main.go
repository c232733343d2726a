// Armload reads the specs of one API version and writes its shaped IR: with
// descriptions, without them, and the notes for the report.
package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/armschema"
	"github.com/armature-dev/armature/generator/cmd/internal/verb"
	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/documents"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/swagger"
	"github.com/armature-dev/armature/generator/transform"
)

func main() { verb.Main("armload", Run) }

// options are the verb's arguments.
type options struct {
	load, provider, apiVersion     *string
	swagger, schemas, files, roots *[]string
	strict                         *bool
	irFile, apiFile, notesFile     *string
}

func parse(args []string) (*options, error) {
	flags := verb.NewFlags()
	o := &options{
		load:       flags.String("load", "what armconfig wrote"),
		provider:   flags.String("provider", "the ARM resource provider"),
		apiVersion: flags.String("api-version", "ARM's name of the version"),
		swagger:    flags.Strings("swagger", "a Swagger document of the version"),
		schemas:    flags.Strings("schema", "a deployment-template schema of the version"),
		files:      flags.Strings("file", "a file that may be read; every document is one too"),
		roots:      flags.Strings("root", "a folder that is no part of the files' names in notes and messages"),
		strict:     flags.Bool("strict-files", "refuse files that nothing uses"),
		irFile:     flags.String("ir", "the IR to write"),
		apiFile:    flags.String("api", "the IR without descriptions to write"),
		notesFile:  flags.String("notes", "the notes to write"),
	}
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if len(*o.swagger)+len(*o.schemas) == 0 {
		return nil, verb.Usagef("neither --swagger nor --schema is given; a version is read from at least one document")
	}
	return o, nil
}

// Run is the verb.
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
		if err := outputs.SetJSON(path, v); err != nil {
			return err
		}
	}
	return outputs.Commit()
}

// read reads the documents of the version and shapes what they describe.
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
	raw, err := readRaw(o, load, files)
	if err != nil {
		return nil, err
	}
	if *o.strict {
		if err := files.unused(); err != nil {
			return nil, err
		}
	}
	return transform.Shape(raw, load)
}

// checkVersion checks what the call says of the version.
func checkVersion(o *options, load *config.Load) error {
	var errs diag.List
	if _, err := naming.ParseVersion(*o.apiVersion); err != nil {
		errs.Merge(err)
	}
	for _, export := range slices.Sorted(maps.Keys(load.Exports)) {
		if provider, _, _ := strings.Cut(export, "/"); !strings.EqualFold(provider, *o.provider) {
			errs.Addf("", 0, 0, "group.yaml exports %s, which is not of the provider %s", export, *o.provider)
		}
	}
	return errs.Err()
}

// readRaw reads the documents with the reader of each.
func readRaw(o *options, load *config.Load, files *files) (*ir.Version, error) {
	var errs diag.List
	var fromSwagger, fromSchema *ir.Version
	var err error
	if roots := files.names(*o.swagger); len(roots) > 0 {
		fromSwagger, err = swagger.Load(documents.Input{Provider: *o.provider, APIVersion: *o.apiVersion, Roots: roots, Read: files.read, Exports: load.Exports})
		errs.Merge(err)
	}
	if roots := files.names(*o.schemas); len(roots) > 0 {
		fromSchema, err = armschema.Load(documents.Input{Provider: *o.provider, APIVersion: *o.apiVersion, Roots: roots, Read: files.read, Exports: load.Exports})
		errs.Merge(err)
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	return transform.Merge(fromSwagger, fromSchema), nil
}
