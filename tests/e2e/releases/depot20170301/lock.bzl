"""Hubs and links of the group. Written by //tests/e2e/releases/depot20170301:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Depot": {
            "hub": "v20170301alpha1storage",
            "versions": [
                "v20170301alpha1"
            ],
            "digests": {
                "v20170301alpha1": "5bf32610b415"
            }
        },
        "Rack": {
            "hub": "v20170301alpha1storage",
            "versions": [
                "v20170301alpha1"
            ],
            "digests": {
                "v20170301alpha1": "7ec0e8148650"
            }
        }
    },
    "links": {}
}
