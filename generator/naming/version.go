package naming

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/armature-dev/armature/generator/diag"
)

// Version is an ARM API version: a date, and a suffix that makes it a preview.
type Version struct {
	// Date is the date, such as "2021-04-01".
	Date string
	// Suffix is the text after the date, such as "preview", or "" for a GA version.
	Suffix string
}

var versionForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\d{4}-\d{2}-\d{2})(?:-([a-z][a-z0-9]*))?$`)
})

// ParseVersion parses an ARM API version.
func ParseVersion(version string) (Version, error) {
	m := versionForm().FindStringSubmatch(version)
	if m == nil {
		return Version{}, fmt.Errorf("%q is not an ARM API version: expected a date such as 2021-04-01, or one with "+
			"a suffix such as 2021-04-01-preview", version)
	}
	if _, err := time.Parse(time.DateOnly, m[1]); err != nil {
		return Version{}, fmt.Errorf("%q is not an ARM API version: there is no day %s", version, m[1])
	}
	return Version{Date: m[1], Suffix: m[2]}, nil
}

// String returns ARM's spelling.
func (v Version) String() string {
	if v.Suffix == "" {
		return v.Date
	}
	return v.Date + "-" + v.Suffix
}

// Preview reports whether the version has a suffix, and so is not a GA version.
func (v Version) Preview() bool { return v.Suffix != "" }

// stage orders the versions of one date: previews with an unusual suffix, such
// as "privatepreview", then the one with the suffix "preview", then GA.
func (v Version) stage() int {
	switch v.Suffix {
	case "":
		return 2
	case "preview":
		return 1
	}
	return 0
}

// Compare orders versions by date. Of one date, previews come before the GA
// version, and the one with the suffix "preview" comes last among them.
func (v Version) Compare(o Version) int {
	return cmp.Or(cmp.Compare(v.Date, o.Date), cmp.Compare(v.stage(), o.stage()), cmp.Compare(v.Suffix, o.Suffix))
}

// CompareDefault orders versions by how well each serves a client that asks for
// none: previews with an unusual suffix, previews, then GA versions, each by date.
func (v Version) CompareDefault(o Version) int {
	return cmp.Or(cmp.Compare(v.stage(), o.stage()), v.Compare(o))
}

// CompareVersions orders ARM API versions as [Version.Compare] does. Strings that
// are not versions come first, in alphabetical order.
func CompareVersions(a, b string) int {
	v, w := parseOnce(a), parseOnce(b)
	switch {
	case v == nil && w == nil:
		return cmp.Compare(a, b)
	case v == nil:
		return -1
	case w == nil:
		return 1
	}
	return v.Compare(*w)
}

// parsed has the results of parseOnce by version.
var parsed sync.Map

// parseOnce returns the parsed version, or nil for a string that is not one. It
// keeps the results, because a plan compares the same few versions thousands of
// times.
func parseOnce(text string) *Version {
	if v, ok := parsed.Load(text); ok {
		return v.(*Version)
	}
	var result *Version
	if v, err := ParseVersion(text); err == nil {
		result = &v
	}
	parsed.Store(text, result)
	return result
}

// Patterns has the patterns of the Kubernetes names of ARM API versions, which
// are the names of Go packages too. In each, {date} stands for the date without
// hyphens.
type Patterns struct {
	GA, Preview string
	// OtherPreview is for previews whose suffix is not "preview", such as
	// 2018-06-01-privatepreview. There may be a preview of the same date.
	OtherPreview string
}

// Default has patterns by which Kubernetes serves to a client that asks for no
// version the newest GA version, else the newest preview, else the newest of the
// other previews: Kubernetes prefers a version without a word to one with "alpha", then
// the greater number before the word, then the greater one after it.
var Default = Patterns{GA: "v{date}", Preview: "v{date}alpha1", OtherPreview: "v0alpha{date}"}

var versionName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9]*$`) })

// Name returns the Kubernetes name of an ARM API version.
func (p Patterns) Name(v Version) (string, error) {
	pattern := [...]string{p.OtherPreview, p.Preview, p.GA}[v.stage()]
	if !strings.Contains(pattern, "{date}") {
		return "", fmt.Errorf("the version name %q lacks {date}, so all versions would have one name", pattern)
	}
	name := strings.ReplaceAll(pattern, "{date}", compact(v))
	if !versionName().MatchString(name) {
		return "", fmt.Errorf("the version name %q makes %q, which is no Kubernetes version and Go package; "+
			"expected small letters and digits", pattern, name)
	}
	return name, nil
}

// Names returns the Kubernetes names of ARM API versions, in their order. Its
// error lists every string that is not a version, and all versions that would
// get the same name.
func (p Patterns) Names(versions []string) ([]string, error) {
	var errs diag.List
	names := make([]string, len(versions))
	for i, version := range versions {
		v, err := ParseVersion(version)
		if err == nil {
			names[i], err = p.Name(v)
		}
		if err != nil {
			errs.Merge(err)
			continue
		}
		if j := slices.Index(names[:i], names[i]); j >= 0 {
			errs.Addf("", 0, 0, "the versions %s and %s both come to the name %s; publish one of them", versions[j], version, names[i])
		}
	}
	return names, errs.Err()
}

// Alias returns the name of a version under an older prefix. It keeps the suffix
// of a preview, because the GA version of the same date may have that prefix too.
func Alias(prefix string, v Version) string { return prefix + compact(v) + v.Suffix }

func compact(v Version) string { return strings.ReplaceAll(v.Date, "-", "") }
