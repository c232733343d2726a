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
                "v20230501": "bee1d0684412",
                "v20250901": "8ab49544bdd5",
                "v20260701": "6d5568631820"
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
