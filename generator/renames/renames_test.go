package renames

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/armature-dev/armature/generator/config"
	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/generator/plan/planner"
	"github.com/armature-dev/armature/internal/golden"
	"github.com/google/go-cmp/cmp"
)

// version returns an API version made from lines such as
//
//	Order_Spec: total number required, item Item | What was ordered.
//	Item: name string
//	Tier: enum Basic Premium
//
// The doc of a property comes last. A type Order_Spec makes a resource.
func version(t *testing.T, apiVersion, lines string) *ir.Version {
	t.Helper()
	v := &ir.Version{Provider: "Contoso.Shop", APIVersion: apiVersion}
	for line := range strings.Lines(lines) {
		name, members, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			continue
		}
		typ := &ir.Type{Name: name, Kind: ir.Object, Status: strings.HasSuffix(name, naming.Status(""))}
		v.Types = append(v.Types, typ)
		if values, ok := strings.CutPrefix(members, "enum "); ok {
			typ.Kind, typ.Base = ir.Enum, ir.String
			for _, value := range strings.Fields(values) {
				typ.Values = append(typ.Values, ir.EnumValue{Value: value, Name: value})
			}
			continue
		}
		for _, member := range strings.Split(members, ", ") {
			member, doc, _ := strings.Cut(member, " | ")
			words := strings.Fields(member)
			typ.Properties = append(typ.Properties, &ir.Property{
				Name: words[0], GoName: naming.Go(words[0]), Type: ref(words[1]), Doc: doc, Required: len(words) > 2,
			})
		}
		if kind := naming.Common(name); name == naming.Spec(kind) {
			v.Resources = append(v.Resources,
				&ir.Resource{Type: "Contoso.Shop/" + naming.Plural(kind), Kind: kind, Spec: name, Status: naming.Status(kind)})
		}
	}
	for _, r := range v.Resources {
		if !strings.Contains(lines, r.Status+": ") {
			v.Types = append(v.Types, &ir.Type{Name: r.Status, Kind: ir.Object, Status: true})
		}
	}
	v.Sort()
	return v
}

func ref(text string) ir.TypeRef {
	if items, ok := strings.CutPrefix(text, "[]"); ok {
		r := ref(items)
		return ir.TypeRef{Items: &r}
	}
	switch p := ir.Primitive(text); p {
	case ir.String, ir.Integer, ir.Number, ir.Boolean, ir.Any, ir.Secret:
		return ir.TypeRef{Primitive: p}
	}
	return ir.TypeRef{Named: text}
}

// find returns the findings for versions 2020-01-01, 2021-01-01 and so on, one
// for each shape.
func find(t *testing.T, more string, shapes ...string) []*Finding {
	t.Helper()
	g, err := config.Parse("group.yaml", []byte("exports:\n  Contoso.Shop/orders: {kind: Order}\n"+more))
	if err != nil {
		t.Fatal(err)
	}
	var versions []*ir.Version
	for i, lines := range shapes {
		versions = append(versions, version(t, fmt.Sprintf("%d-01-01", 2020+i), lines))
	}
	packages, err := planner.Build(planner.Options{
		Group: "shop.azure.armature.dev", Provider: "Contoso.Shop", ImportPrefix: "example.com/apis/shop/",
		Patterns: naming.Default, Config: g, Versions: versions,
	})
	if err != nil {
		t.Fatal(err)
	}
	findings, err := Find(packages, versions, g)
	if err != nil {
		t.Fatal(err)
	}
	return findings
}

// show returns a finding as one line.
func show(f *Finding) string {
	verdict := "perhaps"
	switch {
	case len(f.Guesses) == 0:
		return f.Property + " is gone"
	case f.Likely():
		verdict = "likely"
	case f.Undecided:
		verdict = "undecided"
	}
	var guesses []string
	for _, g := range f.Guesses {
		text := g.To
		if g.FromType != "" {
			text += fmt.Sprintf(" (%s→%s)", g.FromType, g.ToType)
		}
		guesses = append(guesses, text)
	}
	return f.Property + " is " + verdict + " " + strings.Join(guesses, " or ")
}

