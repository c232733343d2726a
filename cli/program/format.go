package program

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/armature-dev/armature/generator/diag"
)

// formats are the formats of what is listed.
var formats = []string{"table", "json", "yaml"}

// Format is the flag -o of a command that lists something. It is a pflag.Value.
type Format struct{ name string }

// AddTo gives the flag to a command.
func (f *Format) AddTo(c *cobra.Command) {
	f.name = formats[0]
	c.Flags().VarP(f, "output", "o", "`FORMAT` to print: table, json or yaml")
}

func (f *Format) String() string { return f.name }

// Type returns the name of the flag's type.
func (f *Format) Type() string { return "format" }

// Set sets the format.
func (f *Format) Set(name string) error {
	if !slices.Contains(formats, name) {
		return fmt.Errorf("expected table, json or yaml%s", diag.DidYouMean(name, formats))
	}
	f.name = name
	return nil
}

// Print prints a value, for which table prints a table.
func (f *Format) Print(out io.Writer, value any, table func(io.Writer) error) error {
	switch f.name {
	case "json":
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(value)
	case "yaml":
		text, err := yaml.Marshal(value)
		if err == nil {
			_, err = out.Write(text)
		}
		return err
	}
	return table(out)
}
