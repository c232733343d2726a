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
                "v20230501": "8942e1577760",
                "v20250901": "254e7664a8e8",
                "v20260701": "57549cba901e"
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
