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
