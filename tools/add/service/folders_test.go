package service

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/armature-dev/armature/tools/specs/layout"
)

// hubOf matches a kind and its hub in a lock.
var hubOf = regexp.MustCompile(`"(\w+)": \{\s+"hub": "(\w+)"`)

// TestFolders has a provider whose types are in several folders of the bicep types, each with versions of its own, as
// those of Microsoft.Insights are in monitor_1 and applicationinsights. One type is in two folders at one version, as
// copilotSettings of Microsoft.PortalServices is, and one moved from one folder to another, as mongoClusters of
// Microsoft.DocumentDB did.
func TestFolders(t *testing.T) {
	root, specs := repository(t)
	publish := func(folder, version string, types ...string) {
		t.Helper()
		var text []string
		for i, name := range types {
			text = append(text, fmt.Sprintf(`{"$type": "ResourceType", "name": "Microsoft.Watch/%s@%s", "body": {"$ref": "#/%d"}, "writableScopes": 8},
				{"$type": "ObjectType", "name": "%[1]s", "properties": {"location": {"type": {"$ref": "#/%[4]d"}, "flags": 0}}},
				{"$type": "StringType"}`, name, version, 3*i+1, 3*i+2))
		}
		write(t, filepath.Join(string(specs), layout.TypesFolder, folder, "microsoft.watch", version, "types.json"),
			"["+strings.Join(text, ",")+"]")
	}
	publish("monitor_1", "2018-03-01", "alerts")
	publish("monitor_1", "2026-01-01", "alerts")
	publish("monitor_1", "2021-05-01-preview", "settings")
	publish("insights", "2015-05-01", "components")
	publish("insights", "2020-02-02", "components", "tests")
	publish("insights", "2022-06-15", "tests")
	publish("portal_0", "2024-04-01", "pilots")
	publish("portal_2", "2024-04-01", "pilots")
	publish("old", "2023-03-15", "clusters")
	publish("new", "2025-09-01", "clusters")

	// check compares the documents that the group has, and the hubs of its kinds.
	check := func(t *testing.T, documents, hubs map[string]string) {
		t.Helper()
		in := Repository{Root: root}
		b, err := in.readBuild("watch")
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for v, docs := range b.documents {
			for i, doc := range docs {
				docs[i] = strings.TrimPrefix(strings.TrimSuffix(doc, "/microsoft.watch/"+v+"/types.json"), layout.TypesFolder+"/")
			}
			got[v] = strings.Join(docs, " ")
		}
		if diff := cmp.Diff(documents, got); diff != "" {
			t.Errorf("documents: %s", diff)
		}
		text, err := os.ReadFile(in.path("apis/watch/lock.bzl"))
		if err != nil {
			t.Fatal(err)
		}
		got = map[string]string{}
		for _, match := range hubOf.FindAllStringSubmatch(string(text), -1) {
			got[match[1]] = match[2]
		}
		if diff := cmp.Diff(hubs, got); diff != "" {
			t.Errorf("hubs: %s", diff)
		}
	}
	update := func(t *testing.T, u Update) *Change {
		t.Helper()
		u.Repository, u.Specs, u.Group = Repository{Root: root}, specs, "watch"
		change, err := PlanUpdate(u)
		if err != nil {
			t.Fatal(err)
		}
		if err := change.Write(root); err != nil {
			t.Fatal(err)
		}
		return change
	}
	// edit replaces a text of group.yaml, and returns what puts it back.
	edit := func(t *testing.T, before, after string) (undo func()) {
		t.Helper()
		file := filepath.Join(root, "apis/watch/group.yaml")
		text, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(text), before) {
			t.Fatalf("%s has no %s: %v\n%s", file, before, err, text)
		}
		write(t, file, strings.Replace(string(text), before, after, 1))
		return func() { write(t, file, string(text)) }
	}

	documents := map[string]string{
		"2020-02-02": "insights", "2021-05-01-preview": "monitor_1", "2022-06-15": "insights", "2024-04-01": "portal_0 portal_2",
		"2025-09-01": "new", "2026-01-01": "monitor_1",
	}
	hubs := map[string]string{
		"Alert": "v20260101storage", "Cluster": "v20250901storage", "Component": "v20200202storage", "Pilot": "v20240401storage",
		"Setting": "v20210501alpha1storage", "Test": "v20220615storage",
	}
	t.Run("add takes each kind at its own newest version, from each folder that has it there", func(t *testing.T) {
		change, err := Plan(Request{Repository: Repository{Root: root}, Specs: specs, Provider: "Microsoft.Watch"})
		if err != nil {
			t.Fatal(err)
		}
		if err := change.Write(root); err != nil {
			t.Fatal(err)
		}
		check(t, documents, hubs)
	})
	t.Run("an update changes nothing where each kind has its newest version", func(t *testing.T) {
		if change := update(t, Update{Stable: 1, Preview: true}); len(change.Files) > 0 {
			t.Errorf("it writes %v", slices.Collect(maps.Keys(change.Files)))
		}
		check(t, documents, hubs)
	})
	t.Run("an older version that a kind lacks is no newest one", func(t *testing.T) {
		change := update(t, Update{Stable: 2})
		if diff := cmp.Diff([]string{"2015-05-01", "2018-03-01", "2023-03-15"}, change.added); diff != "" {
			t.Error(diff)
		}
		documents["2015-05-01"], documents["2018-03-01"], documents["2023-03-15"] = "insights", "monitor_1", "old"
		check(t, documents, hubs)
	})
	t.Run("a new version of one kind moves the hub of that kind alone", func(t *testing.T) {
		publish("insights", "2025-01-01", "components")
		change := update(t, Update{Stable: 1})
		if diff := cmp.Diff([]string{"2025-01-01"}, change.added); diff != "" {
			t.Error(diff)
		}
		documents["2025-01-01"], hubs["Component"] = "insights", "v20250101storage"
		check(t, documents, hubs)
	})
	t.Run("a new version in a folder that the group did not have", func(t *testing.T) {
		publish("newest", "2026-01-01", "clusters", "elsewhere")
		for _, want := range [][]string{{"2026-01-01"}, nil} { // the group has the version, but not of this kind
			change := update(t, Update{APIVersion: "2026-01-01"})
			if !slices.Equal(change.added, want) || want == nil && len(change.Files) > 0 {
				t.Errorf("added %v, want %v; it writes %v", change.added, want, slices.Collect(maps.Keys(change.Files)))
			}
		}
		documents["2026-01-01"], hubs["Cluster"] = "monitor_1 newest", "v20260101storage"
		check(t, documents, hubs)
	})
	t.Run("a stable version takes the hub from a preview", func(t *testing.T) {
		publish("monitor_1", "2021-01-01", "settings")
		chosen := edit(t, "settings: {kind: Setting}", `settings: {kind: Setting, hub: "2021-05-01-preview"}`)
		if change := update(t, Update{Stable: 1}); len(change.Files) > 0 {
			t.Errorf("a person chose the preview as hub, and it adds %v", change.added)
		}
		chosen()
		update(t, Update{Stable: 1})
		documents["2021-01-01"], hubs["Setting"] = "monitor_1", "v20210101storage"
		check(t, documents, hubs)
	})
}
