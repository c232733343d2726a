package transform

import (
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
)

// bases has the Kubernetes names of raw types, without "_Spec" and "_Status". A
// type keeps its name unless it is reserved, such as the name of a kind.
type bases struct {
	// taken has the names of kinds and of their lists, folded.
	taken map[string]bool
	// renamed has the new names of raw types whose own names are reserved.
	renamed map[string]string
	// reached has the raw types that a resource reaches.
	reached map[string]bool
}

// newBases computes the new names. They depend on all exported kinds, including
// kinds that this version lacks, so that a type has the same name at all
// versions.
func newBases(raw *ir.Version, load *config.Load) *bases {
	b := &bases{taken: map[string]bool{}, renamed: map[string]string{}, reached: map[string]bool{}}
	for _, kind := range load.Exports {
		b.taken[naming.Fold(kind)] = true
		b.taken[naming.Fold(kind+"List")] = true
	}
	others := map[string]bool{}
	for _, t := range raw.Types {
		others[naming.Fold(t.Name)] = true
	}
	for _, t := range raw.Types {
		if !b.isTaken(t.Name) {
			continue
		}
		name := t.Name + "Definition"
		for b.isTaken(name) || others[naming.Fold(name)] {
			name += "Definition"
		}
		b.renamed[t.Name] = name
	}
	return b
}

// isTaken reports whether no type can have a name.
func (b *bases) isTaken(name string) bool {
	return b.taken[naming.Fold(name)] || naming.IsDeclared(name)
}

// of returns the Kubernetes name of a raw type.
func (b *bases) of(rawName string) string {
	if name, renamed := b.renamed[rawName]; renamed {
		return name
	}
	return rawName
}

// rename returns the notes of the raw form, with the names of the shaped form in
// their subjects, and a note for each type with a new name.
func (b *bases) rename(raw *ir.Version) []ir.Note {
	kinds := map[string]string{}
	for _, r := range raw.Resources {
		for _, body := range []string{r.Spec, r.Status} {
			t := raw.Type(body)
			if t == nil {
				continue
			}
			kinds[body] = r.Kind
			for _, p := range t.Properties {
				if p.ARMName() == "properties" && p.Type.Named != "" {
					kinds[p.Type.Named] = r.Kind
				}
			}
		}
	}
	notes := slices.Clone(raw.Notes)
	for i, note := range notes {
		typ, property, _ := strings.Cut(note.Subject, ".")
		if kind := kinds[typ]; kind != "" {
			typ = kind
		} else if renamed := b.renamed[typ]; renamed != "" {
			typ = renamed
		}
		notes[i].Subject = strings.TrimSuffix(typ+"."+property, ".")
	}
	for rawName, name := range b.renamed {
		if !b.reached[rawName] {
			continue
		}
		notes = append(notes, ir.Note{
			Kind: ir.Approximated, Subject: name,
			Reason: "the type is named " + rawName +
				" in the spec, which is the name of a kind, of its list or of a declaration in each generated package",
		})
	}
	return notes
}
