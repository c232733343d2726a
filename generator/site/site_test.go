package site

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/evolution/evolutiontest"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/site/sitetest"
	"github.com/armature-dev/armature/internal/golden"
)

// persons is a group whose versions show what pages can show.
func persons(t *testing.T) Input {
	in := evolutiontest.Input(t, evolutiontest.Exports+`changes:
  - {property: Person.old, since: "2021-01-01", renamed: new}
  - {property: Person.gone, since: "2021-01-01", removed: "nobody used it"}
  - {property: Home.lat, since: "2021-01-01", moved: Home.at.lat}
`, map[string]string{
		"2020-01-01": "Person_Spec: gone string, home Home, name string, old string\nHome: lat string, street string",
		"2021-01-01": "Person_Spec: home Home, name string, new string\nHome: at At, street string\nAt: alt string, lat string",
		"2022-01-01-preview": "Person_Spec: home Home, mail string, name string, new string, root Tree\n" +
			"Home: at At, street string\nAt: alt string, lat string\nTree: left Tree, text string",
	})
	for _, v := range in.Shapes {
		name := v.Type("Person_Spec").Property("name")
		name.Doc = "<b>Its name</b>, see https://example.com & more."
		name.Required = v.APIVersion != "2020-01-01"
		name.Validation = &ir.Validation{Pattern: "^[a-z]+$"}
		v.WithoutDocs = v.APIVersion == "2020-01-01"
	}
	return Input{Input: in}
}

