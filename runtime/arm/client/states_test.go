package client

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/internal/golden"
	"github.com/armature-dev/armature/internal/specs"
)

// The words of testdata/states.txt, each with its place: "resource" is the
// provisioningState of a resource, "operation" the status of an operation.
const statesFile = "testdata/states.txt"

// stateWords returns the words of testdata/states.txt.
func stateWords(t *testing.T) (words map[string][]string) {
	t.Helper()
	text, err := os.ReadFile(statesFile)
	if err != nil {
		t.Fatal(err)
	}
	words = map[string][]string{}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			where, word, _ := strings.Cut(line, " ")
			words[where] = append(words[where], word)
		}
	}
	return words
}

// TestProgress sorts every word that the specs have.
func TestProgress(t *testing.T) {
	t.Run("a stem decides each word of the specs", func(t *testing.T) {
		used := map[int]bool{}
		for where, words := range stateWords(t) {
			for _, word := range words {
				if at := stemOf(word); at >= 0 {
					used[at] = true
				} else {
					t.Errorf("no stem decides the word %q of a %s", word, where)
				}
			}
		}
		for at, s := range states {
			if !used[at] {
				t.Errorf("no word of the specs needs the stems %q", s.stems)
			}
		}
	})
	for _, row := range []struct {
		words               string
		resource, operation Progress
	}{
		{"Succeeded succeeded SUCCEEDED SucceededWithIssues Completed Registered Deprovisioned", EndedWell, EndedWell},
		{"Ready Enabled Inactive", EndedWell, Unsaid},
		{"Failed Canceled Cancelled CreateFailed ProvisioningFailed UpdatedFailed DeleteError TimedOut Aborted AccessDenied " +
			"KeyVaultDoesNotExist AzureServiceUnauthorizedToAccessKeyVault FailedToProvision", EndedBadly, EndedBadly},
		{"Creating Canceling ResolvingDNS RegisteringDns registeringdns RecoveringScaleFailure CancelInProgress Inprogress Enqueued " +
			"UpdatingByProxy AwaitingManualAction ScheduledForDelete UpgradeRequested Pending Waiting", AtWork, AtWork},
		{"Active Running Working Existing Warning", EndedWell, AtWork},
		{"Created Started", Unsaid, AtWork},
		{"Stopped Skipped", EndedWell, EndedBadly},
		{"Unknown NotSpecified Percolated NotReady Unsuccessful Recreated", Unsaid, Unsaid},
	} {
		for _, word := range strings.Fields(row.words) {
			if resource, operation := progressOf(word); resource != row.resource || operation != row.operation {
				t.Errorf("%s: got %v of a resource and %v of an operation, want %v and %v", word, resource, operation,
					row.resource, row.operation)
			}
		}
	}
	t.Run("docs/conditions.md has the table", func(t *testing.T) {
		docs, err := os.ReadFile("../../../docs/conditions.md")
		if err != nil {
			t.Fatal(err)
		}
		var rows strings.Builder
		for _, s := range states {
			fmt.Fprintf(&rows, "| `%s` | %v | %v |\n", strings.Join(strings.Fields(s.stems), "` `"), s.resource, s.operation)
		}
		if !strings.Contains(string(docs), "|\n"+rows.String()+"\n") {
			t.Errorf("docs/conditions.md lacks the table of states:\n%s", rows.String())
		}
	})
}

// TestStatesOfSpecs compares testdata/states.txt with the specs that Azure publishes, if
// there are any. With ARMATURE_UPDATE it adds the words that are missing: the specs of one
// machine may be fewer than those of another.
func TestStatesOfSpecs(t *testing.T) {
	root := specs.Folder()
	if root == "" {
		t.Skip("ARMATURE_SPECS is not set: no published specs to read")
	}
	all := map[string]bool{}
	for where, words := range stateWords(t) {
		for _, word := range words {
			all[where+" "+word] = true
		}
	}
	read := &stateReader{documents: map[string]any{}, found: map[string]bool{}}
	for _, file := range documentsBelow(t, root) {
		read.document(file)
	}
	if len(read.found) == 0 {
		t.Fatalf("found no words below %s", root)
	}
	var missing []string
	for line := range read.found {
		if !all[line] {
			all[line] = true
			missing = append(missing, line)
		}
	}
	if golden.Updating() {
		golden.Equal(t, statesFile, statesHead+strings.Join(slices.SortedFunc(maps.Keys(all), func(a, b string) int {
			return cmp.Or(strings.Compare(strings.ToLower(a), strings.ToLower(b)), strings.Compare(a, b))
		}), "\n")+"\n")
	} else if slices.Sort(missing); missing != nil {
		t.Errorf("%s lacks %q; to add them, run: %s", statesFile, missing, golden.Command())
	}
}

