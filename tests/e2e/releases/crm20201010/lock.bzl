"""Hubs and links of the group. Written by `bazel run //tests/e2e/releases/crm20201010:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "Person": {
            "hub": "v1beta20201010storage",
            "former": [
                "v1beta20190909storage"
            ]
        }
    },
    "links": {}
}
