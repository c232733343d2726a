"""Hubs and links of the group. Written by //apis/appconfiguration:lock.update; do not edit."""

LOCK = {
    "resources": {
        "ConfigurationStore": {
            "hub": "v1beta20240601storage",
            "versions": [
                "v1beta20240501",
                "v1beta20240601"
            ],
            "digests": {
                "v1beta20240501": "641676a18d63",
                "v1beta20240601": "15d331562c14"
            }
        },
        "ConfigurationStoreKeyValue": {
            "hub": "v1beta20240601storage",
            "versions": [
                "v1beta20240501",
                "v1beta20240601"
            ],
            "digests": {
                "v1beta20240501": "9b71a873befd",
                "v1beta20240601": "9b71a873befd"
            }
        },
        "ConfigurationStoreReplica": {
            "hub": "v1beta20240601storage",
            "versions": [
                "v1beta20240501",
                "v1beta20240601"
            ],
            "digests": {
                "v1beta20240501": "c9d7d08c22f9",
                "v1beta20240601": "c9d7d08c22f9"
            }
        }
    },
    "links": {
        "v1beta20240501storage": [
            "v1beta20240601storage"
        ]
    }
}
