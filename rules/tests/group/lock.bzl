"""Hubs and links of the group. Written by `bazel run //rules/tests/group:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "Cart": {
            "hub": "v1beta20200101storage"
        }
    },
    "links": {}
}
