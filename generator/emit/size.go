package emit

import (
	"encoding/json"

	"github.com/armature-dev/armature/generator/serve"
)

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
	// Versions has each version, in the order of the CRD.
	Versions []serve.Version
}

// weigh returns the size of a CRD that has these versions.
func weigh(crd node, versions []crdVersion) Size {
	size := Size{CRD: crd["metadata"].(node)["name"].(string), Bytes: jsonBytes(crd)}
	for i, entry := range crd["spec"].(node)["versions"].(list) {
		bytes := jsonBytes(entry)
		size.Versions = append(size.Versions, serve.Version{
			Name: entry.(node)["name"].(string), Served: versions[i].isServed(), Storage: versions[i].role == hub,
			Bytes: bytes, Nodes: schemas(entry.(node)["schema"].(node)["openAPIV3Schema"]),
		})
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

// schemas returns the number of schemas in a schema, itself included. There are none
// in a value that is no object.
func schemas(value any) int {
	schema, isSchema := value.(node)
	if !isSchema {
		return 0
	}
	n := 1 + schemas(schema["items"]) + schemas(schema["additionalProperties"])
	properties, _ := schema["properties"].(node)
	for _, p := range properties {
		n += schemas(p)
	}
	return n
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
