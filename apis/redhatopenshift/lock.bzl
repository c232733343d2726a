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
                "v20231122": "eda09478ff17",
                "v20250725": "cea4622da865"
            }
        }
    },
    "links": {
        "v20231122storage": [
            "v20250725storage"
        ]
    }
}
