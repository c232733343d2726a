"""Hubs and links of the group. Written by //apis/containerregistry:lock.update; do not edit."""

LOCK = {
    "resources": {
        "ContainerRegistry": {
            "hub": "v20251101storage",
            "versions": [
                "v20230701",
                "v20250401",
                "v20251101"
            ],
            "digests": {
                "v20230701": "c6532bca842f",
                "v20250401": "c36832a21868",
                "v20251101": "528300eb4026"
            }
        },
        "ContainerRegistryCacheRule": {
            "hub": "v20251101storage",
            "versions": [
                "v20230701",
                "v20250401",
                "v20251101"
            ],
            "digests": {
                "v20230701": "62f7ee37b7ce",
                "v20250401": "62f7ee37b7ce",
                "v20251101": "62f7ee37b7ce"
            }
        },
        "ContainerRegistryCredentialSet": {
            "hub": "v20251101storage",
            "versions": [
                "v20230701",
                "v20250401",
                "v20251101"
            ],
            "digests": {
                "v20230701": "5d52c80cbab2",
                "v20250401": "46a3780fdfc6",
                "v20251101": "46a3780fdfc6"
            }
        },
        "ContainerRegistryReplication": {
            "hub": "v20251101storage",
            "versions": [
                "v20230701",
                "v20250401",
                "v20251101"
            ],
            "digests": {
                "v20230701": "d2215f214f56",
                "v20250401": "075138a90f1b",
                "v20251101": "075138a90f1b"
            }
        },
        "ContainerRegistryScopeMap": {
            "hub": "v20251101storage",
            "versions": [
                "v20230701",
                "v20250401",
                "v20251101"
            ],
            "digests": {
                "v20230701": "9846b81ac426",
                "v20250401": "9846b81ac426",
                "v20251101": "9846b81ac426"
            }
        },
        "ContainerRegistryToken": {
            "hub": "v20251101storage",
            "versions": [
                "v20230701",
                "v20250401",
                "v20251101"
            ],
            "digests": {
                "v20230701": "b2542e54abb5",
                "v20250401": "8866616cf231",
                "v20251101": "8866616cf231"
            }
        },
        "ContainerRegistryWebhook": {
            "hub": "v20251101storage",
            "versions": [
                "v20230701",
                "v20250401",
                "v20251101"
            ],
            "digests": {
                "v20230701": "e5975bd41db8",
                "v20250401": "506a92949f77",
                "v20251101": "506a92949f77"
            }
        }
    },
    "links": {
        "v20230701storage": [
            "v20250401storage"
        ],
        "v20250401storage": [
            "v20251101storage"
        ]
    },
    "names": {
        "ContainerRegistryScopeMap": {
            "properties/type": "type",
            "type": "armType"
        }
    }
}
