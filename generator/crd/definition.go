// Package crd makes the CRDs of a service group. A [Definition] is a CRD with its
// text; an [Index] says what the CRDs of a group have, and a [Choice] which of their
// versions an API server serves.
package crd

// What a CRD is for Kubernetes.
const (
	apiVersion = "apiextensions.k8s.io/v1"
	kind       = "CustomResourceDefinition"
)

// Definition is a CRD.
type Definition struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
	Metadata   struct {
		Name        string            `yaml:"name"`
		Annotations map[string]string `yaml:"annotations"`
		Labels      map[string]string `yaml:"labels"`
	} `yaml:"metadata"`
	Spec struct {
		Conversion conversion `yaml:"conversion"`
		Group      string     `yaml:"group"`
		Names      names      `yaml:"names"`
		Scope      string     `yaml:"scope"`
		Versions   []*entry   `yaml:"versions"`
	} `yaml:"spec"`
}

// conversion says which webhook converts. A CRD of a group lacks the client
// configuration, which is required, so that the API server refuses the CRD. Without a
// conversion it would take the CRD, convert nothing but apiVersion, and so store
// objects in the wrong shape without an error.
type conversion struct {
	Strategy string `yaml:"strategy"`
	Webhook  struct {
		ClientConfig   *clientConfig `yaml:"clientConfig"`
		ReviewVersions []string      `yaml:"conversionReviewVersions"`
	} `yaml:"webhook"`
}

// newConversion returns the part of a conversion that all webhooks share.
func newConversion() conversion {
	c := conversion{Strategy: "Webhook"}
	c.Webhook.ReviewVersions = []string{"v1"}
	return c
}

// clientConfig says where the webhook is, and whom the API server trusts.
type clientConfig struct {
	CABundle string `yaml:"caBundle"`
	Service  struct {
		Name      string `yaml:"name"`
		Namespace string `yaml:"namespace"`
		Path      string `yaml:"path"`
		Port      int64  `yaml:"port"`
	} `yaml:"service"`
}

// names has the names of a kind.
type names struct {
	Categories []string `yaml:"categories"`
	Kind       string   `yaml:"kind"`
	ListKind   string   `yaml:"listKind"`
	Plural     string   `yaml:"plural"`
	ShortNames []string `yaml:"shortNames"`
	Singular   string   `yaml:"singular"`
}

// entry is a version in a CRD.
type entry struct {
	Columns            []Column `yaml:"additionalPrinterColumns"`
	Deprecated         bool     `yaml:"deprecated"`
	DeprecationWarning string   `yaml:"deprecationWarning"`
	Name               string   `yaml:"name"`
	Schema             struct {
		Root *schema `yaml:"openAPIV3Schema"`
	} `yaml:"schema"`
	Served       bool `yaml:"served"`
	Storage      bool `yaml:"storage"`
	Subresources struct {
		Status struct{} `yaml:"status"`
	} `yaml:"subresources"`
}

// Column is a column of the tables that kubectl shows.
type Column struct {
	JSONPath string `yaml:"jsonPath"`
	Name     string `yaml:"name"`
	// Priority is 0, or 1 for a column of wide tables.
	Priority int64  `yaml:"priority"`
	Type     string `yaml:"type"`
}

// schema is an OpenAPI schema, with the fields that CRDs of groups have.
type schema struct {
	AdditionalProperties *schema            `yaml:"additionalProperties"`
	AnyOf                []*schema          `yaml:"anyOf"`
	Description          string             `yaml:"description"`
	Enum                 []literal          `yaml:"enum"`
	ExclusiveMaximum     bool               `yaml:"exclusiveMaximum"`
	ExclusiveMinimum     bool               `yaml:"exclusiveMinimum"`
	Format               string             `yaml:"format"`
	Items                *schema            `yaml:"items"`
	MaxItems             *int64             `yaml:"maxItems"`
	MaxLength            *int64             `yaml:"maxLength"`
	MaxProperties        *int64             `yaml:"maxProperties"`
	Maximum              *float64           `yaml:"maximum"`
	MinItems             *int64             `yaml:"minItems"`
	MinLength            *int64             `yaml:"minLength"`
	Minimum              *float64           `yaml:"minimum"`
	MultipleOf           *float64           `yaml:"multipleOf"`
	Not                  *schema            `yaml:"not"`
	OneOf                []*schema          `yaml:"oneOf"`
	Pattern              string             `yaml:"pattern"`
	Properties           map[string]*schema `yaml:"properties"`
	Required             []string           `yaml:"required"`
	Type                 string             `yaml:"type"`
	ListMapKeys          []string           `yaml:"x-kubernetes-list-map-keys"`
	ListType             string             `yaml:"x-kubernetes-list-type"`
	PreserveUnknown      bool               `yaml:"x-kubernetes-preserve-unknown-fields"`
	Validations          []Rule             `yaml:"x-kubernetes-validations"`
}

// literal is a value of an enum: a text, or the JSON of another scalar.
type literal struct {
	text   string
	isText bool
}

// Rule is a CEL expression that an API server checks, with what it tells the user
// who breaks it.
type Rule struct {
	// FieldPath is the path of the property that the message is about, or "".
	FieldPath string `yaml:"fieldPath"`
	Message   string `yaml:"message"`
	Rule      string `yaml:"rule"`
}
