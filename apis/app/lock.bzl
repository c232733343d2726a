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
                "v20240301": "25e39515a3b5",
                "v20250701": "f0e85ba304c0",
                "v20260101": "f24578a34ae0"
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
                "v20250701": "949ce10fb80a",
                "v20260101": "70a44d806901"
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
