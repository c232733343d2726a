"""Hubs and links of the group. Written by //tests/conversions/hooks:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Truck": {
            "hub": "v1beta20210101storage",
            "versions": [
                "v1beta20200101",
                "v1beta20210101"
            ],
            "digests": {
                "v1beta20200101": "fe5dbb1c737e",
                "v1beta20210101": "e5b227d75ca8"
            },
            "aliases": [
                "v1alpha1api20200101storage"
            ]
        }
    },
    "links": {
        "v1alpha1api20200101storage": [
            "v1beta20200101storage"
        ],
        "v1beta20200101storage": [
            "v1beta20210101storage"
        ]
    }
}
