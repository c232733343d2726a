package front_test

import (
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/site/front"
)

func TestPicture(t *testing.T) {
	draw := func(text string) (string, error) {
		all, err := front.Files(front.Input{Front: front.Doc{Path: "front.md", Text: []byte("# A\n\n```picture\n" + text + "\n```\n")}})
		if err != nil {
			return "", err
		}
		_, svg, _ := strings.Cut(string(all["index.html"]), "<svg")
		svg, _, _ = strings.Cut(svg, "</svg>")
		return svg, nil
	}
	has := func(t *testing.T, text string, wants ...string) {
		t.Helper()
		got, err := draw(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("%s is not in:\n%s", want, got)
			}
		}
	}
	const tree = "one ──► two ──► three\n" +
		"                 │\n" +
		"                 ▼\n" +
		"       four ◄──► five <b>\n"
	t.Run("boxes with an arrow between them are side by side", func(t *testing.T) {
		has(t, tree, `<rect x="1" y="1" width="180" height="38" rx="6"/><text x="91" y="24">one</text>`,
			`<rect x="225" y="1" width="180" height="38" rx="6"/>`, `<path d="M183 20H223m-6 -6l6 6l-6 6"/>`)
	})
	t.Run("a box is below the one that leads down to it", func(t *testing.T) {
		has(t, tree, `<rect x="449" y="75" width="180" height="38" rx="6"/><text x="539" y="98">five &lt;b&gt;</text>`,
			`<rect x="225" y="75"`, `<path d="M539 41V73m-6 -6l6 6l6 -6"/>`)
	})
	t.Run("an arrow with two heads has both", func(t *testing.T) {
		has(t, tree, `<path d="M407 94H447m-6 -6l6 6l-6 6"/>`, `<path d="M413 88l-6 6l6 6"/>`)
	})
	t.Run("it is as large as its boxes, and says in words what it shows", func(t *testing.T) {
		has(t, tree, `viewBox="0 0 630 114"`,
			`aria-label="one leads to two leads to three; four leads to and from five &lt;b&gt;; three leads to five &lt;b&gt;"`)
	})
	t.Run("a long text has several lines, in a higher box", func(t *testing.T) {
		has(t, "all that is longer than a box ──► short", `height="56" rx="6"/><text x="91" y="24">all that is longer</text>`+
			`<text x="91" y="42">than a box</text>`, `<text x="315" y="33">short</text>`)
	})
	for _, test := range []struct{ name, text, want string }{
		{"an arrow down from nothing", "one\n      │\nbelow it", "front.md:4:1: a picture has an arrow down at letter 7; expected boxes"},
		{"an arrow down to nothing", "one is above\n      │\ntwo", "an arrow down at letter 7; expected boxes above and below it"},
		{"a line that begins left of the first", "one\n │\ntwo ──► three long\n            │\na ──► b ──► c",
			`has "c" below "three long", which is in another column`},
	} {
		t.Run(test.name+" is an error", func(t *testing.T) {
			if _, err := draw(test.text); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got the error %v, want %s", err, test.want)
			}
		})
	}
}
