"""Hubs and links of the group. Written by //tests/e2e/releases/depot20180601:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Depot": {
            "hub": "v20180601alpha1storage",
            "versions": [
                "v20170301alpha1",
                "v20180601alpha1"
            ],
            "digests": {
                "v20170301alpha1": "5bf32610b415",
                "v20180601alpha1": "4bbe44e2d492"
            },
            "former": [
                "v20170301alpha1storage"
            ]
        },
        "Rack": {
            "hub": "v20180601alpha1storage",
            "versions": [
                "v20170301alpha1",
                "v20180601alpha1"
            ],
            "digests": {
                "v20170301alpha1": "7ec0e8148650",
                "v20180601alpha1": "756627bb593d"
            },
            "former": [
                "v20170301alpha1storage"
            ]
        }
    },
    "links": {
        "v20170301alpha1storage": [
            "v20180601alpha1storage"
        ]
    }
}
