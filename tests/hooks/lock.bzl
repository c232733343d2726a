"""Hubs and links of the group. Written by `bazel run //tests/hooks:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "Truck": {
            "hub": "v1beta20210101storage",
            "aliases": [
                "v1alpha1api20200101storage"
            ]
        }
    },
    "links": {}
}
