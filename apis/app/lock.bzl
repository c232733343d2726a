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
                "v20250701": "536cf7795c3a",
                "v20260101": "b6d6f980d161"
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
                "v20250701": "c427f91cf3ca",
                "v20260101": "1e630a0bc8a9"
            }
        },
        "ManagedEnvironment": {
            "hub": "v20260101storage",
            "versions": [
                "v20250701",
                "v20260101"
            ],
            "digests": {
                "v20250701": "1f6ac31956b9",
                "v20260101": "6e90a6428eec"
            }
        },
        "ManagedEnvironmentCertificate": {
            "hub": "v20260101storage",
            "versions": [
                "v20250701",
                "v20260101"
            ],
            "digests": {
                "v20250701": "2c6f3ced97cb",
                "v20260101": "2c6f3ced97cb"
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