func TestFind(t *testing.T) {
	for _, test := range []struct {
		reason       string
		older, newer string
		want         []string
	}{
		{
			"the spelling was corrected, and the docs are the same",
			"Order_Spec: shipingAddress string | Where the goods go to.",
			"Order_Spec: shippingAddress string | Where the goods go to.",
			[]string{"Order.shipingAddress is likely shippingAddress"},
		}, {
			"another word, but docs, type and circumstances agree",
			"Order_Spec: alphaKey string | By what orders are sorted in lists., id string",
			"Order_Spec: sortKey string | By what orders are sorted in long lists., id string",
			[]string{"Order.alphaKey is likely sortKey"},
		}, {
			"the type has another name, and the same properties",
			"Order_Spec: to Address\nAddress: city string, street string",
			"Order_Spec: to Location\nLocation: city string, street string, floor integer",
			[]string{"Order.to is likely to (Address→Location)"},
		}, {
			"property and type have other names",
			"Order_Spec: autoPolicy []AutoPolicy | How orders are filled.\nAutoPolicy: enabled boolean",
			"Order_Spec: automaticPolicy []AutomaticPolicy | How orders are filled.\nAutomaticPolicy: enabled boolean",
			[]string{"Order.autoPolicy is likely automaticPolicy (AutoPolicy→AutomaticPolicy)"},
		}, {
			"an enum with the same values",
			"Order_Spec: pace Pace | How soon it comes.\nPace: enum Slow Fast",
			"Order_Spec: deliveryPace DeliveryPace | How soon the order comes.\nDeliveryPace: enum Slow Fast",
			[]string{"Order.pace is likely deliveryPace"},
		}, {
			"in request and response alike",
			"Order_Spec: actionRequired string | What to do next.\nOrder_Status: actionRequired string | What to do next.",
			"Order_Spec: actionsRequired string | What to do next.\nOrder_Status: actionsRequired string | What to do next.",
			[]string{"Order.actionRequired is likely actionsRequired"},
		}, {
			"no new property",
			"Order_Spec: coupon string | A coupon., id string",
			"Order_Spec: id string",
			[]string{"Order.coupon is gone"},
		}, {
			"the new property has a type to which no value can be converted",
			"Order_Spec: gift boolean | Whether to wrap it.",
			"Order_Spec: giftWrap string | Whether to wrap it.",
			[]string{"Order.gift is gone"},
		}, {
			"trap: the new property is another thing of the same type",
			"Order_Spec: coupon string | A coupon of the shop.",
			"Order_Spec: region string | Where the order is kept.",
			[]string{"Order.coupon is gone"},
		}, {
			"trap: the opposite, with docs that are nearly the same",
			"Order_Spec: minCount integer | The minimum number of goods in the order.",
			"Order_Spec: maxCount integer | The maximum number of goods in the order.",
			[]string{"Order.minCount is gone"},
		}, {
			"trap: two new properties fit equally well",
			"Order_Spec: address string | Where the goods go.",
			"Order_Spec: homeAddress string | Where the goods go., workAddress string | Where the goods go.",
			[]string{"Order.address is undecided homeAddress or workAddress"},
		}, {
			"trap: two vanished properties fit equally well",
			"Order_Spec: homeAddress string | Where the goods go., workAddress string | Where the goods go.",
			"Order_Spec: address string | Where the goods go.",
			[]string{"Order.homeAddress is undecided address", "Order.workAddress is undecided address"},
		}, {
			"of two vanished properties, the one that fits better",
			"Order_Spec: targetOSVersion string | The version of the system that is to be installed., currentOSVersion string | What is there now.",
			"Order_Spec: osVersion string | The version of the system that is to be installed.",
			[]string{"Order.targetOSVersion is likely osVersion", "Order.currentOSVersion is gone"},
		}, {
			"trap: two types that became one",
			"Order_Spec: from HomeSite, to WorkSite\nHomeSite: city string\nWorkSite: city string",
			"Order_Spec: from Site, to Site\nSite: city string",
			[]string{"Order.from is undecided from (HomeSite→Site)", "Order.to is undecided to (WorkSite→Site)"},
		}, {
			"trap: one keeps its type, and the other has a new one",
			"Order_Spec: from Site, to Site\nSite: city string",
			"Order_Spec: from Site, to Place\nSite: city string\nPlace: city string",
			[]string{"Order.to is perhaps to (Site→Place)"},
		}, {
			"trap: a list is not an object",
			"Order_Spec: notes []string | What to know.",
			"Order_Spec: note Note | What to know.\nNote: text string",
			[]string{"Order.notes is gone"},
		}, {
			"trap: the same docs and similar names, and nothing in common inside",
			"Order_Spec: sealSettings SealSettings | How it is sealed.\nSealSettings: wax boolean",
			"Order_Spec: sealSettingsList SealSettingsList | How it is sealed.\nSealSettingsList: items []string",
			[]string{"Order.sealSettings is gone"},
		}, {
			"trap: an object with other properties",
			"Order_Spec: storageProfile StorageProfile | How it is stored.\nStorageProfile: backupDays integer, storageMB integer",
			"Order_Spec: storage Storage | What stores it.\nStorage: sizeGB integer",
			[]string{"Order.storageProfile is gone"},
		},
	} {
		var got []string
		for _, f := range find(t, "", test.older, test.newer) {
			got = append(got, show(f))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.reason, diff)
		}
	}
}

