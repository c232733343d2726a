package naming

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/version"
)

func TestParseVersion(t *testing.T) {
	for _, test := range []struct{ version, suffix, err, reason string }{
		{"2021-04-01", "", "", "GA"},
		{"2021-04-01-preview", "preview", "", "preview"},
		{"2021-04-01-privatepreview", "privatepreview", "", "also a preview"},
		{"2021-04-01-beta1", "beta1", "", "also a preview"},
		{"2024-02-29", "", "", "a leap day"},
		{"2023-02-29", "", `"2023-02-29" is not an ARM API version: there is no day 2023-02-29`, "no leap day"},
		{"7.1", "",
			`"7.1" is not an ARM API version: expected a date such as 2021-04-01, or one with a suffix such as 2021-04-01-preview`,
			"a data plane's version"},
		{"2021-4-1", "",
			`"2021-4-1" is not an ARM API version: expected a date such as 2021-04-01, or one with a suffix such as 2021-04-01-preview`,
			"one digit"},
		{"2021-04-01-", "",
			`"2021-04-01-" is not an ARM API version: expected a date such as 2021-04-01, or one with a suffix such as 2021-04-01-preview`,
			"an empty suffix"},
		{"2021-04-01-Preview", "",
			`"2021-04-01-Preview" is not an ARM API version: expected a date such as 2021-04-01, or one with a suffix such as 2021-04-01-preview`,
			"ARM spells suffixes small"},
	} {
		v, err := ParseVersion(test.version)
		if test.err != "" {
			if err == nil || err.Error() != test.err {
				t.Errorf("%s: got %v, %v, want error %s", test.reason, v, err, test.err)
			}
			continue
		}
		if err != nil || v.Suffix != test.suffix || v.Preview() != (test.suffix != "") || v.String() != test.version {
			t.Errorf("%s: got %#v, %v", test.reason, v, err)
		}
	}
}

func TestCompareVersions(t *testing.T) {
	want := []string{
		"latest", "2013-03-03", "2014-04-04-alpha", "2014-04-04-privatepreview", "2014-04-04-preview", "2014-04-04", "2015-01-01-preview",
	}
	got := slices.Clone(want)
	slices.Sort(got)
	slices.SortFunc(got, CompareVersions)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, v := range want {
		if CompareVersions(v, v) != 0 {
			t.Errorf("%s differs from itself", v)
		}
	}
}

func TestNames(t *testing.T) {
	names, err := Default.Names([]string{"2020-06-01", "2021-04-01-preview", "2021-04-01", "2021-04-01-privatepreview"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"v20200601", "v20210401alpha1", "v20210401", "v0alpha20210401"}, names); diff != "" {
		t.Error(diff)
	}
	for v, want := range map[string]string{"2014-04-04": "v1alpha1api20140404", "2014-04-04-preview": "v1alpha1api20140404preview"} {
		parsed, err := ParseVersion(v)
		if got := Alias("v1alpha1api", parsed); err != nil || got != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
}

func TestNamesErrors(t *testing.T) {
	for _, test := range []struct {
		reason   string
		patterns Patterns
		versions []string
		want     string
	}{
		{"one name", Default, []string{"2021-04-01-alpha", "2021-04-01-beta"},
			"the versions 2021-04-01-alpha and 2021-04-01-beta both come to the name v0alpha20210401; publish one of them"},
		{"GA and preview by one pattern", Patterns{GA: "v1api{date}", Preview: "v1api{date}"}, []string{"2021-04-01", "2021-04-01-preview"},
			"the versions 2021-04-01 and 2021-04-01-preview both come to the name v1api20210401; publish one of them"},
		{"no date in the pattern", Patterns{GA: "v1", Preview: "v{date}alpha1"}, []string{"2021-04-01"},
			`the version name "v1" lacks {date}, so all versions would have one name`},
		{"not a Go package", Patterns{GA: "v1-{date}"}, []string{"2021-04-01"},
			`the version name "v1-{date}" makes "v1-20210401", which is no Kubernetes version and Go package; expected small letters and digits`},
		{"all errors at once", Default, []string{"x", "y"},
			"\"x\" is not an ARM API version: expected a date such as 2021-04-01, or one with a suffix such as 2021-04-01-preview\n" +
				"\"y\" is not an ARM API version: expected a date such as 2021-04-01, or one with a suffix such as 2021-04-01-preview"},
	} {
		if _, err := test.patterns.Names(test.versions); err == nil || err.Error() != test.want {
			t.Errorf("%s: got error %v, want %s", test.reason, err, test.want)
		}
	}
}

// TestKubernetesOrder tests that Kubernetes prefers the newest GA version, then
// the newest preview, and storage and alias versions last.
func TestKubernetesOrder(t *testing.T) {
	want := []string{
		"v20211111", "v20130303", "v1beta20211111", "v20221212alpha1", "v20140404alpha1", "v0alpha20221212",
		"v1alpha1api20130303", "v1alpha1api20130303storage", "v20130303storage", "v20211111storage",
	}
	got := slices.Clone(want)
	slices.Sort(got)
	slices.SortFunc(got, func(a, b string) int { return -version.CompareKubeAwareVersionStrings(a, b) })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
