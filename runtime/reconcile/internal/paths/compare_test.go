package paths

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/armature-dev/armature/runtime/reference"
)

type tier string

// shop is a Spec with a property of each form.
type shop struct {
	Location   *string                         `json:"location,omitempty"`
	Size       *int64                          `json:"size,omitempty"`
	Ratio      *float64                        `json:"ratio,omitempty"`
	Tier       *tier                           `json:"tier,omitempty"`
	Note       *string                         `json:"note,omitempty"`
	Password   *reference.Secret               `json:"password,omitempty"`
	Subnet     *reference.Resource             `json:"subnetReference,omitempty"`
	Peers      []reference.Resource            `json:"peerReferences,omitzero"`
	Tags       map[string]string               `json:"tags,omitzero"`
	Identities map[string]struct{}             `json:"identities,omitzero"`
	Rules      []rule                          `json:"rules,omitzero"`
	Shelves    []shelf                         `json:"shelves,omitzero" listMapKey:"level"`
	Zones      []string                        `json:"zones,omitzero"`
	Open       *apiextensionsv1.JSON           `json:"open,omitempty"`
	Blobs      map[string]apiextensionsv1.JSON `json:"blobs,omitzero"`
	Login      *login                          `json:"login,omitempty"`
	Owner      *shop                           `json:"inner,omitempty"`
	Values     []tier                          `json:"values,omitzero"`
}

type rule struct {
	Name  *string `json:"name,omitempty"`
	Port  *int64  `json:"port,omitempty"`
	Until *string `json:"until,omitempty"`
}

type shelf struct {
	Level *int64  `json:"level,omitempty"`
	Color *string `json:"color,omitempty"`
}

type login struct {
	User     *string           `json:"user,omitempty"`
	Password *reference.Secret `json:"password,omitempty"`
}

func read(t *testing.T, text string) *shop {
	t.Helper()
	s := new(shop)
	if err := json.Unmarshal([]byte(text), s); err != nil {
		t.Fatal(err)
	}
	return s
}

// differences returns the paths at which what ARM shows is otherwise, with what it shows.
func differences(t *testing.T, wanted, shown string) string {
	t.Helper()
	all, err := Compare(read(t, wanted), read(t, shown))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, d := range all {
		texts = append(texts, d.Path+"="+d.Shown)
	}
	return strings.Join(texts, " ")
}

