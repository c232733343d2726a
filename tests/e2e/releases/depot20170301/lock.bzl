"""Hubs and links of the group. Written by //tests/e2e/releases/depot20170301:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Depot": {
            "hub": "v1alpha20170301storage",
            "versions": [
                "v1alpha20170301"
            ],
            "digests": {
                "v1alpha20170301": "5bf32610b415"
            }
        },
        "Rack": {
            "hub": "v1alpha20170301storage",
            "versions": [
                "v1alpha20170301"
            ],
            "digests": {
                "v1alpha20170301": "7ec0e8148650"
            }
        }
    },
    "links": {}
}
