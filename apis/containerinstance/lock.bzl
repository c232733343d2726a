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
                "v20230501": "3f27832b3837",
                "v20250901": "3b157efd7cd8",
                "v20260701": "ada5d2cad66c"
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
