"""Hubs and links of the group. Written by //tests/e2e/releases/depot20170301:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Depot": {
            "hub": "v1alpha20170301storage",
            "versions": [
                "v1alpha20170301"
            ]
        },
        "Rack": {
            "hub": "v1alpha20170301storage",
            "versions": [
                "v1alpha20170301"
            ]
        }
    },
    "links": {}
}
