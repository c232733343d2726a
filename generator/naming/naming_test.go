package naming

import (
	"go/token"
	"strings"
	"testing"
	"testing/quick"

	"github.com/google/go-cmp/cmp"
)

func TestJSONAndGo(t *testing.T) {
	for _, test := range []struct{ arm, json, golang, reason string }{
		{"location", "location", "Location", "most names stay"},
		{"subnetId", "subnetId", "SubnetId", "initialisms are not special"},
		{"staticIP", "staticIP", "StaticIP", "inner capitals stay"},
		{"dynamicVNetAssignmentScope", "dynamicVNetAssignmentScope", "DynamicVNetAssignmentScope", "mixed capitals stay"},
		{"@odata.type", "odataType", "OdataType", "a separator starts a word"},
		{"$schema", "schema", "Schema", "a leading symbol goes"},
		{"_etag", "etag", "Etag", "a leading underscore goes"},
		{"rdb-backup-enabled", "rdbBackupEnabled", "RdbBackupEnabled", "a hyphen starts a word"},
		{"aof-storage-connection-string-0", "aofStorageConnectionString0", "AofStorageConnectionString0", "digits stay"},
		{"api_key", "apiKey", "ApiKey", "an underscore starts a word"},
		{"Control-M Server Name", "controlMServerName", "ControlMServerName", "a blank starts a word"},
		{"RDBEnabled", "rdbEnabled", "RdbEnabled", "of leading capitals the last starts a word"},
		{"ID", "id", "Id", "a word of capitals"},
		{"IDs", "ids", "Ids", "a plural s belongs to the capitals"},
		{"URLsAllowed", "urlsAllowed", "UrlsAllowed", "also before another part"},
		{"IPv6Address", "ipv6Address", "Ipv6Address", "so does the v of IPv6"},
		{"P95", "p95", "P95", "a digit ends capitals"},
		{"VMSize", "vmSize", "VmSize", "two capitals"},
		{"A", "a", "A", "one letter"},
		{"3rdParty", "x3rdParty", "X3rdParty", "an identifier does not start with a digit"},
		{"$", "x", "X", "nothing is left"},
		{"naïve", "naVe", "NaVe", "a Kubernetes name is ASCII"},
		{"ReadOnlyFollowing", "readOnlyFollowing", "ReadOnlyFollowing", "variants are named by the value"},
		{"#Microsoft.Media.Clip", "microsoftMediaClip", "MicrosoftMediaClip", "also those of OData"},
	} {
		json := JSON(test.arm)
		if json != test.json || Go(json) != test.golang {
			t.Errorf("%s: %q: got %q and %q, want %q and %q", test.reason, test.arm, json, Go(json), test.json, test.golang)
		}
	}
}

func TestNamesAreIdentifiers(t *testing.T) {
	valid := func(name string) bool {
		enum := EnumNames([]string{name, name + "!", ""})
		return token.IsIdentifier("a"+JSON(name)) && JSON(name) == JSON(JSON(name)) &&
			token.IsIdentifier(Go(JSON(name))) && token.IsExported(Go(JSON(name))) &&
			token.IsIdentifier(Type(name)) && token.IsExported(Type(name)) && !strings.Contains(Type(name), "_") &&
			token.IsIdentifier("T_"+enum[0]) && enum[0] != enum[1] && enum[1] != enum[2] && enum[0] != enum[2]
	}
	if err := quick.Check(valid, &quick.Config{MaxCount: 2000}); err != nil {
		t.Error(err)
	}
}

func TestType(t *testing.T) {
	for _, test := range []struct{ definition, want, reason string }{
		{"RedisCreateProperties", "RedisCreateProperties", "most names stay"},
		{"sku", "Sku", "a small first letter"},
		{"Redis_Spec", "RedisSpec", "underscores are reserved for the generator"},
		{"Azure.Core.Foo", "AzureCoreFoo", "a dot starts a word"},
		{"2DPoint", "X2DPoint", "an identifier does not start with a digit"},
		{"", "X", "nothing is left"},
	} {
		if got := Type(test.definition); got != test.want {
			t.Errorf("%s: %q: got %q, want %q", test.reason, test.definition, got, test.want)
		}
	}
}

func TestEnumNames(t *testing.T) {
	for _, test := range []struct {
		reason       string
		values, want []string
	}{
		{"most stay", []string{"Basic", "Premium"}, []string{"Basic", "Premium"}},
		{"first letters are upper", []string{"none", "job"}, []string{"None", "Job"}},
		{"underscores stay", []string{"Premium_LRS", "TLS1_0"}, []string{"Premium_LRS", "TLS1_0"}},
		{"digits stay apart", []string{"1.0", "10", "1-0"}, []string{"1_0", "10", "1_0_2"}},
		{"a hyphen starts a word", []string{"us-east", "User, Group"}, []string{"UsEast", "UserGroup"}},
		{"symbols are spelled", []string{"*", "", "C++", ">=", "?"}, []string{"Star", "Empty", "CPlusPlus", "GreaterEqual", "Other"}},
		{"a sign is not a hyphen", []string{"-1", "1"}, []string{"Minus1", "1"}},
		{"only case differs: the first has the name", []string{"consistent", "Consistent"}, []string{"Consistent", "Consistent_2"}},
		{"a number never takes another's name", []string{"a", "A", "a_2"}, []string{"A", "A_3", "A_2"}},
		{"case within a word is enough", []string{"Readonly", "ReadOnly"}, []string{"Readonly", "ReadOnly"}},
	} {
		if diff := cmp.Diff(test.want, EnumNames(test.values)); diff != "" {
			t.Errorf("%s: %s", test.reason, diff)
		}
	}
}

func TestPluralAndSingular(t *testing.T) {
	for _, test := range []struct{ kind, want, reason string }{
		{"StorageAccount", "storageaccounts", "an s"},
		{"ManagementPolicy", "managementpolicies", "y"},
		{"DiskAccess", "diskaccesses", "ss"},
		{"Address", "addresses", "ss"},
		{"SignalR", "signalrs", "not an English word"},
		{"Person", "persons", "no dictionary"},
		{"ApplicationGateway", "applicationgateways", "a vowel before the y"},
		{"Query", "queries", "y behind a consonant"},
		{"Box", "boxes", "x"},
		{"Switch", "switches", "ch"},
		{"PatchSchedule", "patchschedules", "e"},
	} {
		if got := Plural(test.kind); got != test.want {
			t.Errorf("%s: %s: got %s, want %s", test.reason, test.kind, got, test.want)
		}
	}
	if got := Singular("DiskAccess"); got != "diskaccess" {
		t.Errorf("got %s", got)
	}
}

func TestCompareFolded(t *testing.T) {
	names := []string{"", "a", "A", "aB", "Ab", "b", "B_", "b[", "É", "é", "Éa", "z", "\u212a", "k", "K", "l"}
	for _, x := range names {
		for _, y := range names {
			if got, want := CompareFolded(x, y), strings.Compare(Fold(x), Fold(y)); got != want {
				t.Errorf("%q, %q: got %d, want %d", x, y, got, want)
			}
		}
	}
}
