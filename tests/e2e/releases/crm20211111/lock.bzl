"""Hubs and links of the group. Written by //tests/e2e/releases/crm20211111:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Party": {
            "hub": "v1beta20211111storage",
            "versions": [
                "v1beta20211111"
            ]
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
