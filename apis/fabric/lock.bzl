"""Hubs and links of the group. Written by //apis/fabric:lock.update; do not edit."""

LOCK = {
    "resources": {
        "FabricCapacity": {
            "hub": "v20231101storage",
            "versions": [
                "v20231101"
            ],
            "digests": {
                "v20231101": "0177b6cfa3a1"
            }
        }
    },
    "links": {}
}
