// Package browser looks at a site with a browser: whether everybody can read it, whether what
// people click on does what it says, and how long they wait. .ci/browser runs it with Debian's
// Chromium, on a site that it has built.
package browser

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// The figures that a page has to keep, and how many times as long a busy machine may take.
const (
	mostPaint  = 200 * time.Millisecond // from the click until something is there
	mostSearch = 50 * time.Millisecond  // from a letter until what is found is there
	slack      = 5
)

// site is a site in a folder, with a browser that looks at it.
type site struct {
	*chromium
	folder, pictures string
	axe              string
}

func open(t *testing.T) *site {
	t.Helper()
	s := &site{folder: os.Getenv("ARMATURE_SITE"), pictures: os.Getenv("ARMATURE_PICTURES")}
	if s.folder == "" {
		t.Skip("ARMATURE_SITE names no site: .ci/browser builds one, and gets a browser")
	}
	axe, err := os.ReadFile(os.Getenv("ARMATURE_AXE"))
	if err != nil {
		t.Fatal(err)
	}
	s.axe = string(axe)
	s.chromium = start(t, os.Getenv("ARMATURE_CHROMIUM"))
	return s
}

// address returns the address of a page.
func (s *site) address(name string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(s.folder, name))}).String()
}

// screen sets the size of the screen, and whether it is dark.
func (s *site) screen(width int, scheme string) {
	s.call("Emulation.setDeviceMetricsOverride",
		map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}, nil)
	s.call("Emulation.setEmulatedMedia", map[string]any{
		"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// picture writes a picture of the screen.
func (s *site) picture(name string) {
	s.Helper()
	var got struct{ Data string }
	s.call("Page.captureScreenshot", nil, &got)
	image, err := base64.StdEncoding.DecodeString(got.Data)
	if err == nil {
		err = os.WriteFile(filepath.Join(s.pictures, name+".png"), image, 0o644)
	}
	if err != nil {
		s.Fatal(err)
	}
}

// groups returns the folders of groups. An earlier build may have left others.
func (s *site) groups() (all []string) {
	s.Helper()
	var groups [][]any
	text, err := os.ReadFile(filepath.Join(s.folder, "groups.js"))
	if err == nil {
		text = bytes.TrimSuffix(bytes.TrimPrefix(text, []byte("armature.groups(")), []byte(");\n"))
		err = json.Unmarshal(text, &groups)
	}
	if err != nil || len(groups) == 0 {
		s.Fatalf("%s has no groups: %v", s.folder, err)
	}
	for _, g := range groups {
		all = append(all, g[0].(string))
	}
	return all
}

// largest returns the largest of some pages.
func (s *site) largest(pages []string, is func(string) bool) (name string) {
	s.Helper()
	most := int64(0)
	for _, page := range pages {
		info, err := os.Stat(filepath.Join(s.folder, page))
		if err != nil {
			s.Fatal(err)
		}
		if is(page) && info.Size() > most {
			name, most = page, info.Size()
		}
	}
	return name
}

// pages returns some pages of each sort: those that are the same in all sites, and of each
// group its list, the largest page of a kind, of a version and of a type.
func (s *site) pages() []string {
	all := []string{
		"index.html", "kinds.html", "docs/readme.html", "docs/conditions.html", "docs/comparison.html", "docs/first-resource.html",
	}
	for _, group := range s.groups() {
		largest := map[string]string{}
		sizes := map[string]int64{}
		root := os.DirFS(filepath.Join(s.folder, group) + "/")
		if err := fs.WalkDir(root, ".", func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || filepath.Ext(name) != ".html" || !strings.Contains(name, "/") {
				return err
			}
			info, err := fs.Stat(root, name)
			if err != nil {
				return err
			}
			sort := "version"
			switch {
			case strings.HasPrefix(name, "types."):
				sort = "type"
			case filepath.Base(name) == "index.html":
				sort = "kind"
			}
			if info.Size() > sizes[sort] {
				largest[sort], sizes[sort] = group+"/"+name, info.Size()
			}
			return nil
		}); err != nil {
			s.Fatal(err)
		}
		all = append(all, group+"/index.html")
		for _, sort := range []string{"kind", "version", "type"} {
			if largest[sort] != "" {
				all = append(all, largest[sort])
			}
		}
	}
	return all
}

// findings returns what axe-core has against the page as it is shown.
func (s *site) findings() (all []string) {
	s.Helper()
	var defined bool
	s.eval("typeof axe !== 'undefined'", &defined)
	if !defined {
		s.eval(s.axe, nil)
	}
	var got []struct {
		ID, Help string
		Nodes    []struct {
			HTML           string
			FailureSummary string
		}
	}
	s.eval("axe.run(document, { resultTypes: ['violations'], preload: false }).then((r) => r.violations)", &got)
	for _, v := range got {
		all = append(all, fmt.Sprintf("%s, %s, at %d places, first %.300s: %.300s", v.ID, v.Help, len(v.Nodes), v.Nodes[0].HTML,
			v.Nodes[0].FailureSummary))
	}
	return all
}

func TestSite(t *testing.T) {
	s := open(t)
	pages := s.pages()
	for _, width := range []int{360, 800, 1400} {
		for _, scheme := range []string{"light", "dark"} {
			for _, name := range pages {
				t.Run(fmt.Sprintf("everybody can read %s at %d, %s", name, width, scheme), func(t *testing.T) {
					s.TB = t
					s.screen(width, scheme)
					s.open(s.address(name))
					s.picture(fmt.Sprintf("%d-%s-%s", width, scheme, strings.ReplaceAll(strings.TrimSuffix(name, ".html"), "/", "-")))
					var wide float64
					s.eval("document.documentElement.scrollWidth - document.documentElement.clientWidth", &wide)
					if wide > 0 {
						t.Errorf("it is %v pixels wider than the screen", wide)
					}
					for _, found := range s.findings() {
						t.Error(found)
					}
					s.complaints()
				})
			}
		}
	}
}

func TestClicks(t *testing.T) {
	s := open(t)
	isKind := func(page string) bool { return strings.Count(page, "/") == 2 && path.Base(page) == "index.html" }
	isVersion := func(page string) bool {
		return strings.Count(page, "/") == 2 && strings.HasPrefix(path.Base(page), "v")
	}
	kind, version := s.largest(s.pages(), isKind), s.largest(s.pages(), isVersion)
	two := s.inReleases("1.0.0", "2.0.0", version)
	for _, width := range []int{360, 800, 1400} {
		run := func(name string, f func(t *testing.T)) {
			t.Run(fmt.Sprintf("%s, at %d", name, width), func(t *testing.T) {
				s.TB = t
				s.screen(width, "light")
				f(t)
				for _, found := range s.findings() {
					t.Error(found)
				}
				s.complaints()
			})
		}
		run("the search leads to a property, and unfolds what is around it", func(t *testing.T) {
			s.open(s.address("index.html"))
			s.click("document.querySelector('nav button')")
			s.press("s", "p", "e", "c", ".")
			s.until("document.querySelector('dialog [role=status]').textContent.match(/^[1-9][0-9]* found/)")
			s.until("!document.querySelector('dialog [role=status]').textContent.includes('loading')")
			s.picture(fmt.Sprintf("%d-search", width))
			for _, found := range s.findings() {
				t.Error(found)
			}
			var to string
			s.press("ArrowDown")
			s.eval("document.querySelector('dialog [aria-selected=true]').href", &to)
			s.press("Enter")
			s.until("document.readyState === 'complete' && location.href === " + quote(to))
			s.until(`(() => {
				const r = document.getElementById(location.hash.slice(1)).getBoundingClientRect();
				return r.height > 0 && r.top >= -1 && r.top < innerHeight;
			})()`)
		})
		run("a slash opens the search, and Escape closes it", func(t *testing.T) {
			s.open(s.address("kinds.html"))
			s.press("/")
			s.until("document.querySelector('dialog').open && document.activeElement.type === 'search'")
			s.press("Escape")
			s.until("!document.querySelector('dialog').open")
		})
		run("a tree unfolds and folds", func(t *testing.T) {
			s.open(s.address(version))
			const tree = "document.querySelector('details')"
			s.until("!" + tree + ".open")
			s.click(tree + ".firstElementChild")
			s.until(tree + ".open && " + tree + ".lastElementChild.getBoundingClientRect().height > 0")
			s.picture(fmt.Sprintf("%d-tree", width))
			s.click(tree + ".firstElementChild")
			s.until("!" + tree + ".open")
		})
		run("two versions are side by side", func(t *testing.T) {
			s.open(s.address(kind))
			var before string
			const told = "document.getElementById('two-versions').parentElement.querySelector('[role=status]').textContent"
			s.eval(told, &before)
			s.eval("document.querySelector('select').focus()", nil)
			s.press("ArrowUp")
			s.until(told + " !== " + quote(before) + " && " + told + ".match(/^[0-9]+ changes? from/) && location.hash.includes('..')")
			s.eval("document.getElementById('two-versions').scrollIntoView()", nil)
			s.picture(fmt.Sprintf("%d-two-versions", width))
		})
		run("a switch leads to another release, there to the kind of a version that it lacks", func(t *testing.T) {
			s.open(two.address("2.0.0/" + version))
			s.until("document.querySelector('nav select')?.value === '2.0.0'")
			s.picture(fmt.Sprintf("%d-release", width))
			for _, found := range s.findings() {
				t.Error(found)
			}
			s.eval("document.querySelector('nav select').focus()", nil)
			s.press("ArrowUp")
			to := two.address("1.0.0/" + path.Dir(version) + "/index.html")
			s.until("location.href === " + quote(to) + " && document.readyState === 'complete'")
			s.until("document.querySelector('nav select')?.value === '1.0.0'")
		})
		run("a sample is copied", func(t *testing.T) {
			s.open(s.address(version))
			s.click("document.querySelector('.code button')")
			s.until("document.querySelector('.code [role=status]').textContent === 'copied'")
			s.picture(fmt.Sprintf("%d-copied", width))
			var sample, pasted string
			s.eval("document.querySelector('pre').textContent", &sample)
			s.press("/")
			s.until("document.activeElement.type === 'search'")
			s.call("Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": "v", "commands": []string{"paste"}}, nil)
			s.eval("document.querySelector('input').value", &pasted)
			if bare := strings.NewReplacer("\n", "", " ", ""); sample == "" || bare.Replace(pasted) != bare.Replace(sample) {
				t.Errorf("got %q, want %q", pasted, sample)
			}
			s.press("Escape")
		})
	}
}

