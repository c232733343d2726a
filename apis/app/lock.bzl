"""Hubs and links of the group. Written by //apis/app:lock.update; do not edit."""

LOCK = {
    "resources": {
        "ContainerApp": {
            "hub": "v20260101storage",
            "versions": [
                "v20240301",
                "v20250701",
                "v20260101"
            ],
            "digests": {
                "v20240301": "94ab2b3c7586",
                "v20250701": "3e0d8b51874a",
                "v20260101": "d206377088b2"
            }
        },
        "ContainerAppAuthConfig": {
            "hub": "v20260101storage",
            "versions": [
                "v20240301",
                "v20250701",
                "v20260101"
            ],
            "digests": {
                "v20240301": "62b51dd21553",
                "v20250701": "fafe5f675623",
                "v20260101": "fafe5f675623"
            }
        },
        "ContainerAppJob": {
            "hub": "v20260101storage",
            "versions": [
                "v20240301",
                "v20250701",
                "v20260101"
            ],
            "digests": {
                "v20240301": "aa5d4283d343",
                "v20250701": "55cc27ab351d",
                "v20260101": "cb26d80c5cd0"
            }
        },
        "ManagedEnvironment": {
            "hub": "v20260101storage",
            "versions": [
                "v20240301",
                "v20250701",
                "v20260101"
            ],
            "digests": {
                "v20240301": "93685cbed7ff",
                "v20250701": "0e29e2ae3511",
                "v20260101": "c8ae1651d2f7"
            }
        },
        "ManagedEnvironmentCertificate": {
            "hub": "v20260101storage",
            "versions": [
                "v20240301",
                "v20250701",
                "v20260101"
            ],
            "digests": {
                "v20240301": "8f21d97ebfeb",
                "v20250701": "2c6f3ced97cb",
                "v20260101": "2c6f3ced97cb"
            }
        },
        "ManagedEnvironmentDaprComponent": {
            "hub": "v20260101storage",
            "versions": [
                "v20240301",
                "v20250701",
                "v20260101"
            ],
            "digests": {
                "v20240301": "a8b36efe0ca6",
                "v20250701": "6b550ed79d34",
                "v20260101": "6b550ed79d34"
            }
        },
        "ManagedEnvironmentStorage": {
            "hub": "v20260101storage",
            "versions": [
                "v20240301",
                "v20250701",
                "v20260101"
            ],
            "digests": {
                "v20240301": "dc9b451382b3",
                "v20250701": "da1febcfdbf9",
                "v20260101": "da1febcfdbf9"
            }
        }
    },
    "links": {
        "v20240301storage": [
            "v20250701storage"
        ],
        "v20250701storage": [
            "v20260101storage"
        ]
    }
}
