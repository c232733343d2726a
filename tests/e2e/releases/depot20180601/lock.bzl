"""Hubs and links of the group. Written by //tests/e2e/releases/depot20180601:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Depot": {
            "hub": "v1alpha20180601storage",
            "versions": [
                "v1alpha20170301",
                "v1alpha20180601"
            ],
            "digests": {
                "v1alpha20170301": "5bf32610b415",
                "v1alpha20180601": "4bbe44e2d492"
            },
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
            "digests": {
                "v1alpha20170301": "7ec0e8148650",
                "v1alpha20180601": "756627bb593d"
            },
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
