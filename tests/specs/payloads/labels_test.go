package payloads

import "testing"

// TestSame compares what was stored before a client of another version has written, and after.
func TestSame(t *testing.T) {
	const before = `{"spec":{"$propertyBag":{"a":{"value":1,"version":"2020-01-01"},
		"b@2020-01-01":{"value":{"$propertyBag":{"c":{"value":2,"version":"2020-01-01"}}},"version":"2020-01-01"},
		"b@2021-01-01":{"value":"x","version":"2021-01-01"}}}}`
	for _, test := range []struct {
		behavior, after string
		same            bool
	}{
		{"the same", before, true},
		{"labels of other versions, also in values", `{"spec":{"$propertyBag":{"a":{"value":1,"version":"2021-01-01"},
			"b@2022-01-01":{"value":{"$propertyBag":{"c":{"value":2,"version":"2022-01-01"}}},"version":"2022-01-01"},
			"b@2020-06-01":{"value":"x","version":"2020-06-01"}}}}`, true},
		{"another value", `{"spec":{"$propertyBag":{"a":{"value":1,"version":"2020-01-01"},
			"b@2020-01-01":{"value":{"$propertyBag":{"c":{"value":3,"version":"2020-01-01"}}},"version":"2020-01-01"},
			"b@2021-01-01":{"value":"x","version":"2021-01-01"}}}}`, false},
		{"a value less", `{"spec":{"$propertyBag":{"a":{"value":1,"version":"2020-01-01"},
			"b@2021-01-01":{"value":"x","version":"2021-01-01"}}}}`, false},
		{"a property less", `{"spec":{"$propertyBag":{
			"b@2020-01-01":{"value":{"$propertyBag":{"c":{"value":2,"version":"2020-01-01"}}},"version":"2020-01-01"},
			"b@2021-01-01":{"value":"x","version":"2021-01-01"}}}}`, false},
	} {
		t.Run(test.behavior, func(t *testing.T) {
			if err := same("stored", parse([]byte(before)), parse([]byte(test.after))); (err == nil) != test.same {
				t.Errorf("error = %v, want none: %v", err, test.same)
			}
		})
	}
}
