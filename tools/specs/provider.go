package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/tools/specs/digests"
	"github.com/armature-dev/armature/tools/specs/layout"
)

// CheckoutProvider does what [Checkout] does, and fetches in addition the documents of a provider, with what these
// refer to, and the index of the bicep types. It returns the digests of what was not pinned, by checkout.
func CheckoutProvider(ctx context.Context, root string, pins []Pin, provider string, stderr io.Writer,
) (added map[string]map[string]string, err error) {
	added = map[string]map[string]string{}
	return added, alone(root, func() error {
		trees, err := open(ctx, root, pins, stderr)
		if err != nil {
			return err
		}
		all, index, err := list(ctx, trees)
		if err != nil {
			return err
		}
		p := all[strings.ToLower(provider)]
		if p == nil {
			return fmt.Errorf("none of %s has the provider %s at its commit%s", strings.Join(folders(pins), ", "), provider,
				all.Unknown(provider))
		}
		if err := incomplete(root, pins); err != nil {
			return err
		}
		chosen := append(choose(p, index), layout.Index)
		for _, t := range trees {
			pinned := t.pin.Digests
			if err := t.follow(ctx, chosen); err != nil {
				return fmt.Errorf("%s: %w", t.pin.Folder, err)
			}
			added[t.pin.Folder] = maps.Clone(t.pin.Digests)
			maps.DeleteFunc(added[t.pin.Folder], func(name, _ string) bool { return pinned[name] != "" })
		}
		return nil
	})
}

// list returns what the commits have of each provider, and the versions of each resource type in the index of the bicep
// types.
func list(ctx context.Context, trees []*tree) (layout.Providers, map[string][]string, error) {
	all := layout.Providers{}
	var index map[string][]string
	for _, t := range trees {
		text, err := git(ctx, t.dir, "ls-tree", "-r", "-z", "--name-only", t.commit)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", t.pin.Folder, err)
		}
		t.files = map[string]bool{}
		for name := range strings.SplitSeq(strings.TrimSuffix(text, "\x00"), "\x00") {
			t.files[name] = true
			all.Add(t.pin.Folder + "/" + name)
		}
		name, isTypes := strings.CutPrefix(layout.Index, t.pin.Folder+"/")
		if !isTypes || !t.files[name] {
			continue
		}
		if text, err = git(ctx, t.dir, "cat-file", "blob", t.commit+":"+name); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", t.pin.Folder, err)
		}
		if index, err = layout.ReadIndex([]byte(text)); err != nil {
			return nil, nil, err
		}
	}
	return all, index, nil
}

// choose returns the documents of a provider that tools/add may read: those of the newest versions of each resource
// type, and the newest ones of each document, because the other sources have no index.
func choose(p *layout.Provider, index map[string][]string) []string {
	wanted := map[string]bool{} // versions
	for armType, versions := range index {
		if of, _, _ := strings.Cut(armType, "/"); strings.EqualFold(of, p.Name) {
			for _, v := range layout.Newest(versions) {
				wanted[v] = true
			}
		}
	}
	versions := map[string][]string{} // of each document
	for _, v := range slices.SortedFunc(maps.Keys(p.Versions), naming.CompareVersions) {
		for _, name := range p.Versions[v] {
			place, _ := layout.Of(name)
			versions[place.Document] = append(versions[place.Document], v)
		}
	}
	var chosen []string
	for v, names := range p.Versions {
		for _, name := range names {
			place, _ := layout.Of(name)
			if wanted[v] || slices.Contains(layout.Newest(versions[place.Document]), v) {
				chosen = append(chosen, name)
			}
		}
	}
	return chosen
}

// follow completes a checkout with some documents, whose names begin with its folder, and with all that they refer to.
func (t *tree) follow(ctx context.Context, documents []string) error {
	more := map[string]bool{}
	var next []string
	add := func(name string) {
		if t.files[name] && t.pin.Digests[name] == "" && !more[name] {
			more[name] = true
			next = append(next, name)
		}
	}
	for _, name := range documents {
		if name, found := strings.CutPrefix(name, t.pin.Folder+"/"); found {
			add(name)
		}
	}
	for len(next) > 0 {
		if err := t.fill(ctx, append(slices.Collect(maps.Keys(t.pin.Digests)), slices.Collect(maps.Keys(more))...)); err != nil {
			return err
		}
		arrived := next
		next = nil
		for _, name := range arrived {
			text, err := os.ReadFile(filepath.Join(t.dir, filepath.FromSlash(name)))
			if err != nil {
				return err
			}
			var document any
			if err := json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &document); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			eachRef(document, "", func(ref string) { add(target(name, ref)) })
		}
	}
	return t.complete(ctx, slices.Sorted(maps.Keys(more)))
}

// eachRef calls f with each reference in a document. Of the examples those of PUT are of use: they have what requests
// have.
func eachRef(value any, operation string, f func(ref string)) {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			eachRef(item, "", f)
		}
	case map[string]any:
		for key, member := range value {
			if ref, ok := member.(string); ok && key == "$ref" {
				f(ref)
			}
			if key != "x-ms-examples" || operation == "put" {
				eachRef(member, key, f)
			}
		}
	}
}

// target returns the name of the file that a reference in a file names. The published JSON schemas refer to each
// other by URL.
func target(from, ref string) string {
	file, _, _ := strings.Cut(ref, "#")
	if _, rest, isURL := strings.Cut(file, "://"); isURL {
		_, name, _ := strings.Cut(rest, "/")
		return name
	}
	return path.Join(path.Dir(from), file)
}

// writeOwn adds digests to those that a repository pins, and returns the number of files that they are of. It writes
// all lists beside their places first.
func writeOwn(workspace string, added map[string]map[string]string) (n int, err error) {
	texts := map[string]string{} // by place
	for checkout, files := range added {
		own, err := digests.ReadPins(workspace, checkout)
		if err != nil {
			return 0, err
		}
		if len(files) > 0 {
			maps.Copy(own, files)
			texts[filepath.Join(workspace, digests.PinsFile(checkout))] = digests.Format(own)
		}
		n += len(files)
	}
	defer func() {
		for place := range texts {
			os.Remove(place + ".new")
		}
	}()
	for place, text := range texts {
		if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
			return 0, err
		}
		if err := os.WriteFile(place+".new", []byte(text), 0o644); err != nil {
			return 0, err
		}
	}
	for place := range texts {
		if err := os.Rename(place+".new", place); err != nil {
			return 0, err
		}
	}
	return n, nil
}
