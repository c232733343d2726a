package crd

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// summary returns what a CRD has. The first of the versions is the hub. All are
// served but former storage versions, whose names end in "-".
func summary(versions ...string) *Summary {
	s := &Summary{Name: "persons.crm.azure.armature.dev", Kind: "Person", Bytes: 500}
	for i, v := range versions {
		name := strings.TrimSuffix(v, "-")
		s.Versions = append(s.Versions, Version{Name: name, APIVersion: armVersion(name),
			Served: name == v, Storage: i == 0, Bytes: len(`"served":true`), Nodes: 3})
		if name != v {
			s.Versions[i].Bytes = len(`"served":false`)
		}
		s.Bytes += s.Versions[i].Bytes + len(",")
	}
	return s
}

// armVersion returns ARM's version for a name that is one of [naming.Default] or of its own
// kind of pattern, and "" for a storage version or an alias.
func armVersion(name string) string {
	m := regexp.MustCompile(`^v(?:\d(alpha|beta))?(\d{4})(\d\d)(\d\d)(alpha1)?$`).FindStringSubmatch(name)
	if m == nil {
		return ""
	}
	arm := strings.Join(m[2:5], "-")
	if m[1] == "alpha" || m[5] != "" {
		arm += "-preview"
	}
	return arm
}

func TestServe(t *testing.T) {
	stable := []string{
		"v20200101storage", "v20190101", "v20200101", "v20180101", "v20170101alpha1",
		"v20180101storage-", "v1alpha1api20180101",
	}
	preview := []string{
		"v20200101storage", "v20200101", "v20190101", "v20180101",
		"v20190505alpha1", "v20210101alpha1", "v20220101alpha1",
	}
	previews := []string{"v20200101alpha1storage", "v20180101alpha1", "v20190101alpha1", "v20200101alpha1"}
	moved := []string{
		"v20200101storage", "v20190101", "v20200101", "v20180101",
		"v20180101storage", "v20190101storage-",
	}
	jumped := []string{
		"v20240101storage", "v20180101storage", "v20240101", "v20230101", "v20220101",
		"v20180101", "v20250101alpha1",
	}
	once := []string{"v20240101storage", "v20180101alpha1storage", "v20240101", "v20180101alpha1", "v20190101alpha1"}
	spelled := []string{"v20240101storage", "v20240101", "v20230101", "v20250101alpha1", "v20220101alpha1", "v20230101x"}
	sameDay := []string{"v20240101storage", "v20240101", "v20240101alpha1"}
	old := []string{"v20180101storage", "v20180101", "v20190101", "v20200101"}
	for _, test := range []struct {
		reason, choice string
		has            []string
		want           string
	}{
		{"the newest two, and storage versions", "newest=2", stable,
			"v20200101storage v20190101 v20200101 v20180101storage-"},
		{"the newest", "newest=1", stable, "v20200101storage v20200101 v20180101storage-"},
		{"more than there are", "newest=9", stable,
			"v20200101storage v20190101 v20200101 v20180101 v20180101storage-"},
		{"the newest preview where it is newer", "newest=1", preview, "v20200101storage v20200101 v20220101alpha1"},
		{"previews where nothing is stable", "newest=2", previews, "v20200101alpha1storage v20190101alpha1 v20200101alpha1"},
		{"the version at which objects are stored", "newest=1", old, "v20180101storage v20180101 v20200101"},
		{"the version at which owners were referred to in the release before", "newest=1", moved,
			"v20200101storage v20200101 v20180101 v20180101storage- v20190101storage-"},
		{"the version of an operator of the release before", "newest=1,former", moved,
			"v20200101storage v20200101 v20180101 v20180101storage v20190101storage-"},
		{"that version where it is the only choice", "former", moved,
			"v20200101storage v20200101 v20180101 v20180101storage v20190101storage-"},
		{"that version where everything is served", "all", moved, strings.Join(moved, " ")},
		{"the version of the release before, instead of one that came after it", "newest=2", jumped,
			"v20240101storage v20180101storage- v20240101 v20180101 v20250101alpha1"},
		{"the newest before it, where there is room", "newest=3", jumped,
			"v20240101storage v20180101storage- v20240101 v20230101 v20180101 v20250101alpha1"},
		{"a preview of the release before, which has become stable", "newest=2", once,
			"v20240101storage v20180101alpha1storage- v20240101 v20180101alpha1"},
		{"Kubernetes' name", "newest=1,v20180101", stable,
			"v20200101storage v20200101 v20180101 v20180101storage-"},
		{"ARM's name", "2017-01-01-preview", stable, "v20200101storage v20200101 v20170101alpha1 v20180101storage-"},
		{"an alias", "v1alpha1api20180101", stable, "v20200101storage v20200101 v20180101storage- v1alpha1api20180101"},
		{"previews whose names have the word after the date", "newest=1", spelled,
			"v20240101storage v20240101 v20250101alpha1"},
		{"the newest of a date, which is GA", "newest=1", sameDay, "v20240101storage v20240101"},
		{"all", "all", stable, strings.Join(stable, " ")},
	} {
		t.Run(test.reason, func(t *testing.T) {
			choice, err := ParseChoice(test.choice)
			if err != nil {
				t.Fatal(err)
			}
			all := summary(test.has...)
			got := all.Serve(choice)
			if diff := cmp.Diff(summary(strings.Fields(test.want)...), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if before := summary(test.has...); !cmp.Equal(all, before) {
				t.Error("the summary that was chosen from has changed")
			}
		})
	}
}

func TestPrice(t *testing.T) {
	want := Price{Versions: 2, Nodes: 3 * 3, Bytes: summary().Bytes + 3*len(`"served":true,`) + 1}
	if got := summary("v20200101storage", "v20200101", "v20190101storage-").Price(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	// What a kube-apiserver had in memory beyond the 83 MB, and 270 MB at the peak, that it has without CRDs.
	for _, measured := range []struct{ versions, nodes, live, peak int }{
		{408, 36_400, 591, 1567}, {232, 17_200, 325, 821}, {391, 50_000, 694, 1911}, {301, 33_700, 509, 1457}, {384, 33_600, 569, 1528},
		{549, 30_500, 671, 1691},
	} {
		p := Price{Versions: measured.versions, Nodes: measured.nodes}
		near := func(price, was int) bool { return 10*price > 9*was && 10*price < 11*was }
		if !near(p.Live(), measured.live) || !near(p.Peak(), measured.peak) {
			t.Errorf("%+v costs %d MB, and %d at the peak; measured were %d and %d", p, p.Live(), p.Peak(), measured.live, measured.peak)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, text := range []string{"", "newest", "newest=x", "newest=-1", "newest=1,newest=2", "latest", "2020-13-01"} {
		if _, err := ParseChoice(text); err == nil || !strings.Contains(err.Error(), "expected all, or newest=2, former and versions") {
			t.Errorf("%q: error = %v", text, err)
		}
	}
}

func TestUnknown(t *testing.T) {
	choice, err := ParseChoice("newest=1,v20200101,2020-01-01,2021-01-01,v20200101storage")
	if err != nil {
		t.Fatal(err)
	}
	got := choice.Unknown(&Index{CRDs: []*Summary{summary("v20200101storage", "v20200101")}})
	if want := []string{"2021-01-01", "v20200101storage"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
