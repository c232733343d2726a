"""Hubs and links of the group. Written by //apis/containerinstance:lock.update; do not edit."""

LOCK = {
    "resources": {
        "ContainerGroup": {
            "hub": "v20260701storage",
            "versions": [
                "v20230501",
                "v20250901",
                "v20260701"
            ],
            "digests": {
                "v20230501": "0ddf7d42d37e",
                "v20250901": "efb9fa3742a6",
                "v20260701": "608ac6b34580"
            }
        }
    },
    "links": {
        "v20230501storage": [
            "v20250901storage"
        ],
        "v20250901storage": [
            "v20260701storage"
        ]
    }
}
