package service

// Request says what to add, and where.
type Request struct {
	Repository
	// Specs is the folder of the published specs.
	Specs Specs
	// Provider is the ARM resource provider, in any case: "microsoft.web".
	Provider string
	// Group is the name of the group's folder. The default is the name of the provider in lower case, without
	// dots and without Microsoft's name.
	Group string
	Choice

	offer  *offer // read by Ask
	unread bool   // whether it is one of many, of which nobody reads what is decided
}

// Update says which versions to add to a group of the repository.
type Update struct {
	Repository
	// Specs is the folder of the published specs.
	Specs Specs
	// Group is the name of the group's folder, or the provider of the group.
	Group string
	// APIVersion is ARM's name of the version. If it is "", the newest versions are added.
	APIVersion string
	// Stable is how many of the newest stable versions of each exported type are added.
	Stable int
	// Preview says to add the newest preview of each exported type too, if it is newer
	// than the newest stable version.
	Preview bool
}

// Choice says which resource types and API versions of a provider to add.
type Choice struct {
	// Types are patterns of [path.Match] for resource types, without the
	// provider, such as "virtualNetworks" or "virtualNetworks/*". Without any, all
	// types are chosen.
	Types []string
	// Versions are API versions. Without any, each type is added at its newest
	// stable version and at the previews newer than that, or, if it has no stable
	// version, at its newest preview.
	Versions []string
}