const orders = "Order_Spec: aNote string, total number | The sum."

func TestFindWithGroupYAML(t *testing.T) {
	t.Run("a change that a rename explains is not a finding", testExplained)
	t.Run("a type whose new name is taken is not likely", testNameTaken)
	t.Run("a renamed type is the same type", testTypeRenamed)
	t.Run("an assessed change has its reason", testAssessed)
}

func testExplained(t *testing.T) {
	got := find(t, "changes:\n  - {property: Order.total, since: 2021-01-01, renamed: sum}\n",
		"Order_Spec: total number | The sum.", "Order_Spec: sum number | The sum.")
	if len(got) > 0 {
		t.Errorf("got %s", show(got[0]))
	}
}

func testNameTaken(t *testing.T) {
	got := find(t, "changes:\n  - {type: HomeSite, since: 2021-01-01, renamed: Site}\n",
		"Order_Spec: from HomeSite, to WorkSite\nHomeSite: city string\nWorkSite: city string",
		"Order_Spec: from Site, to Site\nSite: city string")
	if len(got) != 1 || got[0].Likely() || !slices.Contains(got[0].Guesses[0].Against,
		"group.yaml renames another type to Site, and a name has one origin") {
		t.Errorf("got %+v", got)
	}
}

// Of a property and its type, a person may rename either first.
func testTypeRenamed(t *testing.T) {
	const older, newer = "Order_Spec: guards Guards\nGuards: level string", "Order_Spec: safeguards Safeguards\nSafeguards: level string"
	got := find(t, "changes:\n  - {type: Guards, since: 2021-01-01, renamed: Safeguards}\n", older, newer)
	if len(got) != 1 || show(got[0]) != "Order.guards is perhaps safeguards" {
		t.Errorf("got %+v", got)
	}
	got = find(t, "changes:\n  - {property: Order.guards, since: 2021-01-01, renamed: safeguards}\n", older, newer)
	if len(got) != 1 || show(got[0]) != "Order.guards is perhaps safeguards (Guards→Safeguards)" {
		t.Errorf("got %+v", got)
	}
}

func testAssessed(t *testing.T) {
	findings := find(t, "changes:\n  - {property: Order.aNote, since: 2021-01-01, removed: nobody wrote any}\n", orders,
		"Order_Spec: sum number | The sum.")
	text := Format(findings, "apis/shop", false)
	if strings.Contains(text, "aNote") || !strings.Contains(text, "1. Order.total") {
		t.Errorf("without the assessed changes:\n%s", text)
	}
	if text := Format(findings, "apis/shop", true); !strings.Contains(text, "assessed: nobody wrote any") {
		t.Errorf("with the assessed changes:\n%s", text)
	}
}

