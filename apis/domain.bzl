"""The domain of the API groups of this repository."""

# A group is the name of the service and then this, such as cache.azure.armature.dev. Its end is that of annotations,
# finalizers and roles (Domain in runtime/annotation), until somebody owns a domain: docs/stability.md.
DOMAIN = "azure.armature.dev"
