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
                "v20230501": "93048e3be873",
                "v20250901": "a37de7e4d389",
                "v20260701": "f0d2b47dd073"
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
