// Package lock compares the plan of a service group with the choices that a person
// accepted: the hubs, links and published versions in lock.bzl, and the changes of
// properties. Its main type is [Lock].
package lock

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/internal/bazel"
	"github.com/armature-dev/armature/runtime/apiversion"
)

// Lock is the content of a lock file: the conversion graph that a person accepted.
type Lock struct {
	// Resources has the resources by kind.
	Resources map[string]Resource `json:"resources"`
	// Links has the storage packages that each storage package converts with, and
	// therefore imports. The build graph needs them before any plan is made. A
	// package that imports none is absent.
	Links map[string][]string `json:"links"`
	// Names has the names of properties that share or shared a name with another one,
	// by type and ARM's name as under names in group.yaml. They stay as they are,
	// whatever later versions bring.
	Names map[string]map[string]string `json:"names,omitempty"`
}

// Resource is a resource in a lock.
type Resource struct {
	// Hub is the storage version at which objects are stored.
	Hub string `json:"hub"`
	// Versions are the API versions that the CRD serves, without aliases, by date.
	// Manifests and clients may use them.
	Versions []string `json:"versions"`
	// Digests has a digest of what the package and the CRD declare, for each of Versions.
	Digests map[string]string `json:"digests,omitempty"`
	// Former are the storage versions that were the hub before, the oldest first.
	// Objects may still be stored at them. The CRD serves the last one, because the
	// operator of the release before works at it.
	Former []string `json:"former,omitempty"`
	// Aliases are the storage versions of the alias versions that the CRD lists.
	// Clients and stored objects may use those.
	Aliases []string `json:"aliases,omitempty"`
	// Released are the storage versions of the alias versions that the CRD lists no
	// longer. A person moves them here from Aliases when nothing uses them any
	// longer. Then the group can drop them.
	Released []string `json:"released,omitempty"`
}

// Lists reports whether the CRD of the resource lists a storage version that is not
// the hub, and for an alias the alias version too.
func (r Resource) Lists(name string) bool {
	return slices.Contains(r.Former, name) || slices.Contains(r.Aliases, name)
}

// lockStart precedes the JSON in a lock file. The build reads the file as Starlark,
// which has the same syntax for it.
const lockStart = "LOCK = "

// Parse parses the text of a lock file. An empty lock is "LOCK = {}".
func Parse(file string, text []byte) (*Lock, error) {
	start := bytes.Index(text, []byte("\n"+lockStart)) + 1
	if !bytes.HasPrefix(text[start:], []byte(lockStart)) {
		return nil, diag.Error{
			File:    file,
			Message: fmt.Sprintf("no line starts with %q; an empty lock file has the line \"LOCK = {}\"", lockStart),
		}
	}
	start += len(lockStart)
	d := json.NewDecoder(bytes.NewReader(text[start:]))
	d.DisallowUnknownFields()
	lock := new(Lock)
	err := d.Decode(lock)
	if err == nil && len(bytes.TrimSpace(text[start+int(d.InputOffset()):])) > 0 {
		err = fmt.Errorf("text after the end of LOCK")
	}
	if err != nil {
		line, column := 0, 0
		if offset := errorOffset(err); offset > 0 {
			line, column = diag.Position(text, int64(start)+offset-1)
		}
		return nil, diag.Error{
			File: file, Line: line, Column: column,
			Message: fmt.Sprintf("%v; a lock file is written by lock.update, never by hand", err),
		}
	}
	return lock, nil
}

// errorOffset returns the number of bytes before the place of a decoding error, or 0
// if err does not say.
func errorOffset(err error) int64 {
	switch err := err.(type) {
	case *json.SyntaxError:
		return err.Offset
	case *json.UnmarshalTypeError:
		return err.Offset
	}
	return 0
}

// Read reads a lock file. It returns the text too, in which [Check] looks for the
// positions of errors.
func Read(file string) (*Lock, []byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	lock, err := Parse(file, text)
	return lock, text, err
}