func files(t *testing.T, in Input) map[string][]byte {
	t.Helper()
	in.Folder = "crm"
	all, _, err := Files(in)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestFiles(t *testing.T) {
	all := files(t, persons(t))
	t.Run("the pages are golden", func(t *testing.T) {
		texts := map[string]string{}
		for name, text := range all {
			texts[name] = string(text)
		}
		golden.EqualFolder(t, "testdata/want", texts)
	})
	t.Run("links lead somewhere, nothing runs, and the search has all properties", func(t *testing.T) {
		in := persons(t)
		in.Folder = "crm"
		all, list, err := Files(in)
		if err != nil {
			t.Fatal(err)
		}
		sitetest.Check(t, sitetest.Of(t, list, all))
	})
	t.Run("the order of the input does not matter", func(t *testing.T) {
		in := persons(t)
		for range 5 {
			rand.Shuffle(len(in.Packages), func(i, j int) { in.Packages[i], in.Packages[j] = in.Packages[j], in.Packages[i] })
			rand.Shuffle(len(in.Shapes), func(i, j int) { in.Shapes[i], in.Shapes[j] = in.Shapes[j], in.Shapes[i] })
			if again := files(t, in); !maps.EqualFunc(all, again, bytes.Equal) {
				t.Fatal("another order of the input gives other pages")
			}
		}
	})
	t.Run("a description is on pages alone: not in the search, nor in the list for other pages", func(t *testing.T) {
		_, before, err := Files(persons(t))
		if err != nil {
			t.Fatal(err)
		}
		in := persons(t)
		for _, v := range in.Shapes {
			v.Type("Person_Spec").Property("name").Doc = "another one"
		}
		pages, after, err := Files(in)
		if err != nil || !reflect.DeepEqual(before, after) || !bytes.Equal(all["search.js"], pages["search.js"]) {
			t.Errorf("got %v, %v and %s; it was %v and %s", err, after, pages["search.js"], before, all["search.js"])
		}
		if bytes.Equal(all["person/v20210101.html"], pages["person/v20210101.html"]) {
			t.Error("the page of the version does not have it")
		}
	})
	t.Run("a version whose specs were not there says so", func(t *testing.T) {
		const want = "has no descriptions"
		if !bytes.Contains(all["person/v20200101.html"], []byte(want)) || bytes.Contains(all["person/v20210101.html"], []byte(want)) {
			t.Errorf("want %q on the page of 2020 alone", want)
		}
	})
	t.Run("a type that contains itself has a page", func(t *testing.T) {
		if all["types.v20220101alpha1/tree.html"] == nil {
			t.Errorf("got the pages %v", slices.Sorted(maps.Keys(all)))
		}
	})
	t.Run("a version lists what it changes", func(t *testing.T) {
		_, list, _ := strings.Cut(string(all["person/v20210101.html"]), `id="changes"`)
		list, _, _ = strings.Cut(list, "</ul>")
		for _, want := range []string{
			"Compared with v20200101; or see <a href=\"index.html#evolution\">any two versions</a>.",
			"spec.gone: <span class=\"went\">went</span>",
			"spec.home.at: <span class=\"came\"><a href=\"v20210101.html#spec.home.at\">came</a>, At</span>",
			"spec.home.lat: <span class=\"moved\">moved, moved away</span>",
			"spec.new: <span class=\"renamed\"><a href=\"v20210101.html#spec.new\">renamed</a>, now new</span>",
		} {
			if !strings.Contains(list, want) {
				t.Errorf("%s is not in:\n%s", want, list)
			}
		}
		if strings.Contains(list, "spec.home: ") {
			t.Errorf("spec.home does not change:\n%s", list)
		}
	})
	t.Run("a version lists what it does not see", func(t *testing.T) {
		_, list, _ := strings.Cut(string(all["person/v20200101.html"]), `id="unseen"`)
		for _, path := range []string{"spec.mail", "spec.root"} {
			if !strings.Contains(list, "<li class=\"path\">"+path+"\n") {
				t.Errorf("%s is not in:\n%s", path, list)
			}
		}
	})
}

func TestSearch(t *testing.T) {
	all := files(t, Input{Input: evolutiontest.Input(t, evolutiontest.Exports+`changes:
  - {property: Person.gone, since: "2021-01-01", removed: "nobody used it"}
  - {property: Home.door, since: "2021-01-01", removed: "nobody used it"}
`, map[string]string{
		"2020-01-01": "Person_Spec: gone string, home Home\nHome: door string, street string",
		"2021-01-01": "Person_Spec: home Home, name string\nHome: street string",
	})})
	const want = `[["Person",[["person/v20210101.html",["spec",["home",["street"],"name"],"status",["conditions"]]],` +
		`["person/v20200101.html",["spec",["gone","home",["door"]]]]]]],[]);`
	if got := string(all["search.js"]); !strings.HasSuffix(got, want+"\n") {
		t.Errorf("got %s\nwant each property once, on its newest page: %s", got, want)
	}
	t.Run("kinds and types have one order", func(t *testing.T) {
		in := Input{Input: evolutiontest.Input(t, evolutiontest.Exports, map[string]string{
			"2020-01-01": "Person_Spec: a Tree, b Bush, c Fern, d Moss\n" +
				"Tree: in Tree\nBush: in Bush\nFern: in Fern\nMoss: in Moss",
		})}
		first := files(t, in)["search.js"]
		for range 10 {
			if again := files(t, in)["search.js"]; !bytes.Equal(again, first) {
				t.Fatalf("got %s, and %s before", again, first)
			}
		}
	})
}

func TestCells(t *testing.T) {
	all := files(t, Input{Input: evolutiontest.Input(t, evolutiontest.Exports+`changes:
  - {property: Person.home, since: "2021-01-01", removed: "back later"}
  - {property: Person.mail, since: "2021-01-01", removed: "back later"}
`, map[string]string{
		"2020-01-01": "Person_Spec: home Home, mail string, name string\nHome: city string, door string, zip string",
		"2021-01-01": "Person_Spec: name string",
		"2022-01-01": "Person_Spec: home Home, mail string, name string\nHome: city string, door string, note string",
		"2023-01-01": "Person_Spec: home Home, mail string, name string\nHome: city string, lane string",
	})})
	for _, want := range []string{ // what is in an object comes and goes with it
		`spec.home<td class="same"><a href="v20200101.html#spec.home">Home</a><td class="went gone">went<td class="back">`,
		`spec.mail<td class="same"><a href="v20200101.html#spec.mail">string</a><td class="went gone">went<td class="back">`,
		`spec.home.zip<td class="same"><a href="v20200101.html#spec.home.zip">string</a><td><td><td>`,
		`spec.home.lane<td><td><td><td class="came">`,
		`spec.home.note<td><td><td class="same"><a href="v20220101.html#spec.home.note">string</a><td class="went gone">`,
		`spec.home.door<td class="same"><a href="v20200101.html#spec.home.door">string</a><td><td class="same">`,
	} {
		if !strings.Contains(string(all["person/index.html"]), want) {
			t.Errorf("%s is not in:\n%s", want, all["person/index.html"])
		}
	}
}

func TestShared(t *testing.T) {
	wide := func(n int) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf("p%d string", i))
		}
		return strings.Join(all, ", ")
	}
	of := func(n int) map[string][]byte {
		return files(t, Input{Input: evolutiontest.Input(t, evolutiontest.Exports, map[string]string{
			"2020-01-01": "Person_Spec: first Wide, second Wide\nWide: " + wide(n),
		})})
	}
	t.Run("a small type that is shared is shown at each place", func(t *testing.T) {
		all := of(mostShared)
		if len(all) != 4 || !bytes.Contains(all["person/v20200101.html"], []byte(`id="spec.second.p1"`)) {
			t.Errorf("got the pages %v", slices.Sorted(maps.Keys(all)))
		}
	})
	t.Run("a large one has a page, to which each place leads", func(t *testing.T) {
		all := of(mostShared + 1)
		const link = `<a href="../types.v20200101/wide.html">Wide</a>`
		if all["types.v20200101/wide.html"] == nil || strings.Count(string(all["person/v20200101.html"]), link) != 2 {
			t.Errorf("got the pages %v", slices.Sorted(maps.Keys(all)))
		}
	})
}