// inReleases puts the site into the folders of two releases, as publish does. The older one lacks a page.
func (s *site) inReleases(older, newer, without string) *site {
	s.Helper()
	two := *s
	two.folder = s.TempDir()
	script, err := os.ReadFile(filepath.Join(s.folder, "site.js"))
	if err != nil {
		s.Fatal(err)
	}
	pages := slices.DeleteFunc(s.pages(), func(name string) bool { return name == without })
	pages = append(pages, path.Dir(without)+"/index.html")
	write := func(name, function string, argument any) {
		s.Helper()
		text, err := json.Marshal(argument)
		if err == nil {
			err = os.WriteFile(filepath.Join(two.folder, name), fmt.Appendf(nil, "armature.%s(%s);\n", function, text), 0o644)
		}
		if err != nil {
			s.Fatal(err)
		}
	}
	for _, release := range []string{older, newer} {
		entries, err := os.ReadDir(s.folder)
		if err != nil {
			s.Fatal(err)
		}
		if err := os.Mkdir(filepath.Join(two.folder, release), 0o755); err != nil {
			s.Fatal(err)
		}
		for _, entry := range entries {
			if entry.Name() == "site.js" {
				continue
			}
			if err := os.Symlink(filepath.Join(s.folder, entry.Name()), filepath.Join(two.folder, release, entry.Name())); err != nil {
				s.Fatal(err)
			}
		}
		write(release+"/pages.js", "pages", pages)
		text := slices.Concat(script, fmt.Appendf(nil, "armature.release(%q);\n", release))
		if err := os.WriteFile(filepath.Join(two.folder, release, "site.js"), text, 0o644); err != nil {
			s.Fatal(err)
		}
	}
	write("releases.js", "releases", []string{older, newer})
	return &two
}

