"""Hubs and links of the group. Written by `bazel run //tests/e2e/releases/crm20211111:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "Party": {
            "hub": "v1beta20211111storage"
        },
        "Person": {
            "hub": "v1beta20211111storage",
            "former": [
                "v1beta20190909storage",
                "v1beta20201010storage"
            ]
        }
    },
    "links": {}
}
