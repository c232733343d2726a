"""Hubs and links of the group. Written by //apis/databricks:lock.update; do not edit."""

LOCK = {
    "resources": {
        "DatabricksAccessConnector": {
            "hub": "v20260101storage",
            "versions": [
                "v20260101"
            ],
            "digests": {
                "v20260101": "4ca5713e7709"
            }
        },
        "DatabricksVirtualNetworkPeering": {
            "hub": "v20260101storage",
            "versions": [
                "v20260101"
            ],
            "digests": {
                "v20260101": "dfb01c7d5cab"
            }
        },
        "DatabricksWorkspace": {
            "hub": "v20260101storage",
            "versions": [
                "v20260101"
            ],
            "digests": {
                "v20260101": "9190efc0e1c2"
            }
        }
    },
    "links": {}
}
