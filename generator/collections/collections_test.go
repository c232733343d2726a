package collections

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/armature-dev/armature/generator/ir"
)

// types reads types, each a line such as "Net: name string, subnets []Subnet". A "!"
// before a property says that only responses have it.
func types(text string) map[string]*ir.Type {
	all := map[string]*ir.Type{}
	for line := range strings.Lines(text) {
		name, members, _ := strings.Cut(strings.TrimSpace(line), ": ")
		t := &ir.Type{Name: name, Kind: ir.Object}
		for member := range strings.SplitSeq(members, ", ") {
			name, of, _ := strings.Cut(member, " ")
			name, readOnly := strings.CutPrefix(name, "!")
			p := &ir.Property{Name: name, ReadOnly: readOnly}
			leaf := &p.Type
			if items, isList := strings.CutPrefix(of, "[]"); isList {
				leaf, of = new(ir.TypeRef), items
				p.Type.Items = leaf
			}
			if leaf.Named = of; strings.ToLower(of) == of {
				leaf.Named, leaf.Primitive = "", ir.Primitive(of)
			}
			t.Properties = append(t.Properties, p)
		}
		all[name] = t
	}
	return all
}

const net = "Contoso.Net/nets"

func TestFind(t *testing.T) {
	const common = "Net: location string, properties NetProperties\n"
	for _, row := range []struct {
		what, types string
		// children are names of bodies by the last segments of types.
		children map[string]string
		want     []ir.Collection
	}{
		{"the body of a child", common + "NetProperties: subnets []Subnet, space string\n" +
			"Subnet: name string, properties SubnetProperties\nSubnetProperties: prefix string",
			map[string]string{"subnets": "Subnet"}, []ir.Collection{{Path: "properties/subnets", Type: net + "/subnets"}}},
		{"through objects", common + "NetProperties: profile Profile\nProfile: parts []Subnet\nSubnet: name string, prefix string",
			map[string]string{"subnets": "Subnet"}, []ir.Collection{{Path: "properties/profile/parts", Type: net + "/subnets"}}},
		{"not through lists", common + "NetProperties: profiles []Profile\nProfile: parts []Subnet\nSubnet: name string, prefix string",
			map[string]string{"subnets": "Subnet"}, nil},
		{"not what only responses have", common + "NetProperties: !subnets []Subnet\nSubnet: name string, prefix string",
			map[string]string{"subnets": "Subnet"}, nil},
		{"elements without a name are no resources", common + "NetProperties: subnets []Subnet\nSubnet: prefix string",
			map[string]string{"subnets": "Subnet"}, nil},
		{"the same properties under another type", common + "NetProperties: subnets []Part\n" +
			"Part: name string, properties SubnetProperties\nSubnet: !id string, properties SubnetProperties\nSubnetProperties: prefix string",
			map[string]string{"subnets": "Subnet"}, []ir.Collection{{Path: "properties/subnets", Type: net + "/subnets"}}},
		{"the same content", common + "NetProperties: subnets []Part\nPart: name string, properties PartProperties\n" +
			"Subnet: properties SubnetProperties\nSubnetProperties: prefix string, !state string, size integer\n" +
			"PartProperties: prefix string, size integer",
			map[string]string{"subnets": "Subnet"}, []ir.Collection{{Path: "properties/subnets", Type: net + "/subnets"}}},
		{"beside the name", common + "NetProperties: pools []Part\nPart: name string, count integer, size string\n" +
			"Pool: properties PoolProperties\nPoolProperties: count integer, size string, !state string",
			map[string]string{"agentPools": "Pool"}, []ir.Collection{{Path: "properties/pools", Type: net + "/agentPools", Flat: true}}},
		{"one property is too little", common + "NetProperties: pools []Part\nPart: name string, value string\n" +
			"Pool: properties PoolProperties\nPoolProperties: value string",
			map[string]string{"pools": "Pool"}, nil},
		{"other types of the same names", common + "NetProperties: pools []Part\nPart: name string, count integer, size string\n" +
			"Pool: properties PoolProperties\nPoolProperties: count integer, size []string",
			map[string]string{"pools": "Pool"}, nil},
		{"of two children that of the name", common + "NetProperties: inboundRules []Rule\nRule: name string, port integer",
			map[string]string{"inboundRules": "Rule", "outboundRules": "Rule"},
			[]ir.Collection{{Path: "properties/inboundRules", Type: net + "/inboundRules"}}},
		{"of two children neither", common + "NetProperties: rules []Rule\nRule: name string, port integer",
			map[string]string{"inboundRules": "Rule", "outboundRules": "Rule"}, nil},
		{"of two lists of a child that of the name", common + "NetProperties: rules []Rule, defaultRules []Rule\n" +
			"Rule: name string, port integer",
			map[string]string{"rules": "Rule"}, []ir.Collection{{Path: "properties/rules", Type: net + "/rules"}}},
		{"types that hold themselves", "Net: properties NetProperties\nNetProperties: more NetProperties, subnets []Subnet\n" +
			"Subnet: name string, prefix string",
			map[string]string{"subnets": "Subnet"}, []ir.Collection{{Path: "properties/subnets", Type: net + "/subnets"}}},
	} {
		t.Run(row.what, func(t *testing.T) {
			all := types(row.types)
			var children []Child
			for segment, body := range row.children {
				children = append(children, Child{net + "/" + segment, all[body]})
			}
			got := Find(all["Net"], children, func(r ir.TypeRef) *ir.Type { return all[r.Named] })
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestIsChild(t *testing.T) {
	for armType, want := range map[string]bool{
		"contoso.net/Nets/subnets": true, net: false, net + "/a/b": false, "Contoso.Net/others/a": false,
	} {
		if got := IsChild(armType, net); got != want {
			t.Errorf("%s: got %v", armType, got)
		}
	}
}
