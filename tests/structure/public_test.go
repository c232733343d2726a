package structure

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// apache is the SHA-256 of the Apache License 2.0 as Debian has it.
const apache = "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30"

// TestPublic checks what a public repository has beside its code.
func TestPublic(t *testing.T) {
	all := files(t)
	t.Run("the licence is Apache-2.0, byte for byte", func(t *testing.T) {
		if sum := sha256.Sum256([]byte(all["LICENSE"])); hex.EncodeToString(sum[:]) != apache {
			t.Errorf("LICENSE has SHA-256 %x, expected %s", sum, apache)
		}
	})
	t.Run("workflows and the registry's templates are YAML and JSON", func(t *testing.T) {
		found := 0
		for name, text := range all {
			if dir := path.Dir(name); dir != ".bcr" && dir != ".github/workflows" {
				continue
			}
			var err error
			switch path.Ext(name) {
			case ".json":
				err = json.Unmarshal([]byte(text), new(map[string]any))
			case ".yaml", ".yml":
				err = yaml.UnmarshalStrict([]byte(text), new(map[string]any))
			default:
				continue
			}
			if found++; err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if found < 5 {
			t.Errorf("found %d files, expected two workflows, two templates and presubmit.yml", found)
		}
	})
	t.Run("the nightly workflow has each part of .ci/nightly", func(t *testing.T) {
		parts := regexp.MustCompile(`(?m)^parts=\((.*)\)$`).FindStringSubmatch(all[".ci/nightly"])
		if parts == nil {
			t.Fatal(".ci/nightly has no line parts=(…)")
		}
		var workflow struct {
			Jobs struct {
				Part struct {
					Strategy struct {
						Matrix struct {
							Part []string `json:"part"`
						} `json:"matrix"`
					} `json:"strategy"`
				} `json:"part"`
			} `json:"jobs"`
		}
		if err := yaml.Unmarshal([]byte(all[".github/workflows/nightly.yaml"]), &workflow); err != nil {
			t.Fatal(err)
		}
		if got, want := workflow.Jobs.Part.Strategy.Matrix.Part, strings.Fields(parts[1]); !slices.Equal(got, want) {
			t.Errorf("the workflow has the parts %q, .ci/nightly has %q", got, want)
		}
	})
	t.Run("the chart, armature check and docs/stability.md have the same versions of Kubernetes", func(t *testing.T) {
		checking, chart := all["cli/check/cluster.go"], all["release/chart/Chart.yaml"]
		of := func(text, pattern string) []string {
			t.Helper()
			var found []string
			for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
				found = append(found, m[1])
			}
			if len(found) == 0 {
				t.Fatalf("nothing matches %s", pattern)
			}
			return found
		}
		// A row has the patch that was run.
		rows := of(all["docs/stability.md"], `(?m)^\| (1\.\d+)\.\d+ \|`)
		tested := of(of(checking, `testedKubernetes = \[\]string\{(.*)\}`)[0], `"([0-9.]+)"`)
		if !slices.Equal(rows, tested) {
			t.Errorf("docs/stability.md has rows for %q, armature check knows %q", rows, tested)
		}
		oldest, least := of(checking, `oldestKubernetes = "(.*)"`), of(chart, `kubeVersion: ">=([0-9]+\.[0-9]+)\.0-0"`)
		if !slices.Equal(oldest, least) {
			t.Errorf("armature check asks for %q, the chart for %q", oldest, least)
		}
	})
	t.Run("the module that the registry would test is there", func(t *testing.T) {
		var presubmit struct {
			Module struct {
				Path string `json:"module_path"`
			} `json:"bcr_test_module"`
		}
		if err := yaml.Unmarshal([]byte(all[".bcr/presubmit.yml"]), &presubmit); err != nil {
			t.Fatal(err)
		}
		if name := path.Join(presubmit.Module.Path, "MODULE.bazel"); all[name] == "" {
			t.Errorf("there is no %s", name)
		}
	})
}

