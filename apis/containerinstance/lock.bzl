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
                "v20250901": "6d6f5b576acc",
                "v20260701": "0ac104fac982"
            }
        }
    },
    "links": {
        "v20250901storage": [
            "v20260701storage"
        ]
    }
}