// TestCompare has the kinds of differences that recorded answers after a PUT show though nobody changed anything, and
// then what somebody does change.
func TestCompare(t *testing.T) {
	const id = "/subscriptions/S/resourceGroups/G/providers/Contoso.Homes/streets/a"
	other := strings.Replace(strings.ToLower(id), "/g/", "/G/", 1) + "/"
	for _, row := range []struct{ what, wanted, shown, want string }{
		{"a location as people write it", `{"location": "westus2"}`, `{"location": "West US 2"}`, ""},
		{"an enum in another case", `{"tier": "standard", "values": ["a"]}`, `{"tier": "Standard", "values": ["A"]}`, ""},
		{"an id in another case", `{"subnetReference": {"armId": "` + id + `"}, "note": "` + id + `"}`,
			`{"subnetReference": {"armId": "` + other + `"}, "note": "` + other + `"}`, ""},
		{"ids as keys in another case", `{"identities": {"` + id + `": {}}}`, `{"identities": {"` + other + `": {}}}`, ""},
		{"references in another order", `{"peerReferences": [{"armId": "/providers/a"}, {"armId": "/providers/b"}]}`,
			`{"peerReferences": [{"armId": "/providers/B"}, {"armId": "/providers/a"}]}`, ""},
		{"named elements in another order", `{"rules": [{"name": "a", "port": 1}, {"name": "b"}]}`,
			`{"rules": [{"name": "b"}, {"name": "a", "port": 1}]}`, ""},
		{"elements with keys in another order", `{"shelves": [{"level": 1}, {"level": 2}]}`,
			`{"shelves": [{"level": 2}, {"level": 1}]}`, ""},
		{"a time in another zone", `{"rules": [{"name": "a", "until": "2026-01-01T00:00:00Z"}]}`,
			`{"rules": [{"name": "a", "until": "2026-01-01T01:00:00.0000000+01:00"}]}`, ""},
		{"a number as it is written in untyped JSON", `{"open": {"n": 1.0}, "blobs": {"a": 2}}`,
			`{"open": {"n": 1}, "blobs": {"a": 2.0}}`, ""},
		{"an empty list that is left out", `{"zones": [], "tags": {}, "rules": [], "open": {}}`, `{}`, ""},
		{"a default that the Spec does not set", `{"size": 1}`, `{"size": 1, "ratio": 0.5, "login": {"user": "root"}}`, ""},
		{"more in an untyped object", `{"open": {"a": 1}}`, `{"open": {"a": 1, "b": 2}}`, ""},
		{"a secret that is not shown", `{"login": {"password": {"name": "n", "key": "k"}}, "password": {"name": "n", "key": "k"}}`,
			`{}`, ""},
		{"a secret that is shown", `{"password": {"name": "n", "key": "k"}}`, `{"password": {"name": "-", "key": "-"}}`, ""},

		{"another value", `{"size": 1, "note": "a"}`, `{"size": 2, "note": "A"}`, `spec.note="A" spec.size=2`},
		{"no value", `{"size": 1, "inner": {"login": {"user": "u"}}}`, `{}`, `spec.inner= spec.size=`},
		{"no value beside a secret", `{"login": {"user": "u", "password": {"name": "n", "key": "k"}}}`, `{}`, `spec.login.user=`},
		{"another reference", `{"subnetReference": {"armId": "/providers/a"}}`, `{"subnetReference": {"armId": "/providers/b"}}`,
			`spec.subnetReference={"armId":"/providers/b"}`},
		{"entries of a map", `{"tags": {"a": "1", "b": "2"}}`, `{"tags": {"b": "3", "c,d": "4"}}`,
			`spec.tags.a= spec.tags.b="3" spec.tags["c,d"]="4"`},
		{"an entry of a map that is empty", `{"tags": {}}`, `{"tags": {"a": "1"}}`, `spec.tags.a="1"`},
		{"elements of a list", `{"rules": [{"name": "a", "port": 1}, {"name": "b"}]}`,
			`{"rules": [{"name": "a", "port": 2}, {"name": "c", "port": 3}]}`,
			`spec.rules[name=a].port=2 spec.rules[name=b]= spec.rules[name=c]={"name":"c","port":3}`},
		{"elements of a list that is empty", `{"rules": []}`, `{"rules": [{"name": "a"}]}`, `spec.rules[name=a]={"name":"a"}`},
		{"all elements of a list", `{"rules": [{"name": "a"}]}`, `{"rules": []}`, `spec.rules[name=a]=`},
		{"a list whose elements lose their names", `{"rules": [{"name": "a"}]}`, `{"rules": [{"port": 1}]}`, `spec.rules=[{"port":1}]`},
		{"the order of a list without keys", `{"zones": ["1", "2"]}`, `{"zones": ["2", "1"]}`, `spec.zones=["2","1"]`},
		{"a text that is like a path", `{"note": "/data"}`, `{"note": "/Data"}`, `spec.note="/Data"`},
		{"an element with a key", `{"shelves": [{"level": 1, "color": "a"}]}`, `{"shelves": [{"level": 1, "color": "b"}]}`,
			`spec.shelves=[{"level":1,"color":"b"}]`},
	} {
		t.Run(row.what, func(t *testing.T) {
			if got := differences(t, row.wanted, row.shown); got != row.want {
				t.Errorf("got  %s\nwant %s", got, row.want)
			}
			if got := differences(t, row.wanted, row.wanted); got != "" {
				t.Errorf("with itself: %s", got)
			}
		})
	}
}

func sum(key string) Sum {
	return func(text string) []byte {
		h := hmac.New(sha256.New, []byte(key))
		h.Write([]byte(text))
		return h.Sum(nil)
	}
}

