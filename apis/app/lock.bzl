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
                "v20250701": "79ff9a535782",
                "v20260101": "e23d3b2c749b"
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
                "v20250701": "e09fafa08ad6",
                "v20260101": "74eda1ca096b"
            }
        },
        "ManagedEnvironment": {
            "hub": "v20260101storage",
            "versions": [
                "v20250701",
                "v20260101"
            ],
            "digests": {
                "v20250701": "0e29e2ae3511",
                "v20260101": "c8ae1651d2f7"
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
                "v20250701": "6b550ed79d34",
                "v20260101": "6b550ed79d34"
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
