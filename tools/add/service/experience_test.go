package service

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/internal/specs"
	"github.com/armature-dev/armature/tools/specs/layout"
)

// TestPropose compares proposals with what persons decided in the groups of the
// repository. Each group is judged by the experience of the others.
func TestPropose(t *testing.T) {
	specs := Specs(specs.Folder())
	if specs == "" {
		t.Skip("ARMATURE_SPECS is not set: no published specs to read")
	}
	in := Repository{Root: filepath.Join("..", "..", "..")}
	names, err := in.groups()
	if err != nil {
		t.Fatal(err)
	}
	total := map[string]score{}
	for _, name := range names {
		file := in.path("apis/" + name + "/group.yaml")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), madeByAdd) {
			continue // its decisions are proposals
		}
		decisions, err := config.Parse(file, text)
		if err != nil {
			t.Fatal(err)
		}
		provider := ""
		for armType := range decisions.Exports {
			provider, _, _ = strings.Cut(armType, "/")
		}
		if strings.HasPrefix(provider, "Contoso.") {
			continue // its specs are in the tree
		}
		documents, err := swaggerOf(specs, provider)
		if err != nil {
			t.Fatal(err)
		}
		s, err := read(&existing{group: group{in: in, specs: specs, provider: provider, name: name}, build: &buildFile{}},
			&chosen{kinds: decisions.Load().Exports, documents: documents})
		if err != nil {
			t.Fatal(err)
		}
		shaped, err := s.shape(s.load(&config.Load{Names: decisions.Names}, nil, nil))
		if err != nil {
			t.Fatal(err)
		}
		experience, err := Learn(in, name)
		if err != nil {
			t.Fatal(err)
		}
		proposals := propose(shaped, experience, s.idsInExamples(shaped))
		for mark := range experience {
			s := judge(t, name, mark, proposals, decisions.Properties)
			t := total[mark]
			total[mark] = score{t.right + s.right, t.wrong + s.wrong, t.missed + s.missed}
		}
	}
	for mark, s := range total {
		t.Logf("%s: %d right and %d wrong by evidence, %d left to decide: precision %.3f, recall %.3f",
			mark, s.right, s.wrong, s.missed, s.precision(), s.recall())
		if s.precision() < 0.95 {
			t.Errorf("more than one in twenty marks %s by evidence are wrong", mark)
		}
		if s.right+s.missed < 15 {
			t.Errorf("only %d decisions on %s were compared", s.right+s.missed, mark)
		}
	}
}

// swaggerOf returns the documents of a provider's versions that have Swagger, which alone
// has examples, with their JSON schemas.
func swaggerOf(specs Specs, provider string) (map[string][]string, error) {
	provider, docs, err := specs.Provider(provider)
	if err != nil {
		return nil, err
	}
	offered, err := specs.offer(provider, docs)
	if err != nil {
		return nil, err
	}
	documents := map[string][]string{}
	for _, v := range offered.versions {
		for doc := range v.Types {
			if !strings.HasPrefix(doc, layout.TypesFolder+"/") {
				documents[v.APIVersion] = append(documents[v.APIVersion], doc)
			}
		}
		slices.Sort(documents[v.APIVersion])
	}
	return documents, nil
}

// score counts the properties of which evidence was right, those of which it was
// wrong, and those of which there was too little, or none.
type score struct{ right, wrong, missed int }

func (s score) precision() float64 { return float64(s.right) / float64(s.right+s.wrong) }
func (s score) recall() float64    { return float64(s.right) / float64(s.right+s.missed) }

// judge compares the proposals of a mark with the decisions of a person.
func judge(t *testing.T, group, mark string, proposals []proposal, decided config.Properties) score {
	var s score
	yes, no := decided.With(mark), decided.With(config.Not(mark))
	for _, p := range proposals {
		switch one, none := slices.Contains(yes, p.property), slices.Contains(no, p.property); {
		case p.Name != mark || !one && !none:
		case !p.safe && one:
			s.missed++
			t.Logf("%s: missed %s: %s", group, p.property, p.Why)
		case p.safe && p.Not != none:
			s.wrong++
			t.Logf("%s: wrong %s: %s", group, p.property, p.Why)
		case p.safe && one:
			s.right++
		}
	}
	for _, property := range yes {
		if !slices.ContainsFunc(proposals, func(p proposal) bool { return p.Name == mark && p.property == property }) {
			s.missed++
			t.Logf("%s: missed %s: nothing speaks for it", group, property)
		}
	}
	return s
}
