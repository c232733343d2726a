package config

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/internal/golden"
)

func TestMarks(t *testing.T) {
	t.Run("each says why it changes nothing", func(t *testing.T) {
		for _, isStatus := range []bool{false, true} {
			person := &ir.Type{Name: "Person", Kind: ir.Object, Status: isStatus,
				Properties: []*ir.Property{{Name: "x", Type: ir.TypeRef{Primitive: ir.String}}}}
			known := newMembers([]*ir.Version{{Types: []*ir.Type{person}}})
			for _, m := range Marks() {
				why := known.unusedMark("Person.x", m)
				if !strings.Contains(why, "Person.x") || strings.Contains(why, "%!") {
					t.Errorf("of a property of a Status (%v), a mark %s says %q", isStatus, m, why)
				}
			}
		}
	})
	t.Run("each is read as it is written", func(t *testing.T) {
		for _, m := range Marks() {
			row := markOf(m.Name)
			if row.corrects {
				m.Why, m.Source = "so", "https://example.com/1"
			}
			switch {
			case m.Not:
				m.Why = "so"
			case m.Name == LimitsMark:
				one, half := int64(1), 0.5
				m.Limits = &Limits{Pattern: `^"\d`, MinLength: &one, MaxLength: &one, Minimum: &half, Maximum: &half}
			case m.Name == EnumMark:
				open := true
				m.Enum = &Enum{Values: []string{"8.4", "a b"}, Open: &open}
			case m.Name == MissingMark:
				m.Missing = &Missing{Type: "[]string", Required: true, Since: "2023-12-01"}
			case row.form == "":
			case row.isList():
				m.Values = []string{"Contoso.Crm/people/pets"}
			default:
				m.Type = "Contoso.Crm/people/pets"
			}
			text := "exports: {Contoso.Crm/people: {kind: Person}}\nproperties:\n" + Line("Person.x", []Mark{m})
			if read := parse(t, text).Properties["Person.x"]; len(read) != 1 || !cmp.Equal(read[0], m) {
				t.Errorf("%s is read as %+v, want %+v", text, read, m)
			}
		}
	})
	t.Run("docs/add-a-service.md has the table", func(t *testing.T) {
		const page = "../../docs/add-a-service.md"
		table := "| mark | what it says, and where there is one |\n|---|---|\n"
		var alone []string
		for _, m := range marks {
			form := m.name
			switch {
			case hasValues(&m):
				form = m.form
			case m.corrects:
				form = "{is: " + m.name + "}"
			}
			table += fmt.Sprintf("| `%s` | %s |\n", form, m.says)
			if !m.hasOpposite && !m.corrects {
				alone = append(alone, "`"+m.name+"`")
			}
		}
		parts := map[string]string{"marks": table}
		golden.Fill(t, page, parts)
		if len(parts) > 0 {
			t.Errorf("%s has no table of marks", page)
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if want := strings.Join(alone, " and ") + " have no opposite"; !strings.Contains(string(text), want) {
			t.Errorf("%s does not say: %s", page, want)
		}
	})
}
