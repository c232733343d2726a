"""Hubs and links of the group. Written by //apis/redhatopenshift:lock.update; do not edit."""

LOCK = {
    "resources": {
        "OpenShiftCluster": {
            "hub": "v20250725storage",
            "versions": [
                "v20231122",
                "v20250725"
            ],
            "digests": {
                "v20231122": "63e69484842e",
                "v20250725": "620692c26f83"
            }
        }
    },
    "links": {
        "v20231122storage": [
            "v20250725storage"
        ]
    }
}