func TestBaseline(t *testing.T) {
	compare := func(wanted, shown string) []Difference {
		all, err := Compare(read(t, wanted), read(t, shown))
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	const wanted = `{"size": 1, "note": "a", "tier": "s", "tags": {"x": "1"}}`
	b := BaselineOf(compare(wanted, `{"size": 1, "note": "A!", "tags": {"x": "1", "made": "by us"}}`), sum("k"))
	since := func(shown string) string {
		changed, unknown := b.Since(compare(wanted, shown), sum("k"))
		var texts []string
		for _, d := range changed {
			text := d.Path
			if unknown[d.Path] {
				text += "?"
			}
			texts = append(texts, text)
		}
		return strings.Join(texts, " ")
	}
	t.Run("what was so after the PUT is no change, and what is as it was sent neither", func(t *testing.T) {
		for _, shown := range []string{`{"size": 1, "note": "A!", "tags": {"x": "1", "made": "by hand"}}`,
			`{"size": 1, "note": "a", "tags": {"x": "1"}, "tier": "S"}`} {
			if got := since(shown); got != "" {
				t.Errorf("%s: %s", shown, got)
			}
		}
	})
	t.Run("what is otherwise is one", func(t *testing.T) {
		got := since(`{"size": 2, "note": "b", "tags": {"y": "1"}, "tier": "T"}`)
		if got != "spec.note? spec.size spec.tags.x spec.tags.y spec.tier?" {
			t.Error(got)
		}
	})
	t.Run("another key knows nothing", func(t *testing.T) {
		if changed, _ := b.Since(compare(wanted, `{"size": 1, "note": "A!", "tags": {"x": "1"}}`), sum("other")); len(changed) == 0 {
			t.Error("it knows the marks")
		}
	})
	t.Run("at most 2 KiB, by object if that is not enough", func(t *testing.T) {
		many, changed := map[string]string{}, map[string]string{}
		for i := range 500 {
			many[fmt.Sprint("t", i)], changed[fmt.Sprint("t", i)] = "a", "A!"
		}
		text := func(tags map[string]string, size int) string {
			inner, err := json.Marshal(map[string]any{"tags": tags, "size": size})
			if err != nil {
				t.Fatal(err)
			}
			return fmt.Sprintf(`{"size": %d, "inner": {"inner": %s}}`, size, inner)
		}
		b := BaselineOf(compare(text(many, 1), text(changed, 1)), sum("k"))
		if b.Depth != 3 || len(b.Marks) != markSize {
			t.Fatalf("cut after %d steps, %d bytes", b.Depth, len(b.Marks))
		}
		if same, _ := b.Since(compare(text(many, 1), text(changed, 1)), sum("k")); len(same) != 0 {
			t.Errorf("found %d changes", len(same))
		}
		changed["t7"] = "a"
		if all, _ := b.Since(compare(text(many, 1), text(changed, 2)), sum("k")); len(all) != 499+2 {
			t.Errorf("found %d changes", len(all))
		}
	})
	t.Run("all together if there is not enough room for that either", func(t *testing.T) {
		shown := `{"tags": {`
		for i := range 500 {
			shown += fmt.Sprintf(`"t%d": "",`, i)
		}
		all := compare(`{"tags": {}}`, strings.TrimSuffix(shown, ",")+"}}")
		if b := BaselineOf(all, sum("k")); b == nil || b.Depth != 1 {
			t.Errorf("got %v", b)
		}
		for i := range all {
			all[i].Path = fmt.Sprintf("spec.p%d", i)
		}
		if b := BaselineOf(all, sum("k")); b.Depth != -1 || len(b.Marks) != markSize {
			t.Errorf("cut after %d steps, %d bytes", b.Depth, len(b.Marks))
		}
	})
	t.Run("marks that somebody has cut do no harm", func(t *testing.T) {
		odd := &Baseline{Marks: b.Marks[:len(b.Marks)-3]}
		odd.Since(compare(wanted, `{}`), sum("k"))
	})
}
