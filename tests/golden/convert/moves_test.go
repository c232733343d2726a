package convert_test

import "testing"

// TestPropertiesThatMove sets properties at one version. Another version, which has
// them at another place, shows them. They come back if nobody changes them there, and
// otherwise the change does.
func TestPropertiesThatMove(t *testing.T) {
	for _, test := range []edit{
		{"into an object that is new", "m1", `{"latitude":1,"longitude":2}`, "m2", `{"coordinates":{"latitude":1,"longitude":2}}`,
			`{"coordinates":{"latitude":3,"longitude":null}}`, `{"latitude":3}`},
		{"which is absent without them", "m1", `{"id":"a"}`, "m2", `{"id":"a"}`, "", ""},
		{"and kept with what only it has", "m2", `{"coordinates":{"altitude":9,"latitude":1}}`, "m1", `{"latitude":1}`,
			`{"latitude":null,"longitude":2}`, `{"coordinates":{"altitude":9,"longitude":2}}`},
		{"and empty", "m2", `{"coordinates":{}}`, "m1", `{}`, `{"latitude":1}`, `{"coordinates":{"latitude":1}}`},
		{"into an object that was there", "m1", `{"disk":{"name":"d"},"size":3}`, "m2", `{"disk":{"name":"d","size":3}}`,
			`{"disk":{"size":null}}`, `{"disk":{"name":"d"}}`},
		{"and empty", "m1", `{"disk":{},"size":3}`, "m2", `{"disk":{"size":3}}`, `{"disk":{"size":4}}`, `{"disk":{},"size":4}`},
		{"or not there", "m1", `{"size":3}`, "m2", `{"disk":{"size":3}}`, `{"disk":null}`, `{}`},
		{"an object", "m1", `{"sku":{"name":"n","tier":"t"}}`, "m2", `{"plan":{"sku":{"name":"n","tier":"t"}}}`,
			`{"plan":{"sku":{"tier":null},"term":"year"}}`, `{"sku":{"name":"n"}}`},
		{"out of an object, with a reference and a list", "m1", `{"network":{"dns":["x"],"subnet":{"armId":"/s"}}}`, "m2",
			`{"dns":["x"],"subnet":{"armId":"/s"}}`, `{"dns":[],"subnet":null}`, `{"network":{"dns":[]}}`},
		{"which was there, and empty", "m1", `{"network":{}}`, "m2", `{}`, `{"port":1}`, `{"network":{"port":"1"}}`},
		{"with a safe change of type", "m1", `{"network":{"port":"80"}}`, "m2", `{"port":80}`, `{"port":81}`, `{"network":{"port":"81"}}`},
		{"that not all values have", "m1", `{"network":{"port":"080"}}`, "m2", `{}`, "", ""},
		{"which give way", "m1", `{"network":{"port":"080"}}`, "m2", `{}`, `{"port":8}`, `{"network":{"port":"8"}}`},
		{"a secret", "m1", `{"password":{"name":"n","key":"k"}}`, "m2", `{"login":{"password":{"name":"n","key":"k"}}}`,
			`{"login":{"user":"u"}}`, `{"login":{"user":"u"},"password":{"name":"n","key":"k"}}`},
		{"one that became a list, and left a property beside", "m1", `{"encryption":{"enabled":true,"key":"k"}}`, "m2",
			`{"encryptions":{"enabled":true,"items":[{"key":"k"}]}}`, `{"encryptions":{"items":null}}`, `{"encryption":{"enabled":true}}`},
		{"of which a second is kept", "m2", `{"encryptions":{"enabled":true,"items":[{"key":"k"},{"key":"l"}]}}`, "m1",
			`{"encryption":{"enabled":true}}`, `{"encryption":{"enabled":false}}`,
			`{"encryptions":{"enabled":false,"items":[{"key":"k"},{"key":"l"}]}}`},
		{"until one is set", "m2", `{"encryptions":{"items":[{"key":"k"},{"key":"l"}]}}`, "m1", `{}`,
			`{"encryption":{"key":"m"}}`, `{"encryptions":{"items":[{"key":"m"}]}}`},
		{"into an object of an object", "m1", `{"deep":"d"}`, "m2", `{"outer":{"inner":{"deep":"d"}}}`,
			`{"outer":{"inner":{"deep":"e","other":"i"},"other":"o"}}`, `{"deep":"e"}`},
		{"from one object to another", "m1", `{"left":{"own":"l","shared":{"a":"b"}}}`, "m2",
			`{"left":{"own":"l"},"right":{"shared":{"a":"b"}}}`, `{"right":{"own":"r"}}`,
			`{"left":{"own":"l","shared":{"a":"b"}},"right":{"own":"r"}}`},
		{"one type that became two", "m1", `{"first":{"a":"f","b":"x"},"second":{"a":"s","b":"y"}}`, "m2",
			`{"first":{"a":"f","b":"x"},"second":{"a":"s"}}`, `{"second":{"a":"t","d":"z"}}`,
			`{"first":{"a":"f","b":"x"},"second":{"a":"t","b":"y"}}`},
		{"two types that became one", "m1", `{"door":{"id":"d","steel":true},"lock":{"brass":true,"id":"l"}}`, "m2",
			`{"door":{"id":"d","steel":true},"lock":{"id":"l"}}`, `{"lock":{"id":"m"}}`,
			`{"door":{"id":"d","steel":true},"lock":{"brass":true,"id":"m"}}`},
		{"in the elements of a list", "m1", `{"homes":[{"street":"s"},{},{"city":"c"}]}`, "m2",
			`{"homes":[{"place":{"street":"s"}},{},{"place":{"city":"c"}}]}`, "", ""},
		{"over a version that lacks its new place, beside another property of the old name", "m1", `{"latitude":1}`, "m4",
			`{"coordinates":{"latitude":1}}`, `{"coordinates":{"latitude":2},"latitude":"north"}`, `{"latitude":2}`},
		{"and another of its type", "m1", `{"again":"a"}`, "m4", `{}`, `{"again":"b"}`, `{"again":"a"}`},
		{"out of where it came from, with another type", "m1", `{"size":3}`, "m4", `{"size":"3"}`, `{"size":"4"}`, `{"size":4}`},
		{"that not all values have", "m4", `{"size":"003"}`, "m1", `{}`, `{"size":4}`, `{"size":"4"}`},
	} {
		test.check(t)
	}
}
