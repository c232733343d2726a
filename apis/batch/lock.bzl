"""Hubs and links of the group. Written by `bazel run //apis/batch:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "BatchAccount": {
            "hub": "v1beta20221001storage"
        },
        "BatchAccountPool": {
            "hub": "v1beta20221001storage"
        }
    },
    "links": {}
}
