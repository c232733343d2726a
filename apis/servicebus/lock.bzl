"""Hubs and links of the group. Written by `./bazelw run //apis/servicebus:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "NamespaceAuthorizationRule": {
            "hub": "v1beta20170401storage",
            "versions": [
                "v1beta20150801",
                "v1beta20170401",
                "v1alpha20180101",
                "v1alpha20210101",
                "v1alpha20210601"
            ]
        },
        "ServiceBusNamespace": {
            "hub": "v1beta20170401storage",
            "versions": [
                "v1beta20150801",
                "v1beta20170401",
                "v1alpha20180101",
                "v1alpha20210101",
                "v1alpha20210601"
            ]
        },
        "ServiceBusQueue": {
            "hub": "v1beta20170401storage",
            "versions": [
                "v1beta20150801",
                "v1beta20170401",
                "v1alpha20180101",
                "v1alpha20210101",
                "v1alpha20210601"
            ]
        },
        "ServiceBusTopic": {
            "hub": "v1beta20170401storage",
            "versions": [
                "v1beta20150801",
                "v1beta20170401",
                "v1alpha20180101",
                "v1alpha20210101",
                "v1alpha20210601"
            ]
        },
        "TopicAuthorizationRule": {
            "hub": "v1beta20170401storage",
            "versions": [
                "v1beta20150801",
                "v1beta20170401",
                "v1alpha20180101",
                "v1alpha20210101",
                "v1alpha20210601"
            ]
        },
        "TopicSubscription": {
            "hub": "v1beta20170401storage",
            "versions": [
                "v1beta20150801",
                "v1beta20170401",
                "v1alpha20180101",
                "v1alpha20210101",
                "v1alpha20210601"
            ]
        },
        "TopicSubscriptionRule": {
            "hub": "v1beta20170401storage",
            "versions": [
                "v1beta20170401",
                "v1alpha20180101",
                "v1alpha20210101",
                "v1alpha20210601"
            ]
        }
    },
    "links": {
        "v1alpha20180101storage": [
            "v1alpha20210101storage"
        ],
        "v1alpha20210101storage": [
            "v1alpha20210601storage"
        ],
        "v1alpha20210601storage": [
            "v1beta20170401storage"
        ],
        "v1beta20150801storage": [
            "v1beta20170401storage"
        ]
    },
    "sources": {
        "v1alpha20180101": "swagger",
        "v1alpha20210101": "swagger",
        "v1alpha20210601": "swagger",
        "v1beta20150801": "swagger",
        "v1beta20170401": "swagger"
    }
}
