"""Hubs and links of the group. Written by `bazel run //apis/crm:lock.update`; do not edit."""

LOCK = {
    "resources": {},
    "links": {}
}
