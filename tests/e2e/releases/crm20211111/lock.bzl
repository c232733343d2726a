"""Hubs and links of the group. Written by //tests/e2e/releases/crm20211111:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Party": {
            "hub": "v1beta20211111storage",
            "versions": [
                "v1beta20211111"
            ],
            "digests": {
                "v1beta20211111": "16594cdecbd5"
            }
        },
        "Person": {
            "hub": "v1beta20211111storage",
            "versions": [
                "v1beta20130303",
                "v1beta20160606",
                "v1beta20190909",
                "v1beta20201010",
                "v1beta20211111"
            ],
            "digests": {
                "v1beta20130303": "30179fb5e7b7",
                "v1beta20160606": "5578796427fc",
                "v1beta20190909": "fa17bfd2ce29",
                "v1beta20201010": "868936f77756",
                "v1beta20211111": "28fcc1dab9d5"
            },
            "former": [
                "v1beta20190909storage",
                "v1beta20201010storage"
            ]
        }
    },
    "links": {
        "v1beta20130303storage": [
            "v1beta20160606storage"
        ],
        "v1beta20160606storage": [
            "v1beta20190909storage"
        ],
        "v1beta20190909storage": [
            "v1beta20201010storage"
        ],
        "v1beta20201010storage": [
            "v1beta20211111storage"
        ]
    }
}
