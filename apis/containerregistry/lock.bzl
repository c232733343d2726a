"""Hubs and links of the group. Written by //apis/containerregistry:lock.update; do not edit."""

LOCK = {
    "resources": {
        "ContainerRegistry": {
            "hub": "v1beta20251101storage",
            "versions": [
                "v1beta20250401",
                "v1beta20251101"
            ]
        },
        "ContainerRegistryCacheRule": {
            "hub": "v1beta20251101storage",
            "versions": [
                "v1beta20250401",
                "v1beta20251101"
            ]
        },
        "ContainerRegistryCredentialSet": {
            "hub": "v1beta20251101storage",
            "versions": [
                "v1beta20250401",
                "v1beta20251101"
            ]
        },
        "ContainerRegistryReplication": {
            "hub": "v1beta20251101storage",
            "versions": [
                "v1beta20250401",
                "v1beta20251101"
            ]
        },
        "ContainerRegistryScopeMap": {
            "hub": "v1beta20251101storage",
            "versions": [
                "v1beta20250401",
                "v1beta20251101"
            ]
        },
        "ContainerRegistryToken": {
            "hub": "v1beta20251101storage",
            "versions": [
                "v1beta20250401",
                "v1beta20251101"
            ]
        },
        "ContainerRegistryWebhook": {
            "hub": "v1beta20251101storage",
            "versions": [
                "v1beta20250401",
                "v1beta20251101"
            ]
        }
    },
    "links": {
        "v1beta20250401storage": [
            "v1beta20251101storage"
        ]
    },
    "names": {
        "ContainerRegistryScopeMap": {
            "properties/type": "type",
            "type": "armType"
        }
    }
}
