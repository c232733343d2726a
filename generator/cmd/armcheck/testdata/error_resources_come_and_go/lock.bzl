"""Hubs and links of the group. Written by `bazel run //apis/crm:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "Party": {
            "hub": "v1beta20140404storage"
        }
    },
    "links": {}
}
