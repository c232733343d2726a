"""Hubs and links of the group. Written by //apis/eventgrid:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Domain": {
            "hub": "v20250215storage",
            "versions": [
                "v20200401alpha1",
                "v20200601",
                "v20201015alpha1",
                "v20210601alpha1",
                "v20220615",
                "v20250215"
            ],
            "digests": {
                "v20200401alpha1": "b0d1d7d0455e",
                "v20200601": "dfc6f1dbdfdf",
                "v20201015alpha1": "a6bb8d2feeed",
                "v20210601alpha1": "c3b8aaa37bc4",
                "v20220615": "9c750b8752cd",
                "v20250215": "dde3d6476448"
            },
            "former": [
                "v20200601storage"
            ]
        },
        "DomainTopic": {
            "hub": "v20250215storage",
            "versions": [
                "v20200401alpha1",
                "v20200601",
                "v20201015alpha1",
                "v20210601alpha1",
                "v20220615",
                "v20250215"
            ],
            "digests": {
                "v20200401alpha1": "d7b95bb7b6b2",
                "v20200601": "0222e4483e9c",
                "v20201015alpha1": "0222e4483e9c",
                "v20210601alpha1": "0222e4483e9c",
                "v20220615": "0222e4483e9c",
                "v20250215": "0222e4483e9c"
            },
            "former": [
                "v20200601storage"
            ]
        },
        "EventGridPartnerConfiguration": {
            "hub": "v20250215storage",
            "versions": [
                "v20220615",
                "v20250215"
            ],
            "digests": {
                "v20220615": "03a7d13798ba",
                "v20250215": "5701624b38bd"
            }
        },
        "EventGridPartnerTopic": {
            "hub": "v20250215storage",
            "versions": [
                "v20220615",
                "v20250215"
            ],
            "digests": {
                "v20220615": "4827e99e4fba",
                "v20250215": "05fa110512fb"
            }
        },
        "EventGridPartnerTopicEventSubscription": {
            "hub": "v20250215storage",
            "versions": [
                "v20200401alpha1",
                "v20201015alpha1",
                "v20210601alpha1",
                "v20220615",
                "v20250215"
            ],
            "digests": {
                "v20200401alpha1": "f5de672966ee",
                "v20201015alpha1": "223c936f46f1",
                "v20210601alpha1": "603d47fb2f42",
                "v20220615": "137938412815",
                "v20250215": "5d4863a495ee"
            }
        },
        "EventGridTopic": {
            "hub": "v20250215storage",
            "versions": [
                "v20200401alpha1",
                "v20200601",
                "v20201015alpha1",
                "v20210601alpha1",
                "v20220615",
                "v20250215"
            ],
            "digests": {
                "v20200401alpha1": "14d5e14b5f9d",
                "v20200601": "c03195afc65e",
                "v20201015alpha1": "3ae3f1ae77bd",
                "v20210601alpha1": "036f9c56cce3",
                "v20220615": "e15d068788e6",
                "v20250215": "1c0fbc19b2b8"
            },
            "former": [
                "v20200601storage"
            ]
        },
        "EventSubscription": {
            "hub": "v20250215storage",
            "versions": [
                "v20200401alpha1",
                "v20200601",
                "v20201015alpha1",
                "v20210601alpha1",
                "v20220615",
                "v20250215"
            ],
            "digests": {
                "v20200401alpha1": "025d10dfb764",
                "v20200601": "bde21d049dbd",
                "v20201015alpha1": "a09d2f72d0f8",
                "v20210601alpha1": "cb17a6972092",
                "v20220615": "c5544d70bbbf",
                "v20250215": "542c11d6b3fc"
            },
            "former": [
                "v20200601storage"
            ]
        }
    },
    "links": {
        "v20200401alpha1storage": [
            "v20200601storage",
            "v20201015alpha1storage"
        ],
        "v20200601storage": [
            "v20220615storage"
        ],
        "v20201015alpha1storage": [
            "v20210601alpha1storage"
        ],
        "v20210601alpha1storage": [
            "v20220615storage"
        ],
        "v20220615storage": [
            "v20250215storage"
        ]
    }
}
