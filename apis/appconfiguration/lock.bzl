"""Hubs and links of the group. Written by //apis/appconfiguration:lock.update; do not edit."""

LOCK = {
    "resources": {
        "ConfigurationStore": {
            "hub": "v20240601storage",
            "versions": [
                "v20240501",
                "v20240601"
            ],
            "digests": {
                "v20240501": "641676a18d63",
                "v20240601": "15d331562c14"
            }
        },
        "ConfigurationStoreKeyValue": {
            "hub": "v20240601storage",
            "versions": [
                "v20240501",
                "v20240601"
            ],
            "digests": {
                "v20240501": "9b71a873befd",
                "v20240601": "9b71a873befd"
            }
        },
        "ConfigurationStoreReplica": {
            "hub": "v20240601storage",
            "versions": [
                "v20240501",
                "v20240601"
            ],
            "digests": {
                "v20240501": "c9d7d08c22f9",
                "v20240601": "c9d7d08c22f9"
            }
        }
    },
    "links": {
        "v20240501storage": [
            "v20240601storage"
        ]
    }
}
