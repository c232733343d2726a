"""Hubs and links of the group. Written by //apis/containerregistry:lock.update; do not edit."""

LOCK = {
    "resources": {
        "ContainerRegistry": {
            "hub": "v1beta20251101storage",
            "versions": [
                "v1beta20250401",
                "v1beta20251101"
            ],
            "digests": {
                "v1beta20250401": "9872cc75bfa3",
                "v1beta20251101": "6afa17b14f4e"
            }
        },
        "ContainerRegistryCacheRule": {
            "hub": "v1beta20251101storage",
            "versions": [
                "v1beta20250401",
                "v1beta20251101"
            ],
            "digests": {
                "v1beta20250401": "62f7ee37b7ce",
                "v1beta20251101": "62f7ee37b7ce"
            }
        },
        "ContainerRegistryCredentialSet": {
            "hub": "v1beta20251101storage",
            "versions": [
                "v1beta20250401",
                "v1beta20251101"
            ],
            "digests": {
                "v1beta20250401": "d553f9e4e002",
                "v1beta20251101": "d553f9e4e002"
            }
        },
        "ContainerRegistryReplication": {
            "hub": "v1beta20251101storage",
            "versions": [
                "v1beta20250401",
                "v1beta20251101"
            ],
            "digests": {
                "v1beta20250401": "45a9716ac527",
                "v1beta20251101": "45a9716ac527"
            }
        },
        "ContainerRegistryScopeMap": {
            "hub": "v1beta20251101storage",
            "versions": [
                "v1beta20250401",
                "v1beta20251101"
            ],
            "digests": {
                "v1beta20250401": "9846b81ac426",
                "v1beta20251101": "9846b81ac426"
            }
        },
        "ContainerRegistryToken": {
            "hub": "v1beta20251101storage",
            "versions": [
                "v1beta20250401",
                "v1beta20251101"
            ],
            "digests": {
                "v1beta20250401": "79a5384a42d4",
                "v1beta20251101": "79a5384a42d4"
            }
        },
        "ContainerRegistryWebhook": {
            "hub": "v1beta20251101storage",
            "versions": [
                "v1beta20250401",
                "v1beta20251101"
            ],
            "digests": {
                "v1beta20250401": "9fb3d1a2722b",
                "v1beta20251101": "9fb3d1a2722b"
            }
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
