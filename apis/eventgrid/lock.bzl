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
                "v20200401alpha1": "17191fc1fc5e",
                "v20200601": "dfc6f1dbdfdf",
                "v20201015alpha1": "76ac14772ec3",
                "v20210601alpha1": "0375ebe522e6",
                "v20220615": "ec40e3c7febf",
                "v20250215": "038ad3fbbbeb"
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
                "v20200401alpha1": "993b4c8ffe77",
                "v20200601": "c03195afc65e",
                "v20201015alpha1": "cd5706a8bddd",
                "v20210601alpha1": "1ac63b557be2",
                "v20220615": "518fc8260513",
                "v20250215": "b46bff155814"
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
                "v20200401alpha1": "ed3910bc25c0",
                "v20200601": "585a53b69e47",
                "v20201015alpha1": "edaee0f61e3c",
                "v20210601alpha1": "0fed52b9e62f",
                "v20220615": "49961403062c",
                "v20250215": "e79da2c41a70"
            },
            "former": [
                "v20200601storage"
            ]
        }
    },
    "links": {
        "v20200401alpha1storage": [
            "v20200601storage"
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