func TestHints(t *testing.T) {
	findings := find(t, "",
		"Order_Spec: coupon string, gift boolean, id string, key string, pin secret\nOrder_Status: id string",
		"Order_Spec: id string, key secret, pin string, wrapping Wrapping\nWrapping: gift boolean, paper string",
		"Order_Spec: id string, key secret, pin string, wrapping Wrapping, coupon string\nWrapping: gift boolean, paper string")
	got := map[string][]string{}
	for _, f := range findings {
		got[f.Property] = append(slices.Clone(f.Hints), f.Moves...)
	}
	want := map[string][]string{
		"Order.coupon": {"2022-01-01 has it again"},
		"Order.gift":   {"Order.wrapping.gift"},
		"Order.id":     {"requests still have it, only responses no longer do"},
		"Order.key":    {"it is a secret at 2021-01-01: if it is one at all versions, say Order.key: secret in properties, and it is one property"},
		"Order.pin":    {"it is a secret at 2020-01-01: if it is one at all versions, say Order.pin: secret in properties, and it is one property"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestFormat(t *testing.T) {
	t.Run("golden", testFormatGolden)
	t.Run("nothing to assess", func(t *testing.T) {
		const want = "apis/shop: everything is assessed. To see the assessed changes, run: ./bazelw run //apis/shop:renames -- --all\n"
		if got := Format(nil, "apis/shop", false); got != want {
			t.Error(got)
		}
	})
	t.Run("entries can be pasted", testPaste)
}

func testFormatGolden(t *testing.T) {
	findings := find(t, "",
		"Order_Spec: coupon string | A coupon., alphaKey string required | By what orders are sorted in lists., to Address | Where it goes., homeTown string | Where they live.\nAddress: city string, street string",
		"Order_Spec: sortKey string | By what orders are sorted in lists., to Location | Where it goes., town string | Where they live., place string | Where they live.\nLocation: city string, street string")
	got := Format(findings, "apis/shop", false)
	golden.Equal(t, "testdata/page.txt", got)
}

// testPaste pastes every entry of a text into a group.yaml.
func testPaste(t *testing.T) {
	older, newer := "Order_Spec: autoPolicy AutoPolicy | How orders are filled.\nAutoPolicy: enabled boolean",
		"Order_Spec: automaticPolicy AutomaticPolicy | How orders are filled.\nAutomaticPolicy: enabled boolean"
	page := Format(find(t, "", older, newer), "apis/shop", false)
	_, entry, _ := strings.Cut(page, "the entry for a rename:\n")
	entry, removal, _ := strings.Cut(entry, "   the entry for a change that is right, with the reason:\n")
	if got := find(t, dedent(entry), older, newer); len(got) > 0 {
		t.Errorf("the rename leaves %s", show(got[0]))
	}
	_, err := config.Parse("group.yaml", []byte("exports:\n  Contoso.Shop/orders: {kind: Order}\n"+dedent(removal)))
	if err == nil || !strings.Contains(err.Error(), "removed, with the reason") {
		t.Errorf("a removal without a reason: %v", err)
	}
	got := find(t, dedent(strings.Replace(removal, `""`, `"because"`, 1)), older, newer)
	if len(got) != 1 || got[0].Reason != "because" {
		t.Errorf("the removal leaves %v", got)
	}
}

func TestPropose(t *testing.T) {
	older := "Order_Spec: gift boolean, note string, town string | Where they live."
	newer := "Order_Spec: wrapping Wrapping, place string | Where they live.\nWrapping: gift boolean, paper string"
	g, err := config.Parse("group.yaml", []byte("exports:\n  Contoso.Shop/orders: {kind: Order}\n"))
	if err != nil {
		t.Fatal(err)
	}
	versions := []*ir.Version{version(t, "2020-01-01", older), version(t, "2021-01-01", newer)}
	packages, err := planner.Build(planner.Options{
		Group: "shop.azure.armature.dev", Provider: "Contoso.Shop", ImportPrefix: "example.com/apis/shop/",
		Patterns: naming.Default, Config: g, Versions: versions,
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Propose(packages, versions, g)
	if err != nil {
		t.Fatal(err)
	}
	want := []config.Change{
		{Property: "Order.gift", Since: "2021-01-01", Removed: "it may have moved to Order.wrapping.gift", Proposed: true},
		{Property: "Order.note", Since: "2021-01-01", Removed: "no property of 2021-01-01 is like it", Proposed: true},
		{Property: "Order.town", Since: "2021-01-01", Removed: "it may be place now (61 of 100)", Proposed: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// dedent removes the indentation of the first line from every line.
func dedent(text string) string {
	indent := text[:len(text)-len(strings.TrimLeft(text, " "))]
	return strings.TrimPrefix(strings.ReplaceAll(text, "\n"+indent, "\n"), indent)
}

func TestWords(t *testing.T) {
	for name, want := range map[string][]string{
		"automaticOSUpgrade": {"automatic", "os", "upgrade"},
		"storageMB":          {"storage", "mb"},
		"key1":               {"key", "1"},
		"privateLinkIDs":     {"private", "link", "ids"},
		"URLsToWatch":        {"urls", "to", "watch"},
		"rdb-backup-enabled": {"rdb", "backup", "enabled"},
	} {
		if diff := cmp.Diff(want, words(name)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestArticle(t *testing.T) {
	for noun, want := range map[string]string{"integer": "an integer", "string": "a string", "Address": "an Address", "": "a "} {
		if got := article(noun); got != want {
			t.Errorf("article(%q) is %q, want %q", noun, got, want)
		}
	}
	found := find(t, "", "Order_Spec: rooms integer | How many rooms there are.",
		"Order_Spec: roomCount integer | How many rooms there are.")
	if len(found) != 1 || len(found[0].Guesses) == 0 || !strings.Contains(fmt.Sprint(found[0].Guesses), "both are an integer") {
		t.Errorf("found %v, want a guess because both are an integer", found)
	}
}
