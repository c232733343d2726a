"""Hubs and links of the group. Written by //tests/e2e/releases/crm20211111:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Party": {
            "hub": "v20211111storage",
            "versions": [
                "v20211111"
            ],
            "digests": {
                "v20211111": "16594cdecbd5"
            }
        },
        "Person": {
            "hub": "v20211111storage",
            "versions": [
                "v20130303",
                "v20160606",
                "v20190909",
                "v20201010",
                "v20211111"
            ],
            "digests": {
                "v20130303": "30179fb5e7b7",
                "v20160606": "5578796427fc",
                "v20190909": "fa17bfd2ce29",
                "v20201010": "868936f77756",
                "v20211111": "28fcc1dab9d5"
            },
            "former": [
                "v20190909storage",
                "v20201010storage"
            ]
        }
    },
    "links": {
        "v20130303storage": [
            "v20160606storage"
        ],
        "v20160606storage": [
            "v20190909storage"
        ],
        "v20190909storage": [
            "v20201010storage"
        ],
        "v20201010storage": [
            "v20211111storage"
        ]
    }
}