// middle returns the median.
func middle(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

func TestFigures(t *testing.T) {
	s := open(t)
	s.screen(1400, "light")
	report := func(t *testing.T, what string, all []time.Duration, most time.Duration) {
		t.Helper()
		got := middle(all)
		t.Logf("%s: %v, of %v; it should take at most %v", what, got, all, most)
		if got > slack*most {
			t.Errorf("%s took %v, %d times as long as it should", what, got, slack)
		}
	}
	const runs = 5
	for _, name := range s.pages() {
		t.Run("the first paint of "+name, func(t *testing.T) {
			s.TB = t
			var all []time.Duration
			for range runs {
				s.open("about:blank")
				var begin, paint int64
				for _, e := range s.trace(func() {
					s.open(s.address(name))
					s.until("performance.getEntriesByName('first-contentful-paint').length")
				}) {
					switch e.Name {
					case "navigationStart":
						begin = max(begin, e.TS)
					case "firstContentfulPaint":
						paint = e.TS
					}
				}
				if begin == 0 || paint <= begin {
					t.Fatalf("the trace has no first paint: %d, %d", begin, paint)
				}
				all = append(all, time.Duration(paint-begin)*time.Microsecond)
			}
			report(t, name, all, mostPaint)
		})
	}
	t.Run("a search", func(t *testing.T) {
		s.TB = t
		s.open(s.address("kinds.html"))
		s.press("/")
		s.press("i", "d")
		s.until("document.querySelector('dialog [role=status]').textContent.match(/ found$| shown$/)") // all scripts are loaded
		var all []time.Duration
		for _, words := range []string{"id", "sku", "name", "spec.properties", "microsoft.", "spec.sku.name", "e", "nothing has this"} {
			last := len(words) - 1
			s.eval("document.querySelector('input').value = "+quote(words[:last]), nil)
			begin, paint := int64(0), int64(0)
			for _, e := range s.trace(func() {
				s.press(words[last:])
				s.eval("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))", nil)
			}) {
				switch {
				case e.Name == "EventDispatch" && e.Args.Data.Type == "input":
					begin = e.TS
				case e.Name == "Paint" && begin != 0 && paint == 0:
					paint = e.TS + e.Dur
				}
			}
			if paint == 0 {
				t.Fatal("the trace has no paint after a letter")
			}
			all = append(all, time.Duration(paint-begin)*time.Microsecond)
		}
		report(t, "a search", all, mostSearch)
	})
}
