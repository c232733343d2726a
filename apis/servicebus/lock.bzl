"""Hubs and links of the group. Written by //apis/servicebus:lock.update; do not edit."""

LOCK = {
    "resources": {
        "NamespaceAuthorizationRule": {
            "hub": "v20260101storage",
            "versions": [
                "v20150801",
                "v20170401",
                "v20180101alpha1",
                "v20210101alpha1",
                "v20210601alpha1",
                "v20211101",
                "v20240101",
                "v20260101"
            ],
            "digests": {
                "v20150801": "1172bcd7f877",
                "v20170401": "472a83f0048a",
                "v20180101alpha1": "472a83f0048a",
                "v20210101alpha1": "d149c00d476b",
                "v20210601alpha1": "d149c00d476b",
                "v20211101": "0c4f314b90f7",
                "v20240101": "61a0c8136ec9",
                "v20260101": "61a0c8136ec9"
            },
            "former": [
                "v20170401storage"
            ]
        },
        "ServiceBusNamespace": {
            "hub": "v20260101storage",
            "versions": [
                "v20150801",
                "v20170401",
                "v20180101alpha1",
                "v20210101alpha1",
                "v20210601alpha1",
                "v20211101",
                "v20240101",
                "v20260101"
            ],
            "digests": {
                "v20150801": "2d71f877fbb4",
                "v20170401": "e94b5e53617d",
                "v20180101alpha1": "38d58dfd36d2",
                "v20210101alpha1": "eadc4494b0ba",
                "v20210601alpha1": "e03057744552",
                "v20211101": "655994e051aa",
                "v20240101": "2e8a0c3011f7",
                "v20260101": "7b0993fb176e"
            },
            "former": [
                "v20170401storage"
            ]
        },
        "ServiceBusQueue": {
            "hub": "v20260101storage",
            "versions": [
                "v20150801",
                "v20170401",
                "v20180101alpha1",
                "v20210101alpha1",
                "v20210601alpha1",
                "v20211101",
                "v20240101",
                "v20260101"
            ],
            "digests": {
                "v20150801": "d97d66bcec49",
                "v20170401": "3382c8f454e3",
                "v20180101alpha1": "3382c8f454e3",
                "v20210101alpha1": "20830b11bb1c",
                "v20210601alpha1": "3cc46525b6ea",
                "v20211101": "9b6f36bf2364",
                "v20240101": "c3a301023634",
                "v20260101": "aa8ef8768e04"
            },
            "former": [
                "v20170401storage"
            ]
        },
        "ServiceBusTopic": {
            "hub": "v20260101storage",
            "versions": [
                "v20150801",
                "v20170401",
                "v20180101alpha1",
                "v20210101alpha1",
                "v20210601alpha1",
                "v20211101",
                "v20240101",
                "v20260101"
            ],
            "digests": {
                "v20150801": "b8d6e5779c5d",
                "v20170401": "74141311afcc",
                "v20180101alpha1": "74141311afcc",
                "v20210101alpha1": "f3b46d0e005b",
                "v20210601alpha1": "c9813bad0b41",
                "v20211101": "13d6f1eed133",
                "v20240101": "03ebab5a8ba3",
                "v20260101": "ceb71cb8c3f1"
            },
            "former": [
                "v20170401storage"
            ]
        },
        "TopicAuthorizationRule": {
            "hub": "v20260101storage",
            "versions": [
                "v20150801",
                "v20170401",
                "v20180101alpha1",
                "v20210101alpha1",
                "v20210601alpha1",
                "v20211101",
                "v20240101",
                "v20260101"
            ],
            "digests": {
                "v20150801": "bde6978b32d4",
                "v20170401": "902c7249e1a6",
                "v20180101alpha1": "902c7249e1a6",
                "v20210101alpha1": "daf7722207b4",
                "v20210601alpha1": "daf7722207b4",
                "v20211101": "97f28d6e8403",
                "v20240101": "e53309b3ede6",
                "v20260101": "e53309b3ede6"
            },
            "former": [
                "v20170401storage"
            ]
        },
        "TopicSubscription": {
            "hub": "v20260101storage",
            "versions": [
                "v20150801",
                "v20170401",
                "v20180101alpha1",
                "v20210101alpha1",
                "v20210601alpha1",
                "v20211101",
                "v20240101",
                "v20260101"
            ],
            "digests": {
                "v20150801": "fee977783967",
                "v20170401": "7e296aecb313",
                "v20180101alpha1": "7e296aecb313",
                "v20210101alpha1": "b0c8203d7431",
                "v20210601alpha1": "c8af8c4a1a00",
                "v20211101": "5f2c8d0e5eb8",
                "v20240101": "7f4bc307b02e",
                "v20260101": "52de845e0cea"
            },
            "former": [
                "v20170401storage"
            ]
        },
        "TopicSubscriptionRule": {
            "hub": "v20260101storage",
            "versions": [
                "v20170401",
                "v20180101alpha1",
                "v20210101alpha1",
                "v20210601alpha1",
                "v20211101",
                "v20240101",
                "v20260101"
            ],
            "digests": {
                "v20170401": "7a5d1c801ecb",
                "v20180101alpha1": "7a5d1c801ecb",
                "v20210101alpha1": "836d4e93f078",
                "v20210601alpha1": "45e24c304fb7",
                "v20211101": "5491672c8dc1",
                "v20240101": "128cc6343564",
                "v20260101": "128cc6343564"
            },
            "former": [
                "v20170401storage"
            ]
        }
    },
    "links": {
        "v20150801storage": [
            "v20170401storage"
        ],
        "v20170401storage": [
            "v20211101storage"
        ],
        "v20180101alpha1storage": [
            "v20210101alpha1storage"
        ],
        "v20210101alpha1storage": [
            "v20210601alpha1storage"
        ],
        "v20210601alpha1storage": [
            "v20211101storage"
        ],
        "v20211101storage": [
            "v20240101storage"
        ],
        "v20240101storage": [
            "v20260101storage"
        ]
    }
}
