// Package crd makes the CRDs of a service group. A [Definition] is a CRD with its
// text; an [Index] says what the CRDs of a group have, and a [Choice] which of their
// versions an API server serves.
package crd

// What a CRD is for Kubernetes.
const (
	apiVersion = "apiextensions.k8s.io/v1"
	kind       = "CustomResourceDefinition"
)

// Definition is a CRD. Its fields, and those of its parts, are in the order of their
// keys. A field is written unless it is empty and has the option omitempty.
type Definition struct {
	APIVersion string `yaml:"apiVersion,omitempty"`
	Kind       string `yaml:"kind,omitempty"`
	Metadata   struct {
		Annotations map[string]string `yaml:"annotations,omitempty"`
		Labels      map[string]string `yaml:"labels,omitempty"`
		Name        string            `yaml:"name,omitempty"`
	} `yaml:"metadata,omitempty"`
	Spec struct {
		Conversion conversion `yaml:"conversion,omitempty"`
		Group      string     `yaml:"group,omitempty"`
		Names      names      `yaml:"names,omitempty"`
		Scope      string     `yaml:"scope,omitempty"`
		Versions   []*entry   `yaml:"versions,omitempty"`
	} `yaml:"spec,omitempty"`
}

// conversion says which webhook converts. A CRD of a group lacks the client
// configuration, which is required, so that the API server refuses the CRD. Without a
// conversion it would take the CRD, convert nothing but apiVersion, and so store
// objects in the wrong shape without an error.
type conversion struct {
	Strategy string `yaml:"strategy,omitempty"`
	Webhook  struct {
		ClientConfig   *clientConfig `yaml:"clientConfig,omitempty"`
		ReviewVersions []string      `yaml:"conversionReviewVersions,omitempty"`
	} `yaml:"webhook,omitempty"`
}

// newConversion returns the part of a conversion that all webhooks share.
func newConversion() conversion {
	c := conversion{Strategy: "Webhook"}
	c.Webhook.ReviewVersions = []string{"v1"}
	return c
}

// clientConfig says where the webhook is, and whom the API server trusts.
type clientConfig struct {
	CABundle string   `yaml:"caBundle,omitempty"`
	Service  *service `yaml:"service,omitempty"`
	URL      string   `yaml:"url,omitempty"`
}

// service is a Service of the cluster.
type service struct {
	Name      string `yaml:"name,omitempty"`
	Namespace string `yaml:"namespace,omitempty"`
	Path      string `yaml:"path,omitempty"`
	Port      int64  `yaml:"port"`
}

// names has the names of a kind.
type names struct {
	Categories []string `yaml:"categories,omitempty"`
	Kind       string   `yaml:"kind,omitempty"`
	ListKind   string   `yaml:"listKind,omitempty"`
	Plural     string   `yaml:"plural,omitempty"`
	ShortNames []string `yaml:"shortNames,omitempty"`
	Singular   string   `yaml:"singular,omitempty"`
}

// entry is a version in a CRD.
type entry struct {
	Columns            []Column `yaml:"additionalPrinterColumns,omitempty"`
	Deprecated         bool     `yaml:"deprecated,omitempty"`
	DeprecationWarning string   `yaml:"deprecationWarning,omitempty"`
	Name               string   `yaml:"name,omitempty"`
	Schema             struct {
		Root *schema `yaml:"openAPIV3Schema,omitempty"`
	} `yaml:"schema,omitempty"`
	Served       bool `yaml:"served"`
	Storage      bool `yaml:"storage"`
	Subresources struct {
		Status struct{} `yaml:"status"`
	} `yaml:"subresources"`
}

// Column is a column of the tables that kubectl shows.
type Column struct {
	JSONPath string `yaml:"jsonPath,omitempty"`
	Name     string `yaml:"name,omitempty"`
	// Priority is 0, or 1 for a column of wide tables.
	Priority int64  `yaml:"priority,omitempty"`
	Type     string `yaml:"type,omitempty"`
}

// schema is an OpenAPI schema, with the fields that CRDs of groups have.
type schema struct {
	AdditionalProperties *schema            `yaml:"additionalProperties,omitempty"`
	AllOf                []*condition       `yaml:"allOf,omitempty"`
	Default              map[string]int64   `yaml:"default,omitempty"`
	Description          string             `yaml:"description,omitempty"`
	Enum                 []literal          `yaml:"enum,omitempty"`
	ExclusiveMaximum     bool               `yaml:"exclusiveMaximum,omitempty"`
	ExclusiveMinimum     bool               `yaml:"exclusiveMinimum,omitempty"`
	Format               string             `yaml:"format,omitempty"`
	Items                *schema            `yaml:"items,omitempty"`
	MaxItems             *int64             `yaml:"maxItems,omitempty"`
	MaxLength            *int64             `yaml:"maxLength,omitempty"`
	MaxProperties        *int64             `yaml:"maxProperties,omitempty"`
	Maximum              *float64           `yaml:"maximum,omitempty"`
	MinItems             *int64             `yaml:"minItems,omitempty"`
	MinLength            *int64             `yaml:"minLength,omitempty"`
	Minimum              *float64           `yaml:"minimum,omitempty"`
	MultipleOf           *float64           `yaml:"multipleOf,omitempty"`
	OneOf                []*condition       `yaml:"oneOf,omitempty"`
	Pattern              string             `yaml:"pattern,omitempty"`
	Properties           map[string]*schema `yaml:"properties,omitempty"`
	Required             []string           `yaml:"required,omitempty"`
	Type                 string             `yaml:"type,omitempty"`
	ListMapKeys          []string           `yaml:"x-kubernetes-list-map-keys,omitempty"`
	ListType             string             `yaml:"x-kubernetes-list-type,omitempty"`
	PreserveUnknown      bool               `yaml:"x-kubernetes-preserve-unknown-fields,omitempty"`
	Validations          []Rule             `yaml:"x-kubernetes-validations,omitempty"`
}

// condition is a condition on another schema. It does not count as a schema.
type condition struct {
	AnyOf    []*condition `yaml:"anyOf,omitempty"`
	Not      *condition   `yaml:"not,omitempty"`
	OneOf    []*condition `yaml:"oneOf,omitempty"`
	Required []string     `yaml:"required,omitempty"`
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
	FieldPath string `yaml:"fieldPath,omitempty"`
	Message   string `yaml:"message,omitempty"`
	Rule      string `yaml:"rule,omitempty"`
}
