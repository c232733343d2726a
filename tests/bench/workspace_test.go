package bench

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/armature-dev/armature/generator/plan/lock"
	"github.com/armature-dev/armature/internal/specs"
	workspaces "github.com/armature-dev/armature/tests/bazel/workspace"
)

// The size of all of Azure, about.
const (
	allGroups   = 170
	allVersions = 900
)

// BenchmarkWorkspace makes a workspace as large as all of Azure of copies of the
// service groups, and reports the time of its analysis by a new server, that
// server's heap, and the time of a build when nothing has changed. What is built are
// the CRDs, since it would take hours to compile the packages.
func BenchmarkWorkspace(b *testing.B) {
	r := open(b)
	w := workspaces.Open(b, "bench")
	groups, versions := copies(b, r)
	files := map[string]string{}
	for _, f := range w.Files(b, ".") {
		group, isAPI := strings.CutPrefix(f, "apis/")
		group, rest, isGroup := strings.Cut(group, "/")
		if !isAPI || !isGroup {
			if !workspaces.IsTest(f) {
				files[f] = f
			}
			continue
		}
		for _, name := range groups[group] {
			files[filepath.Join("apis", name, rest)] = f
		}
	}
	w.Fill(b, files)
	bazel := func(args ...string) (time.Duration, string) {
		var out, errs bytes.Buffer
		cmd := w.Command(args...)
		if folder := specs.Folder(); folder != "" {
			cmd.Env = append(cmd.Env, "ARMATURE_SPECS="+folder)
		}
		cmd.Stdout, cmd.Stderr = &out, &errs
		start := time.Now()
		if err := cmd.Run(); err != nil {
			b.Fatalf("bazelw %s: %v\n%s", strings.Join(args, " "), err, &errs)
		}
		return time.Since(start), strings.TrimSpace(out.String())
	}
	generate := []string{"build", "--symlink_prefix=/", "--noremote_upload_local_results"}
	for _, names := range groups {
		for _, name := range names {
			generate = append(generate, "//apis/"+name+":crds")
		}
	}
	analyze := []string{"build", "--symlink_prefix=/", "--nobuild", "//apis/..."}
	bazel(analyze...) // fetches what the repository needs
	var cold, again, noOp time.Duration
	var heap int
	for b.Loop() {
		bazel("shutdown")
		cold, _ = bazel(analyze...)
		again, _ = bazel(analyze...)
		_, text := bazel("info", "used-heap-size-after-gc")
		var err error
		if heap, err = strconv.Atoi(strings.TrimSuffix(text, "MB")); err != nil {
			b.Fatal(err)
		}
		bazel(generate...)
		noOp, _ = bazel(generate...)
	}
	b.ReportMetric(0, "ns/op") // that of a loop says nothing
	b.ReportMetric(allGroups, "groups")
	b.ReportMetric(float64(versions), "versions")
	b.ReportMetric(cold.Seconds(), "cold-s")
	b.ReportMetric(again.Seconds(), "again-s")
	b.ReportMetric(float64(heap), "heap-MB")
	b.ReportMetric(noOp.Seconds(), "no-op-s")
}

// copies returns the names of the copies of each group, and how many versions these
// have together. Large and small groups take turns, so that it comes to the number
// of versions that Azure has.
func copies(b *testing.B, r repository) (names map[string][]string, versions int) {
	b.Helper()
	files, err := filepath.Glob(filepath.Join(r.root, "apis", "*", "lock.bzl"))
	if err != nil {
		b.Fatal(err)
	}
	count := map[string]int{}
	for _, file := range files {
		locked, _, err := lock.Read(file)
		if err != nil {
			b.Fatal(err)
		}
		has := map[string]bool{}
		for _, resource := range locked.Resources {
			for _, version := range resource.Versions {
				has[version] = true
			}
		}
		count[filepath.Base(filepath.Dir(file))] = len(has)
	}
	delete(count, "crm") // made up, with every peculiarity that there is
	delete(count, "depot")
	groups := slices.SortedFunc(maps.Keys(count), func(x, y string) int {
		return cmp.Or(count[y]-count[x], strings.Compare(x, y))
	})
	halves := [][]string{groups[:len(groups)/2], groups[len(groups)/2:]}
	names = map[string][]string{}
	for i := range allGroups {
		half := 0
		if versions >= allVersions*(i+1)/allGroups {
			half = 1
		}
		group := halves[half][0]
		halves[half] = append(halves[half][1:], group)
		names[group] = append(names[group], fmt.Sprintf("%s%d", group, len(names[group])+1))
		versions += count[group]
	}
	return names, versions
}
