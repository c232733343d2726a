"""Hubs and links of the group. Written by //tests/conversions/hooks:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Truck": {
            "hub": "v20210101storage",
            "versions": [
                "v20200101",
                "v20210101"
            ],
            "digests": {
                "v20200101": "fe5dbb1c737e",
                "v20210101": "e5b227d75ca8"
            },
            "aliases": [
                "v1alpha1api20200101storage"
            ]
        }
    },
    "links": {
        "v1alpha1api20200101storage": [
            "v20200101storage"
        ],
        "v20200101storage": [
            "v20210101storage"
        ]
    }
}
