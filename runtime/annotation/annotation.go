// Package annotation has the names that Armature gives to annotations, labels and
// finalizers of objects, and the values that are known before anything runs. It
// imports nothing, so that every package can use it.
package annotation

// Domain is what the names of annotations, labels and finalizers begin with, and the API
// group of the permissions that only Armature checks.
const Domain = "armature.dev"

// GroupDomain is what the API groups of Azure's services end with that Armature publishes,
// such as cache.azure.armature.dev.
const GroupDomain = "azure." + Domain

// Annotations that users set.
const (
	// APIVersion is the version that a resource is written for, such as
	// "v20190909". It takes precedence over what is known from the clients that
	// wrote the resource.
	APIVersion = Domain + "/api-version"
	// Exact asks that the Spec be exactly what the manifest says, without what only
	// other versions have. Its value is the manifest's version.
	Exact = Domain + "/exact"
	// Adopt is what the operator does about a resource that ARM has and that is not from
	// the object. Its values are [AdoptCreate], which is the default, [AdoptAdopt],
	// [AdoptExact] and [AdoptObserve]. On a Namespace it is the default and the limit of
	// its objects.
	Adopt = Domain + "/adopt"
	// Deletion is what becomes of the resource when the object is deleted. Its values are
	// [DeletionDelete], which is the default, [DeletionDetach], which is that of a
	// resource that was adopted, and [DeletionProtect]. On a Namespace it is the default
	// and the limit of its objects.
	Deletion = Domain + "/deletion"
	// Drift is what the operator does about what somebody else has changed in ARM. Its values are [DriftReport], which
	// is the default, [DriftCorrect] and [DriftIgnore]. On a Namespace it is the default of its objects, which ignore
	// nothing unless it says so.
	Drift = Domain + "/drift"
	// Ignore lists, with commas between them, paths of the Spec such as spec.tags["owner"] that somebody else manages
	// in ARM. A PUT takes what ARM has there.
	Ignore = Domain + "/ignore"
	// Refresh has any text, such as the present time. When it changes, the resource is read from ARM once.
	Refresh = Domain + "/refresh"
	// CredentialFrom is the name of a Secret in the object's namespace that has the
	// credential for ARM.
	CredentialFrom = Domain + "/credential-from"
	// AuxiliaryCredentialFrom is the name of a Secret in the object's namespace that has a
	// credential for another tenant, where the Spec refers to a resource of that.
	AuxiliaryCredentialFrom = Domain + "/auxiliary-credential-from"
	// Scopes is on a Namespace, and lists the subscriptions and resource groups that the
	// operator may send requests about for its objects. Without it, it may all that the
	// credential may.
	Scopes = Domain + "/scopes"
	// StopServing lists, with commas between them, the versions that a CRD may stop
	// serving.
	StopServing = Domain + "/stop-serving"
)

// Annotations that Armature sets.
const (
	// Remainder holds what an API version cannot, while a client has the object. It is
	// never stored.
	Remainder = Domain + "/remainder"
	// Unreadable lists what is in the stored object and cannot be read at any version.
	// It is never stored.
	Unreadable = Domain + "/unreadable"
	// Sent is what the operator sent to ARM for the object.
	Sent = Domain + "/sent"
	// Operator names the operator that manages the object: namespace and instance.
	Operator = Domain + "/operator"
	// SentAPIVersion is the API version of the operator's last request to ARM. It is a
	// column of kubectl's.
	SentAPIVersion = Domain + "/sent-api-version"
	// OutputMetadata is on the Secrets with outputs that have labels or annotations from the
	// Spec of an object. It has their names, so that those go that are no longer asked for.
	OutputMetadata = Domain + "/output-metadata"
)

// Labels.
const (
	// RemainderLabel marks an object whose annotations have no room for [Remainder],
	// not even for a marker. The API server does not limit the size of all labels. It
	// is never stored.
	RemainderLabel = Remainder
	// OutputOf is on the Secrets and ConfigMaps that have outputs. Its value is the UID
	// of the object that they belong to.
	OutputOf = Domain + "/output-of"
	// CredentialHolder is on the Secrets that have [CredentialFinalizer], so that the
	// operator finds those again that it put the finalizer on. Its value stands for that
	// operator.
	CredentialHolder = Domain + "/credential-holder"
)

// Finalizers.
const (
	// ResourceFinalizer keeps an object until its Azure resource is gone.
	ResourceFinalizer = Domain + "/resource"
	// CredentialFinalizer keeps a Secret while objects need it to be deleted.
	CredentialFinalizer = Domain + "/credential"
)

// Values of [Adopt], the strictest last.
const (
	// AdoptExact takes the resource over: it gets what the Spec says, and nothing else.
	AdoptExact = "exact"
	// AdoptAdopt takes the resource over: it gets what the Spec says, and keeps the rest.
	AdoptAdopt = "adopt"
	// AdoptCreate leaves the resource alone, and sends nothing.
	AdoptCreate = "create"
	// AdoptObserve keeps the Status up to date, and sends nothing, whether or not ARM has
	// the resource.
	AdoptObserve = "observe"
)

// Values of [Deletion], the strictest last.
const (
	// DeletionDelete deletes the resource with the object.
	DeletionDelete = "delete"
	// DeletionDetach lets the resource stay.
	DeletionDetach = "detach"
	// DeletionProtect lets the resource stay, and keeps the object, until the annotation
	// has another value.
	DeletionProtect = "protect"
)

// Values of [Drift].
const (
	// DriftIgnore says nothing about what somebody else has changed.
	DriftIgnore = "ignore"
	// DriftReport says it in a condition.
	DriftReport = "report"
	// DriftCorrect says it, and sends the Spec again.
	DriftCorrect = "correct"
)

// Parts of the text of [Remainder] in format 2, which package remainder writes. Admission
// policies search the text for them, because CEL cannot parse JSON.
const (
	// RemainderGeneration is how the text begins if it states a generation, which
	// follows, and then a comma.
	RemainderGeneration = `{"format":2,"generation":`
	// RemainderLost comes before what the version cannot hold.
	RemainderLost = `"lost":`
	// RemainderSize comes before the size of what had no room. It is in a marker, which
	// has no [RemainderLost].
	RemainderSize = `"size":`
)
