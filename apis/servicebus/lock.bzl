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
            "digests": {
                "v1alpha20180101": "472a83f0048a",
                "v1alpha20210101": "d149c00d476b",
                "v1alpha20210601": "d149c00d476b",
                "v1beta20150801": "1172bcd7f877",
                "v1beta20170401": "472a83f0048a",
                "v1beta20240101": "61a0c8136ec9",
                "v1beta20260101": "61a0c8136ec9"
            },
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
            "digests": {
                "v1alpha20180101": "95f8a0306633",
                "v1alpha20210101": "0317c6bb18e8",
                "v1alpha20210601": "17ba29e343d2",
                "v1beta20150801": "2d71f877fbb4",
                "v1beta20170401": "e94b5e53617d",
                "v1beta20240101": "103e25154f2b",
                "v1beta20260101": "d72a9fb2c381"
            },
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
            "digests": {
                "v1alpha20180101": "3382c8f454e3",
                "v1alpha20210101": "20830b11bb1c",
                "v1alpha20210601": "20830b11bb1c",
                "v1beta20150801": "eb4539abac30",
                "v1beta20170401": "3382c8f454e3",
                "v1beta20240101": "c3a301023634",
                "v1beta20260101": "aa8ef8768e04"
            },
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
            "digests": {
                "v1alpha20180101": "74141311afcc",
                "v1alpha20210101": "f3b46d0e005b",
                "v1alpha20210601": "f3b46d0e005b",
                "v1beta20150801": "e680e44285dc",
                "v1beta20170401": "74141311afcc",
                "v1beta20240101": "03ebab5a8ba3",
                "v1beta20260101": "ceb71cb8c3f1"
            },
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
            "digests": {
                "v1alpha20180101": "902c7249e1a6",
                "v1alpha20210101": "daf7722207b4",
                "v1alpha20210601": "daf7722207b4",
                "v1beta20150801": "bde6978b32d4",
                "v1beta20170401": "902c7249e1a6",
                "v1beta20240101": "e53309b3ede6",
                "v1beta20260101": "e53309b3ede6"
            },
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
            "digests": {
                "v1alpha20180101": "7e296aecb313",
                "v1alpha20210101": "b0c8203d7431",
                "v1alpha20210601": "b0c8203d7431",
                "v1beta20150801": "194a0e858c3c",
                "v1beta20170401": "7e296aecb313",
                "v1beta20240101": "f907997b34f1",
                "v1beta20260101": "f72ec5916fdc"
            },
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
            "digests": {
                "v1alpha20180101": "7a5d1c801ecb",
                "v1alpha20210101": "836d4e93f078",
                "v1alpha20210601": "836d4e93f078",
                "v1beta20170401": "7a5d1c801ecb",
                "v1beta20240101": "128cc6343564",
                "v1beta20260101": "128cc6343564"
            },
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
