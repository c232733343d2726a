"""Hubs and links of the group. Written by `bazel run //apis/widgets:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "Widget": {
            "hub": "v1beta20200505storage"
        }
    },
    "links": {}
}
