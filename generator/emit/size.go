package emit

import "encoding/json"

// MaxCRDBytes is the greatest size of a CRD as compact JSON, the form in which an
// API server stores it. It is safely below etcd's limit for one request.
const MaxCRDBytes = 1 << 20

// Size has the size of a CRD in bytes of compact JSON, as a whole and by cause. The
// rest, which has no cause here, stands beside the versions.
type Size struct {
	// CRD is its name.
	CRD   string
	Bytes int
	// Descriptions and Schemas are the sizes of the API versions: their docs, and
	// the rest.
	Descriptions, Schemas int
	// Storage is the size of the storage versions.
	Storage int
}

// weigh returns the size of a CRD that has these versions.
func weigh(crd node, versions []crdVersion) Size {
	size := Size{CRD: crd["metadata"].(node)["name"].(string), Bytes: jsonBytes(crd)}
	for i, entry := range crd["spec"].(node)["versions"].(list) {
		bytes := jsonBytes(entry)
		if versions[i].isStored() {
			size.Storage += bytes
			continue
		}
		descriptions := descriptionBytes(entry)
		size.Descriptions += descriptions
		size.Schemas += bytes - descriptions
	}
	return size
}

// jsonBytes returns the length of a value as compact JSON. It counts instead of
// writing the text, which would take as long as the rest of making a CRD.
func jsonBytes(value any) int {
	switch value := value.(type) {
	case node:
		bytes := len("{}") + max(0, len(value)-1)*len(",")
		for key, member := range value {
			bytes += jsonBytes(key) + len(":") + jsonBytes(member)
		}
		return bytes
	case list:
		bytes := len("[]") + max(0, len(value)-1)*len(",")
		for _, element := range value {
			bytes += jsonBytes(element)
		}
		return bytes
	}
	text, _ := json.Marshal(value) // a scalar
	return len(text)
}

// descriptionBytes returns the size of the descriptions below a value. A property
// that is named "description" is an object there, not a text.
func descriptionBytes(value any) int {
	bytes := 0
	switch value := value.(type) {
	case node:
		for key, member := range value {
			if text, ok := member.(string); ok && key == "description" {
				bytes += len(`"description":,`) + jsonBytes(text)
			} else {
				bytes += descriptionBytes(member)
			}
		}
	case list:
		for _, element := range value {
			bytes += descriptionBytes(element)
		}
	}
	return bytes
}