// Format returns the text of a lock file. The group's folder is dir.
func (l *Lock) Format(dir string) ([]byte, error) {
	content, err := json.MarshalIndent(l, "", "    ")
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "\"\"\"Hubs and links of the group. Written by //%s:lock.update; do not edit.\"\"\"\n\n%s%s\n",
		dir, lockStart, content), nil
}

// UpdateCommand returns the command that accepts a plan.
func UpdateCommand(dir string) string { return bazel.Run("//" + dir + ":lock.update") }

// Release moves alias versions from Aliases to Released, in every resource that has
// them. Each is named by its API package or its storage package.
func (l *Lock) Release(file string, names ...string) error {
	var errs diag.List
	for _, name := range names {
		version, _ := apiversion.CutStorage(name)
		storage := apiversion.Storage(version)
		found := false
		for kind, r := range l.Resources {
			found = found || slices.Contains(r.Aliases, storage) || slices.Contains(r.Released, storage)
			if slices.Contains(r.Aliases, storage) {
				var kept []string
				for _, alias := range r.Aliases {
					if alias != storage {
						kept = append(kept, alias)
					}
				}
				r.Aliases, r.Released = kept, append(slices.Clone(r.Released), storage)
				slices.Sort(r.Released)
				l.Resources[kind] = r
			}
		}
		if listed := l.listed(); !found {
			errs.Addf(file, 0, 0, "no resource has the alias version %s%s; the lock lists %s", name,
				diag.DidYouMean(version, listed), list(listed))
		}
	}
	return errs.Err()
}

