package arm

import (
	"slices"
	"strings"
	"testing"
)

// TestKeeper has a cluster whose pools somebody else scales, and whose tags somebody else sets.
func TestKeeper(t *testing.T) {
	keeper := func(all ...string) Keeper {
		return Keeper{Spec: &clusterSpec{}, Keeps: func(path string) bool { return slices.Contains(all, path) },
			Inside: func(path string) bool {
				return slices.ContainsFunc(all, func(p string) bool {
					return strings.HasPrefix(p, path+".") || strings.HasPrefix(p, path+"[")
				})
			}}
	}
	const body = `{"properties":{"agentPools":[{"name":"a","properties":{"count":1}},{"name":"b","properties":{"count":1}}]},` +
		`"sku":{"name":"S"},"tags":{"own":"1","x":"1"}}`
	for _, row := range []struct {
		what          string
		paths         []string
		shown         string
		want, without string
	}{
		{"a number in one element of a list", []string{"spec.pools[name=b].count"},
			`{"Properties":{"AgentPools":[{"name":"b","properties":{"Count":7}},{"name":"c","properties":{"count":9}}]}}`,
			strings.Replace(body, `"b","properties":{"count":1}`, `"b","properties":{"count":7}`, 1),
			strings.Replace(body, `"b","properties":{"count":1}`, `"b","properties":{}`, 1)},
		{"an entry of a map that only ARM has, and one that it no longer has", []string{"spec.tags.cost", "spec.tags.x"},
			`{"tags":{"cost":"low","y":"2"}}`,
			strings.Replace(body, `"own":"1","x":"1"`, `"cost":"low","own":"1"`, 1), strings.Replace(body, `,"x":"1"`, ``, 1)},
		{"an entry of a map that the Spec does not set", []string{"spec.parts.p"}, `{"properties":{"parts":{"p":{"tier":"T"},"q":{}}}}`,
			strings.Replace(body, `]}`, `],"parts":{"p":{"tier":"T"}}}`, 1), body},
		{"a whole element, and a whole object", []string{"spec.pools[name=a]", "spec.pools[name=c]", "spec.sku"},
			`{"sku":{"name":"P","tier":"T"},"properties":{"agentPools":[{"name":"c","properties":{"count":9}}]}}`,
			`{"properties":{"agentPools":[{"name":"b","properties":{"count":1}},{"name":"c","properties":{"count":9}}]},` +
				`"sku":{"name":"P","tier":"T"},"tags":{"own":"1","x":"1"}}`,
			`{"properties":{"agentPools":[{"name":"b","properties":{"count":1}}]},"tags":{"own":"1","x":"1"}}`},
		{"what ARM does not show", []string{"spec.sku.name", "spec.sku.tier"}, `{"sku":{}}`, body,
			strings.Replace(body, `{"name":"S"}`, `{}`, 1)},
		{"a list whose elements have no names in ARM", []string{"spec.pools[name=a].count"}, `{"properties":{"agentPools":[{}]}}`, body,
			strings.Replace(body, `"a","properties":{"count":1}`, `"a","properties":{}`, 1)},
	} {
		t.Run(row.what, func(t *testing.T) {
			k := keeper(row.paths...)
			if got, err := k.Keep([]byte(body), []byte(row.shown)); err != nil || string(got) != row.want {
				t.Errorf("kept: %v\ngot  %s\nwant %s", err, got, row.want)
			}
			if got, err := k.Without([]byte(body)); err != nil || string(got) != row.without {
				t.Errorf("without: %v\ngot  %s\nwant %s", err, got, row.without)
			}
		})
	}
	t.Run("lists and maps that ARM keeps become empty, and nothing else", func(t *testing.T) {
		const body = `{"properties":{"agentPools":[{"name":"a"}]}}`
		shown := `{"location":"l","sku":{"name":"S"},"tags":{"a":"1"},"properties":{"zones":["1"],"agentPools":[{"name":"b"}]}}`
		got, err := keeper("spec.location", "spec.sku", "spec.tags", "spec.zones", "spec.pools[name=b]").Clear([]byte(body), []byte(shown))
		if want := `{"properties":{"agentPools":[{"name":"a"}],"zones":[]},"tags":{}}`; err != nil || string(got) != want {
			t.Errorf("%v\ngot  %s\nwant %s", err, got, want)
		}
	})
	t.Run("what is no JSON is an error", func(t *testing.T) {
		if _, err := keeper().Keep([]byte(body), []byte(`[]`)); err == nil {
			t.Error("there is none")
		}
	})
}
