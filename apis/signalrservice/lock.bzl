"""Hubs and links of the group. Written by `bazel run //apis/signalrservice:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "SignalR": {
            "hub": "v1beta20211001storage"
        }
    },
    "links": {}
}
