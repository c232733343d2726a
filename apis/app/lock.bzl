"""Hubs and links of the group. Written by //apis/app:lock.update; do not edit."""

LOCK = {
    "resources": {
        "ContainerApp": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20250701",
                "v1beta20260101"
            ],
            "digests": {
                "v1beta20250701": "2872f478a720",
                "v1beta20260101": "0bb4d8b53f33"
            }
        },
        "ContainerAppAuthConfig": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20250701",
                "v1beta20260101"
            ],
            "digests": {
                "v1beta20250701": "fafe5f675623",
                "v1beta20260101": "fafe5f675623"
            }
        },
        "ContainerAppJob": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20250701",
                "v1beta20260101"
            ],
            "digests": {
                "v1beta20250701": "ff6a500bd655",
                "v1beta20260101": "966547085472"
            }
        },
        "ManagedEnvironment": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20250701",
                "v1beta20260101"
            ],
            "digests": {
                "v1beta20250701": "14823f97fc90",
                "v1beta20260101": "24e3b9711808"
            }
        },
        "ManagedEnvironmentCertificate": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20250701",
                "v1beta20260101"
            ],
            "digests": {
                "v1beta20250701": "dba79934c191",
                "v1beta20260101": "038969a50d37"
            }
        },
        "ManagedEnvironmentDaprComponent": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20250701",
                "v1beta20260101"
            ],
            "digests": {
                "v1beta20250701": "b81f8f29508d",
                "v1beta20260101": "b81f8f29508d"
            }
        },
        "ManagedEnvironmentStorage": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20250701",
                "v1beta20260101"
            ],
            "digests": {
                "v1beta20250701": "da1febcfdbf9",
                "v1beta20260101": "da1febcfdbf9"
            }
        }
    },
    "links": {
        "v1beta20250701storage": [
            "v1beta20260101storage"
        ]
    }
}
