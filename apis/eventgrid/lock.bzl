"""Hubs and links of the group. Written by //apis/eventgrid:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Domain": {
            "hub": "v1beta20250215storage",
            "versions": [
                "v1alpha20200401",
                "v1beta20200601",
                "v1alpha20201015",
                "v1alpha20210601",
                "v1beta20220615",
                "v1beta20250215"
            ],
            "digests": {
                "v1alpha20200401": "36d1c370a9e6",
                "v1alpha20201015": "76ac14772ec3",
                "v1alpha20210601": "0375ebe522e6",
                "v1beta20200601": "dfc6f1dbdfdf",
                "v1beta20220615": "98eb34c9a325",
                "v1beta20250215": "038ad3fbbbeb"
            },
            "former": [
                "v1beta20200601storage"
            ]
        },
        "DomainTopic": {
            "hub": "v1beta20250215storage",
            "versions": [
                "v1alpha20200401",
                "v1beta20200601",
                "v1alpha20201015",
                "v1alpha20210601",
                "v1beta20220615",
                "v1beta20250215"
            ],
            "digests": {
                "v1alpha20200401": "d7b95bb7b6b2",
                "v1alpha20201015": "0222e4483e9c",
                "v1alpha20210601": "0222e4483e9c",
                "v1beta20200601": "0222e4483e9c",
                "v1beta20220615": "0222e4483e9c",
                "v1beta20250215": "0222e4483e9c"
            },
            "former": [
                "v1beta20200601storage"
            ]
        },
        "EventGridTopic": {
            "hub": "v1beta20250215storage",
            "versions": [
                "v1alpha20200401",
                "v1beta20200601",
                "v1alpha20201015",
                "v1alpha20210601",
                "v1beta20220615",
                "v1beta20250215"
            ],
            "digests": {
                "v1alpha20200401": "a263a6f2f12c",
                "v1alpha20201015": "cd5706a8bddd",
                "v1alpha20210601": "1ac63b557be2",
                "v1beta20200601": "c03195afc65e",
                "v1beta20220615": "210bbcc26074",
                "v1beta20250215": "b46bff155814"
            },
            "former": [
                "v1beta20200601storage"
            ]
        },
        "EventSubscription": {
            "hub": "v1beta20250215storage",
            "versions": [
                "v1alpha20200401",
                "v1beta20200601",
                "v1alpha20201015",
                "v1alpha20210601",
                "v1beta20220615",
                "v1beta20250215"
            ],
            "digests": {
                "v1alpha20200401": "716d19930579",
                "v1alpha20201015": "bba1af447974",
                "v1alpha20210601": "bba1af447974",
                "v1beta20200601": "370964692c7c",
                "v1beta20220615": "11befe056126",
                "v1beta20250215": "26233db5577c"
            },
            "former": [
                "v1beta20200601storage"
            ]
        }
    },
    "links": {
        "v1alpha20200401storage": [
            "v1beta20200601storage"
        ],
        "v1alpha20201015storage": [
            "v1alpha20210601storage"
        ],
        "v1alpha20210601storage": [
            "v1beta20220615storage"
        ],
        "v1beta20200601storage": [
            "v1beta20220615storage"
        ],
        "v1beta20220615storage": [
            "v1beta20250215storage"
        ]
    }
}
