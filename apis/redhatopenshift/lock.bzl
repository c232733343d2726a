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
                "v20231122": "4140dec9f155",
                "v20250725": "0b430203e2b6"
            }
        }
    },
    "links": {
        "v20231122storage": [
            "v20250725storage"
        ]
    }
}
