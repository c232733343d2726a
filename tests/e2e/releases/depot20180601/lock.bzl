"""Hubs and links of the group. Written by //tests/e2e/releases/depot20180601:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Depot": {
            "hub": "v1alpha20180601storage",
            "versions": [
                "v1alpha20170301",
                "v1alpha20180601"
            ],
            "former": [
                "v1alpha20170301storage"
            ]
        },
        "Rack": {
            "hub": "v1alpha20180601storage",
            "versions": [
                "v1alpha20170301",
                "v1alpha20180601"
            ],
            "former": [
                "v1alpha20170301storage"
            ]
        }
    },
    "links": {
        "v1alpha20170301storage": [
            "v1alpha20180601storage"
        ]
    }
}
