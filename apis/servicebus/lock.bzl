"""Hubs and links of the group. Written by //apis/servicebus:lock.update; do not edit."""

LOCK = {
    "resources": {
        "NamespaceAuthorizationRule": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20150801",
                "v1beta20170401",
                "v1alpha20180101",
                "v1alpha20210101",
                "v1alpha20210601",
                "v1beta20240101",
                "v1beta20260101"
            ],
            "former": [
                "v1beta20170401storage"
            ]
        },
        "ServiceBusNamespace": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20150801",
                "v1beta20170401",
                "v1alpha20180101",
                "v1alpha20210101",
                "v1alpha20210601",
                "v1beta20240101",
                "v1beta20260101"
            ],
            "former": [
                "v1beta20170401storage"
            ]
        },
        "ServiceBusQueue": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20150801",
                "v1beta20170401",
                "v1alpha20180101",
                "v1alpha20210101",
                "v1alpha20210601",
                "v1beta20240101",
                "v1beta20260101"
            ],
            "former": [
                "v1beta20170401storage"
            ]
        },
        "ServiceBusTopic": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20150801",
                "v1beta20170401",
                "v1alpha20180101",
                "v1alpha20210101",
                "v1alpha20210601",
                "v1beta20240101",
                "v1beta20260101"
            ],
            "former": [
                "v1beta20170401storage"
            ]
        },
        "TopicAuthorizationRule": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20150801",
                "v1beta20170401",
                "v1alpha20180101",
                "v1alpha20210101",
                "v1alpha20210601",
                "v1beta20240101",
                "v1beta20260101"
            ],
            "former": [
                "v1beta20170401storage"
            ]
        },
        "TopicSubscription": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20150801",
                "v1beta20170401",
                "v1alpha20180101",
                "v1alpha20210101",
                "v1alpha20210601",
                "v1beta20240101",
                "v1beta20260101"
            ],
            "former": [
                "v1beta20170401storage"
            ]
        },
        "TopicSubscriptionRule": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20170401",
                "v1alpha20180101",
                "v1alpha20210101",
                "v1alpha20210601",
                "v1beta20240101",
                "v1beta20260101"
            ],
            "former": [
                "v1beta20170401storage"
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
            "v1beta20240101storage"
        ],
        "v1beta20150801storage": [
            "v1beta20170401storage"
        ],
        "v1beta20170401storage": [
            "v1beta20240101storage"
        ],
        "v1beta20240101storage": [
            "v1beta20260101storage"
        ]
    }
}
