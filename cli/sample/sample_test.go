package sample

import (
	"strings"
	"testing"

	"github.com/armature-dev/armature/cli/catalog/catalogtest"
	"github.com/armature-dev/armature/cli/program/programtest"
)

func TestSample(t *testing.T) {
	const party = "apiVersion: crm.azure.armature.dev/v20200101\nkind: Party\n"
	const redis = "apiVersion: cache.azure.armature.dev/v20200101\nkind: Redis\n"
	const person = "apiVersion: hr.example.com/v20200101\nkind: Person\n"
	const rg = "apiVersion: storage.azure.armature.dev/v20200101\nkind: ResourceGroup\n"
	subnet := func(version string) string {
		return "apiVersion: network.azure.armature.dev/" + version + "\nkind: VirtualNetworkSubnet\nspec:\n" +
			"  cache:\n    group: cache.azure.armature.dev\n    kind: Redis\n    name: mysample\n" + catalogtest.GroupOwner
	}
	for _, test := range []struct{ reason, kinds, want, err string }{
		{"a kind, whose case does not matter", "redis", redis, ""},
		{"a short name", "rds", redis, ""},
		{"kinds of several groups, one by its plural", "parties Redis", party + "---\n" + redis, ""},
		{"a kind of several groups, with one of them", "Person.hr", person, ""},
		{"a reference to a kind of another group", "snet", subnet("v20200101"), ""},
		{"with all that it is in or refers to", "snet --with-owners", rg + "---\n" + redis + "---\n" + subnet("v20200101"), ""},
		{"at another version", "snet --version v20190101 --with-owners", rg + "---\n" + redis + "---\n" + subnet("v20190101"), ""},
		{"at the version of one that names none", "rds --version v20200101", redis, ""},
		{"at ARM's name of the version", "rds --version 2020-01-01", redis, ""},
		{"with another name", "snet --with-owners --name acme4711", strings.ReplaceAll(rg+"---\n"+redis+"---\n"+subnet("v20200101"),
			"mysample", "acme4711"), ""},
		{"with values, of the object alone", "snet --with-owners --set spec.a.b=[1] --set spec.cache.name=x=y", rg + "---\n" + redis +
			"---\n" + strings.Replace(subnet("v20200101"), "name: mysample", "name: x=y", 1) + "  a:\n    b: [1]\n", ""},
		{"a name that not every service takes", "rds --name My-Cache", "",
			`--name: found "My-Cache", expected 3 to 24 lower case letters ` +
				"and digits, of which the first is a letter: each service takes these"},
		{"no value", "rds --set spec.location", "", `--set: found "spec.location", expected PATH=VALUE, such as spec.location=westeurope`},
		{"no path", "rds --set spec..a=1", "", `--set: found "spec..a=1", expected PATH=VALUE, such as spec.location=westeurope`},
		{"a property of a text", "rds --set kind.a=1", "", `Redis: --set: kind has the value "Redis", so kind.a can have no property`},
		{"a version that there is not", "rds --version v20190102", "",
			`--version: Redis has no version v20190102; did you mean "v20190101"?; it has v20200101, v20190101`},
		{"a kind of several groups", "Person", "",
			"several kinds are named Person: expected one of persons.crm.azure.armature.dev, persons.hr.example.com"},
		{"unknown kinds, of which all are told", "Partyy Redis Redsi", "",
			`no kind is Partyy; did you mean "Party"?` + "\n" + `no kind is Redsi; did you mean "Redis"?`},
	} {
		out, _, err := programtest.Run(t, "", strings.Fields("sample "+test.kinds), New(catalogtest.Read(t)))
		if test.err == "" && err != nil || test.err != "" && (err == nil || err.Error() != test.err) {
			t.Errorf("%s: got the error %v, want %q", test.reason, err, test.err)
		}
		if out != test.want {
			t.Errorf("%s: got %q, want %q", test.reason, out, test.want)
		}
	}
}
