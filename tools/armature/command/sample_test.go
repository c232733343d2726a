package command

import (
	"strings"
	"testing"
)

func TestSample(t *testing.T) {
	samples := []map[string]string{{"Person": "kind: Person\n"}, {"Redis": "kind: Redis\n"}}
	for _, test := range []struct{ reason, kinds, want, err string }{
		{"a kind, whose case does not matter", "redis", "kind: Redis\n", ""},
		{"kinds of several groups", "Person Redis", "kind: Person\n---\nkind: Redis\n", ""},
		{"an unknown kind", "Persom", "", `no group of this binary has the kind Persom; did you mean "Person"?`},
	} {
		var out strings.Builder
		command := newSample(samples)
		command.SetArgs(strings.Fields(test.kinds))
		command.SetOut(&out)
		command.SetErr(&out)
		command.SilenceUsage, command.SilenceErrors = true, true
		if err := command.Execute(); test.err == "" && err != nil || test.err != "" && (err == nil || err.Error() != test.err) {
			t.Errorf("%s: got the error %v, want %q", test.reason, err, test.err)
		}
		if out.String() != test.want {
			t.Errorf("%s: got %q, want %q", test.reason, out.String(), test.want)
		}
	}
}
