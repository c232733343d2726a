"""Hubs and links of the group. Written by `bazel run //apis/servicebus:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "Namespace": {
            "hub": "v1beta20170401storage"
        },
        "NamespaceAuthorizationRule": {
            "hub": "v1beta20170401storage"
        },
        "Queue": {
            "hub": "v1beta20170401storage"
        },
        "Topic": {
            "hub": "v1beta20170401storage"
        },
        "TopicAuthorizationRule": {
            "hub": "v1beta20170401storage"
        },
        "TopicSubscription": {
            "hub": "v1beta20170401storage"
        },
        "TopicSubscriptionRule": {
            "hub": "v1beta20170401storage"
        }
    },
    "links": {}
}
