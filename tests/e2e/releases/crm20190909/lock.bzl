"""Hubs and links of the group. Written by `bazel run //tests/e2e/releases/crm20190909:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "Person": {
            "hub": "v1beta20190909storage"
        }
    },
    "links": {}
}