var (
	fence      = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	inlineCode = regexp.MustCompile("`[^`]*`")
	link       = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	heading    = regexp.MustCompile(`(?m)^#{1,6} +(.*)$`)
	inWords    = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

// anchors returns the anchors of a page: of its headings, as GitHub makes them, and those that it has in HTML.
func anchors(page string) []string {
	var found []string
	for _, h := range heading.FindAllStringSubmatch(fence.ReplaceAllString(page, ""), -1) {
		words := inWords.ReplaceAllString(strings.ToLower(h[1]), "")
		found = append(found, strings.ReplaceAll(words, " ", "-"))
	}
	for _, row := range regexp.MustCompile(`<a id="([^"]+)"></a>`).FindAllStringSubmatch(page, -1) {
		found = append(found, row[1])
	}
	return found
}

// TestLinks checks that the links between pages lead to files and headings that there are, and that the index of docs
// has each of its pages.
func TestLinks(t *testing.T) {
	all := files(t)
	names := slices.Sorted(maps.Keys(all))
	for name, text := range all {
		if filepath.Ext(name) != ".md" || isVerbatim(name) {
			continue
		}
		prose := inlineCode.ReplaceAllString(fence.ReplaceAllString(text, ""), "")
		for _, found := range link.FindAllStringSubmatch(prose, -1) {
			file, anchor, _ := strings.Cut(found[1], "#")
			if strings.Contains(file, ":") {
				continue
			}
			target := name
			if file != "" {
				target = path.Join(path.Dir(name), file)
			}
			page, exists := all[target]
			folder := slices.ContainsFunc(names, func(other string) bool { return strings.HasPrefix(other, target+"/") })
			switch {
			case !exists && !folder:
				t.Errorf("%s links to %s, which does not exist", name, found[1])
			case anchor != "" && !slices.Contains(anchors(page), anchor):
				t.Errorf("%s links to %s, and %s has no such heading; it has %q", name, found[1], target, anchors(page))
			}
		}
	}
	for name := range all {
		dir, page := path.Split(name)
		if dir == "docs/" && path.Ext(page) == ".md" && page != "README.md" && !strings.Contains(all["docs/README.md"], "("+page+")") {
			t.Errorf("docs/README.md does not list %s", page)
		}
	}
}

// TestRunbooks checks that each alert leads to what a page says of it: to a heading, or to a row with an anchor that
// begins with the name of the alert.
func TestRunbooks(t *testing.T) {
	all := files(t)
	alert := regexp.MustCompile(`(?m)^ *- alert: (\w+)$(?:\n(?: {6,}.*)?)*`)
	found := 0
	for name, text := range all {
		if path.Base(name) != "alerts.yaml" || !strings.HasPrefix(name, "release/") {
			continue
		}
		for _, one := range alert.FindAllStringSubmatch(text, -1) {
			found++
			url := regexp.MustCompile(`(?m)^ *runbook_url: ` + regexp.QuoteMeta(sources) + `(\S+\.md)#(\S+)$`).FindStringSubmatch(one[0])
			if url == nil {
				t.Errorf("%s: %s has no runbook_url below %s", name, one[1], sources)
				continue
			}
			row := "\n| `" + one[1] + "` | <a id=\"" + url[2] + "\"></a>"
			if !strings.Contains(all[url[1]], row) && !slices.Contains(anchors(all[url[1]]), url[2]) {
				t.Errorf("%s: %s leads to %s#%s, and that page has no such anchor", name, one[1], url[1], url[2])
			}
		}
	}
	if found < 20 {
		t.Errorf("found %d alerts, want those of the operator and of the webhook", found)
	}
}

// sources is where the pages of the newest sources are.
const sources = "https://github.com/armature-dev/armature/blob/main/"

// checkNamed checks that the tests which a page names exist. It returns how many it names.
func checkNamed(t *testing.T, all map[string]string, page string) int {
	t.Helper()
	named := regexp.MustCompile("`(\\S+_test\\.go) ((?:Test|Fuzz)\\w+)(?:/([^`]+))?`")
	found := named.FindAllStringSubmatch(all[page], -1)
	for _, n := range found {
		file, test, subtest := n[1], n[2], n[3]
		_, body, exists := strings.Cut(all[file], "\nfunc "+test+"(")
		switch {
		case all[file] == "":
			t.Errorf("%s names %s, which does not exist", page, file)
		case !exists:
			t.Errorf("%s names %s of %s, which has no such test", page, test, file)
		case !strings.Contains(body, subtest):
			t.Errorf("%s names %s/%s of %s, which has no such subtest", page, test, subtest, file)
		}
	}
	return len(found)
}

// TestFront checks that each promise on the front page of the site names a test that exists, and that its commands are
// those of the README.
func TestFront(t *testing.T) {
	all := files(t)
	const page = "site/front.md"
	promise := regexp.MustCompile(`(?m)^\| \*\*.*$`)
	promises := promise.FindAllString(all[page], -1)
	if len(promises) != 3 {
		t.Errorf("%s has %d promises, expected three", page, len(promises))
	}
	for _, p := range promises {
		if !strings.Contains(p, "_test.go") {
			t.Errorf("%s names no test: %s", page, p)
		}
	}
	checkNamed(t, all, page)
	for _, commands := range fence.FindAllString(all[page], -1) {
		if strings.HasPrefix(commands, "```sh") && !strings.Contains(all["README.md"], commands) {
			t.Errorf("README.md does not have the commands of %s:\n%s", page, commands)
		}
	}
}

// TestComparison checks that docs/comparison.md has a dated source for each cell about another operator that is not
// empty, and a test that exists for each one about Armature.
func TestComparison(t *testing.T) {
	all := files(t)
	const page = "docs/comparison.md"
	const peers = 4
	compared, listed := 0, 0
	source := regexp.MustCompile(`\[([A-D]\d+)\]\(#([A-D]\d+)\)`)
	inTable := false
	for line := range strings.Lines(all[page]) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		switch {
		case strings.Contains(line, "| Armature |"):
			inTable = true
		case !strings.HasPrefix(line, "| "):
			inTable = inTable && strings.HasPrefix(line, "|--")
		case inTable:
			compared++
			if len(cells) != peers+2 {
				t.Fatalf("%s has %d cells in the row%s, expected %d", page, len(cells), cells[0], peers+2)
			}
			for _, cell := range cells[1 : peers+1] {
				if strings.TrimSpace(cell) != "" && !source.MatchString(cell) {
					t.Errorf("%s names no source in the row%s: %s", page, cells[0], cell)
				}
			}
			if !strings.Contains(cells[peers+1], "_test.go Test") {
				t.Errorf("%s names no test in the row%s", page, cells[0])
			}
		case strings.HasPrefix(line, `| <a id="`):
			listed++
			if !regexp.MustCompile(`^\| <a id="([A-D]\d+)"></a>([A-D]\d+) \| .* \| <https://\S+> \|\n$`).MatchString(line) {
				t.Errorf("%s has a source without an address: %s", page, line)
			}
		}
	}
	if compared < 10 || listed < 20 {
		t.Errorf("%s compares %d features by %d sources, expected more", page, compared, listed)
	}
	for _, s := range source.FindAllStringSubmatch(all[page], -1) {
		if s[1] != s[2] || !strings.Contains(all[page], `<a id="`+s[1]+`"></a>`) {
			t.Errorf("%s leads from %s to %s", page, s[1], s[2])
		}
	}
	if !regexp.MustCompile(`(?m)^All were read on \d{4}-\d\d-\d\d`).MatchString(all[page]) {
		t.Errorf("%s does not say when its sources were read", page)
	}
	checkNamed(t, all, page)
}

// TestThreats checks that the tests which docs/threats.md names exist, and that what no test holds is open.
func TestThreats(t *testing.T) {
	all := files(t)
	if found := checkNamed(t, all, "docs/threats.md"); found < 50 {
		t.Errorf("found %d tests, expected the tables to name more", found)
	}
	held := false // whether the rows of the table say what holds them
	for line := range strings.Lines(all["docs/threats.md"]) {
		switch {
		case !strings.HasPrefix(line, "| "):
			held = held && strings.HasPrefix(line, "|--")
		case strings.HasSuffix(line, "| held by |\n"):
			held = true
		case held && !regexp.MustCompile(`_test\.go|\*\*open\*\*|not examined|the types of`).MatchString(line):
			t.Errorf("docs/threats.md names no test, and does not say that it is open: %s", line)
		}
	}
}
