"""Hubs and links of the group. Written by `bazel run //apis/eventgrid:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "Domain": {
            "hub": "v1beta20200601storage"
        },
        "DomainTopic": {
            "hub": "v1beta20200601storage"
        },
        "EventSubscription": {
            "hub": "v1beta20200601storage"
        },
        "Topic": {
            "hub": "v1beta20200601storage"
        }
    },
    "links": {}
}
