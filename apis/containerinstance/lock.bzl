"""Hubs and links of the group. Written by //apis/containerinstance:lock.update; do not edit."""

LOCK = {
    "resources": {
        "ContainerGroup": {
            "hub": "v1beta20260701storage",
            "versions": [
                "v1beta20250901",
                "v1beta20260701"
            ],
            "digests": {
                "v1beta20250901": "0811a4549347",
                "v1beta20260701": "e7cd1642cbd6"
            }
        }
    },
    "links": {
        "v1beta20250901storage": [
            "v1beta20260701storage"
        ]
    }
}
