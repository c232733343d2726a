"""Hubs and links of the group. Written by //apis/appconfiguration:lock.update; do not edit."""

LOCK = {
    "resources": {
        "ConfigurationStore": {
            "hub": "v1beta20240601storage",
            "versions": [
                "v1beta20240501",
                "v1beta20240601"
            ]
        },
        "ConfigurationStoreKeyValue": {
            "hub": "v1beta20240601storage",
            "versions": [
                "v1beta20240501",
                "v1beta20240601"
            ]
        },
        "ConfigurationStoreReplica": {
            "hub": "v1beta20240601storage",
            "versions": [
                "v1beta20240501",
                "v1beta20240601"
            ]
        }
    },
    "links": {
        "v1beta20240501storage": [
            "v1beta20240601storage"
        ]
    }
}
