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
                "v20240301": "da716bbc2f8e",
                "v20250701": "822a5f3d43d0",
                "v20260101": "b4e69dce7e06"
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
                "v20240301": "f9d86b99dac1",
                "v20250701": "f64b06ddb5c4",
                "v20260101": "f64b06ddb5c4"
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
                "v20240301": "689132b0dc36",
                "v20250701": "924b4a3a61c5",
                "v20260101": "400ccae9d6db"
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
                "v20240301": "0d6b8297648e",
                "v20250701": "e1a6eec36d51",
                "v20260101": "8cd003a723dc"
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
                "v20250701": "3e6946e8f9fa",
                "v20260101": "3e6946e8f9fa"
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
                "v20240301": "218008cc4bea",
                "v20250701": "300da0b22801",
                "v20260101": "300da0b22801"
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
                "v20250701": "793307c1907e",
                "v20260101": "793307c1907e"
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
