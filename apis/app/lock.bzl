"""Hubs and links of the group. Written by //apis/app:lock.update; do not edit."""

LOCK = {
    "resources": {
        "ContainerApp": {
            "hub": "v20260101storage",
            "versions": [
                "v20250701",
                "v20260101"
            ],
            "digests": {
                "v20250701": "2872f478a720",
                "v20260101": "0bb4d8b53f33"
            }
        },
        "ContainerAppAuthConfig": {
            "hub": "v20260101storage",
            "versions": [
                "v20250701",
                "v20260101"
            ],
            "digests": {
                "v20250701": "fafe5f675623",
                "v20260101": "fafe5f675623"
            }
        },
        "ContainerAppJob": {
            "hub": "v20260101storage",
            "versions": [
                "v20250701",
                "v20260101"
            ],
            "digests": {
                "v20250701": "70ada268bf08",
                "v20260101": "b121d1557342"
            }
        },
        "ManagedEnvironment": {
            "hub": "v20260101storage",
            "versions": [
                "v20250701",
                "v20260101"
            ],
            "digests": {
                "v20250701": "5a0a9acf2483",
                "v20260101": "066cf4e1fcb1"
            }
        },
        "ManagedEnvironmentCertificate": {
            "hub": "v20260101storage",
            "versions": [
                "v20250701",
                "v20260101"
            ],
            "digests": {
                "v20250701": "c4f34e9c4145",
                "v20260101": "c4f34e9c4145"
            }
        },
        "ManagedEnvironmentDaprComponent": {
            "hub": "v20260101storage",
            "versions": [
                "v20250701",
                "v20260101"
            ],
            "digests": {
                "v20250701": "b81f8f29508d",
                "v20260101": "b81f8f29508d"
            }
        },
        "ManagedEnvironmentStorage": {
            "hub": "v20260101storage",
            "versions": [
                "v20250701",
                "v20260101"
            ],
            "digests": {
                "v20250701": "da1febcfdbf9",
                "v20260101": "da1febcfdbf9"
            }
        }
    },
    "links": {
        "v20250701storage": [
            "v20260101storage"
        ]
    }
}
