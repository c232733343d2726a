"""Hubs and links of the group. Written by //apis/containerinstance:lock.update; do not edit."""

LOCK = {
    "resources": {
        "ContainerGroup": {
            "hub": "v20260701storage",
            "versions": [
                "v20250901",
                "v20260701"
            ],
            "digests": {
                "v20250901": "8d9534819dc2",
                "v20260701": "e49fc9951509"
            }
        }
    },
    "links": {
        "v20250901storage": [
            "v20260701storage"
        ]
    }
}