// listed returns the alias versions that some CRD lists, by their API packages.
func (l *Lock) listed() []string {
	var names []string
	for _, kind := range slices.Sorted(maps.Keys(l.Resources)) {
		for _, alias := range l.Resources[kind].Aliases {
			version, _ := apiversion.CutStorage(alias)
			names = append(names, version)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// New returns the lock that accepts a plan, and what the resources declare. A hub of
// the old lock that is not the hub any longer becomes a former hub, unless its package
// is gone: then nothing can read objects that are stored at it. An alias version whose
// package is gone stays until somebody releases it.
func New(packages []*plan.Package, digests Digests, old *Lock) *Lock {
	lock := &Lock{
		Resources: map[string]Resource{}, Links: map[string][]string{},
		Names: names(packages, old),
	}
	for _, p := range packages {
		if p.Role == plan.Storage && len(p.Neighbours) > 0 {
			lock.Links[p.Name] = neighbours(p)
		}
	}
	for kind, hub := range hubs(packages) {
		before := old.Resources[kind]
		var former []string
		for _, name := range append(slices.Clone(before.Former), before.Hub) {
			if name != hub && !slices.Contains(former, name) && hasStorage(packages, name, kind) {
				former = append(former, name)
			}
		}
		locked := Resource{
			Hub: hub, Versions: served(packages, kind), Digests: digests.declared(packages, kind), Former: former,
		}
		for _, name := range aliases(packages, kind) {
			if slices.Contains(before.Released, name) {
				locked.Released = append(locked.Released, name)
			} else {
				locked.Aliases = append(locked.Aliases, name)
			}
		}
		for _, name := range before.Aliases {
			if !hasStorage(packages, name, kind) {
				locked.Aliases = append(locked.Aliases, name)
			}
		}
		slices.Sort(locked.Aliases)
		lock.Resources[kind] = locked
	}
	return lock
}

func hasStorage(packages []*plan.Package, name, kind string) bool {
	return slices.ContainsFunc(packages,
		func(p *plan.Package) bool { return p.Name == name && p.Role == plan.Storage && p.Resource(kind) != nil })
}

// aliases returns the storage versions of a kind's alias versions.
func aliases(packages []*plan.Package, kind string) []string {
	var names []string
	for _, p := range packages {
		if p.Alias && p.Role == plan.Storage && p.Resource(kind) != nil {
			names = append(names, p.Name)
		}
	}
	return names
}

// hubs returns the packages of the hubs, by kind.
func hubs(packages []*plan.Package) map[string]string {
	hubs := map[string]string{}
	for _, p := range packages {
		for _, r := range p.Resources {
			if r.Hub {
				hubs[r.Kind] = p.Name
			}
		}
	}
	return hubs
}

// served returns the API versions at which the CRD of a kind serves it, without
// aliases, by date.
func served(packages []*plan.Package, kind string) []string {
	var versions []*plan.Package
	for _, p := range packages {
		if p.Role == plan.API && !p.Alias && !p.Retired && p.Resource(kind) != nil {
			versions = append(versions, p)
		}
	}
	slices.SortFunc(versions, func(x, y *plan.Package) int { return naming.CompareVersions(x.APIVersion, y.APIVersion) })
	var names []string
	for _, p := range versions {
		names = append(names, p.Name)
	}
	return names
}

// neighbours returns the names of the packages that a package converts with.
func neighbours(p *plan.Package) []string {
	var names []string
	for _, n := range p.Neighbours {
		names = append(names, n.Name)
	}
	return names
}

// CheckNeighbours returns an error unless a storage package converts with those
// packages that BUILD lets it import. dir is the group's folder.
func CheckNeighbours(p *plan.Package, declared []string, dir string) error {
	want, got := neighbours(p), slices.Sorted(slices.Values(declared))
	if slices.Equal(got, want) {
		return nil
	}
	return diag.Error{File: dir + "/lock.bzl", Message: fmt.Sprintf("the lock says that %s converts with %s, and "+
		"the plan that it converts with %s; write the lock anew with: %s",
		p.Name, list(got), list(want), UpdateCommand(dir))}
}

// lockChecker compares a lock with a plan.
type lockChecker struct {
	packages []*plan.Package
	lock     *Lock
	dir      string
	file     string
	text     []byte
	errs     diag.List
}

// Check compares a plan, and what the resources declare, with a lock. It returns an error for each difference, with
// its position in the lock's file, whose text is given. The group's folder is dir.
func Check(packages []*plan.Package, digests Digests, lock *Lock, dir, file string, text []byte) error {
	c := &lockChecker{packages: packages, lock: lock, dir: dir, file: file, text: text}
	want := New(packages, digests, lock)
	for _, kind := range slices.Sorted(maps.Keys(want.Resources)) {
		if got, locked := lock.Resources[kind]; locked {
			c.resource(kind, got, want.Resources[kind])
		} else {
			c.accept(kind, "the resource %s is new, with the hub %s", kind, want.Resources[kind].Hub)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(lock.Resources)) {
		if _, planned := want.Resources[kind]; !planned {
			c.accept(kind, "the resource %s is gone, and with it the hub %s: what is stored of it cannot be read", kind,
				lock.Resources[kind].Hub)
		}
	}
	c.links(want)
	c.names(want)
	c.digests(want)
	return c.errs.Err()
}

// addf adds an error at a key of the lock and, if it is not "", a name below it.
func (c *lockChecker) addf(key, name, format string, args ...any) {
	line, column := 0, 0
	if at := bytes.Index(c.text, fmt.Appendf(nil, "%q:", key)); at >= 0 {
		if i := bytes.Index(c.text[at:], fmt.Appendf(nil, "%q", name)); name != "" && i >= 0 {
			at += i
		}
		line, column = diag.Position(c.text, int64(at))
	}
	c.errs.Addf(c.file, line, column, format, args...)
}

// accept adds an error that lock.update removes.
func (c *lockChecker) accept(key, format string, args ...any) {
	c.addf(key, "", format+"; accept it with: "+UpdateCommand(c.dir), args...)
}

// resource compares a resource that is in both.
func (c *lockChecker) resource(kind string, got, want Resource) {
	unknown := false
	for _, name := range append([]string{got.Hub}, got.Former...) {
		if !hasStorage(c.packages, name, kind) {
			unknown = true
			c.addf(kind, name, "the lock says that %s is stored at %s, and the group has no such version of it%s; "+
				"if it had, bring it back, for nothing else can read what is stored there, or accept the loss with: %s",
				kind, name, diag.DidYouMean(name, storageNames(c.packages, kind)), UpdateCommand(c.dir))
		}
	}
	switch {
	case unknown:
	case got.Hub != want.Hub:
		c.accept(kind, "the hub of %s would change from %s to %s: what is stored at %s must be migrated before that "+
			"version can go", kind, got.Hub, want.Hub, got.Hub)
	case !slices.Equal(got.Former, want.Former):
		c.accept(kind, "the former hubs of %s would change from %s to %s: nothing can read what is stored at the "+
			"others", kind, list(got.Former), list(want.Former))
	}
	c.versions(kind, got.Versions, want.Versions)
	for _, name := range want.Aliases {
		if !slices.Contains(got.Aliases, name) {
			c.accept(kind, "%s has the alias %s, which is new", kind, name)
		}
	}
	for _, name := range got.Aliases {
		if version, _ := apiversion.CutStorage(name); !hasStorage(c.packages, name, kind) {
			c.addf(kind, name, "%s has no alias %s, and the lock has not released it: clients and stored objects "+
				"may have it%s; when nothing has, release it with: %s -- --release=%s",
				kind, name, diag.DidYouMean(name, aliases(c.packages, kind)), UpdateCommand(c.dir), version)
		}
	}
}

// versions compares the API versions at which a CRD serves its kind.
func (c *lockChecker) versions(kind string, got, want []string) {
	added := slices.DeleteFunc(slices.Clone(want), func(name string) bool { return slices.Contains(got, name) })
	if len(added) > 0 {
		c.accept(kind, "%s is new at %s", kind, list(added))
	}
	for _, name := range got {
		if slices.Contains(want, name) {
			continue
		}
		where := fmt.Sprintf("the lock says that %s is served at %s", kind, name)
		if i := slices.IndexFunc(c.packages,
			func(p *plan.Package) bool { return p.Name == name && p.Retired && p.Resource(kind) != nil }); i >= 0 {
			c.addf(kind, name, "%s, and group.yaml retires %s: manifests and clients that have it will be refused; "+
				"accept it with: %s", where, c.packages[i].APIVersion, UpdateCommand(c.dir))
			continue
		}
		c.addf(kind, name, "%s, and the group has no such version of it%s; if it had, bring it back, and list it in "+
			"group.yaml below retired to stop serving it, or else what was written at it cannot be sent to ARM any "+
			"longer; accept the loss with: %s",
			where, diag.DidYouMean(name, want), UpdateCommand(c.dir))
	}
}

// storageNames returns the storage versions of a kind without those of aliases.
func storageNames(packages []*plan.Package, kind string) []string {
	var names []string
	for _, p := range packages {
		if !p.Alias && p.Role == plan.Storage && p.Resource(kind) != nil {
			names = append(names, p.Name)
		}
	}
	return names
}

// links compares the neighbours of the packages.
func (c *lockChecker) links(want *Lock) {
	var changed []string
	for _, name := range slices.Sorted(maps.Keys(union(want.Links, c.lock.Links))) {
		got, want := c.lock.Links[name], want.Links[name]
		if want == nil && c.released(name) {
			continue // its package may go without another change of the lock
		}
		if !slices.Equal(got, want) {
			changed = append(changed, fmt.Sprintf("%s converts with %s, in the lock with %s", name, list(want), list(got)))
		}
	}
	if len(changed) > 0 {
		c.accept("links", "the links in the lock are not those of the plan: %s", strings.Join(changed, "; "))
	}
}

// released reports whether the lock has released an alias version.
func (c *lockChecker) released(storage string) bool {
	for _, r := range c.lock.Resources {
		if slices.Contains(r.Released, storage) {
			return true
		}
	}
	return false
}

func union[V any](x, y map[string]V) map[string]V {
	both := maps.Clone(x)
	maps.Copy(both, y)
	return both
}

func list(names []string) string { return cmp.Or(strings.Join(names, " and "), "none") }