const statesHead = `# The words that Azure's specs have as values of provisioningState ("resource"), and of the status of what has
# an error too ("operation"). TestStatesOfSpecs adds those that are missing.
`

// stateReader finds the words in Swagger and in the types of Bicep.
type stateReader struct {
	documents map[string]any
	found     map[string]bool
}

// documentsBelow returns the documents of the specs below a folder.
func documentsBelow(t *testing.T, root string) (files []string) {
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && (entry.Name() == "examples" || entry.Name() == "arm-json-schema") {
			return filepath.SkipDir
		}
		if err == nil && filepath.Ext(file) == ".json" {
			files = append(files, file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// load returns a document, or nil if the file is not a document.
func (r *stateReader) load(file string) any {
	if document, known := r.documents[file]; known {
		return document
	}
	var document any
	if text, err := os.ReadFile(file); err == nil {
		_ = json.Unmarshal([]byte(strings.TrimPrefix(string(text), "\ufeff")), &document) // a broken one has no words
	}
	r.documents[file] = document
	return document
}

func (r *stateReader) document(file string) {
	switch document := r.load(file).(type) {
	case map[string]any:
		r.walk(file, document)
	case []any: // types.json of Bicep, to which no other document refers
		delete(r.documents, file)
		for _, t := range document {
			object, _ := t.(map[string]any)
			r.properties(object["properties"], func(schema any) []string { return bicepWords(document, schema, 0) })
		}
	}
}

func (r *stateReader) walk(file string, value any) {
	switch value := value.(type) {
	case map[string]any:
		r.properties(value["properties"], func(schema any) []string { return r.words(file, schema, 0) })
		for _, v := range value {
			r.walk(file, v)
		}
	case []any:
		for _, v := range value {
			r.walk(file, v)
		}
	}
}

// properties notes the words that properties can have.
func (r *stateReader) properties(of any, words func(schema any) []string) {
	properties, _ := of.(map[string]any)
	for name, schema := range properties {
		where := ""
		switch _, fails := properties["error"]; {
		case strings.EqualFold(name, "provisioningState"):
			where = "resource "
		case name == "status" && fails:
			where = "operation "
		default:
			continue
		}
		for _, word := range words(schema) {
			r.found[where+word] = true
		}
	}
}

// words returns the enum of a schema of Swagger.
func (r *stateReader) words(file string, of any, depth int) (all []string) {
	schema, _ := of.(map[string]any)
	if schema == nil || depth > 5 {
		return nil
	}
	list, _ := schema["enum"].([]any)
	if extension, _ := schema["x-ms-enum"].(map[string]any); extension != nil {
		values, _ := extension["values"].([]any)
		for _, v := range values {
			value, _ := v.(map[string]any)
			list = append(list, value["value"])
		}
	}
	for _, v := range list {
		if word, ok := v.(string); ok {
			all = append(all, word)
		}
	}
	if ref, ok := schema["$ref"].(string); ok {
		name, pointer, _ := strings.Cut(ref, "#")
		if name != "" {
			file = filepath.Join(filepath.Dir(file), filepath.FromSlash(name))
		}
		target := r.load(file)
		for step := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
			in, _ := target.(map[string]any)
			target = in[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)]
		}
		all = append(all, r.words(file, target, depth+1)...)
	}
	parts, _ := schema["allOf"].([]any)
	for _, part := range parts {
		all = append(all, r.words(file, part, depth+1)...)
	}
	return all
}

// bicepWords returns the literal texts that a type of Bicep permits.
func bicepWords(types []any, of any, depth int) (all []string) {
	reference, _ := of.(map[string]any)
	if at, ok := reference["type"].(map[string]any); ok {
		reference = at
	}
	pointer, _ := reference["$ref"].(string)
	var at int
	if err := json.Unmarshal([]byte(strings.TrimPrefix(pointer, "#/")), &at); err != nil || at >= len(types) || depth > 2 {
		return nil
	}
	switch t, _ := types[at].(map[string]any); t["$type"] {
	case "StringLiteralType":
		if word, ok := t["value"].(string); ok {
			all = append(all, word)
		}
	case "UnionType":
		elements, _ := t["elements"].([]any)
		for _, element := range elements {
			all = append(all, bicepWords(types, element, depth+1)...)
		}
	}
	return all
}
