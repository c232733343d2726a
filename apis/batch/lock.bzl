"""Hubs and links of the group. Written by //apis/batch:lock.update; do not edit."""

LOCK = {
    "resources": {
        "BatchAccount": {
            "hub": "v20250601storage",
            "versions": [
                "v20170901",
                "v20181201",
                "v20210101",
                "v20210601",
                "v20220601",
                "v20221001",
                "v20240201",
                "v20240701",
                "v20250601"
            ],
            "digests": {
                "v20170901": "792915538397",
                "v20181201": "792915538397",
                "v20210101": "85bdcc56363d",
                "v20210601": "c58374283c69",
                "v20220601": "b29937d2b694",
                "v20221001": "b29937d2b694",
                "v20240201": "01eaf5ce6dce",
                "v20240701": "54f3624e21ec",
                "v20250601": "54f3624e21ec"
            },
            "former": [
                "v20221001storage"
            ]
        },
        "BatchAccountPool": {
            "hub": "v20250601storage",
            "versions": [
                "v20170901",
                "v20181201",
                "v20210101",
                "v20210601",
                "v20220601",
                "v20221001",
                "v20240201",
                "v20240701",
                "v20250601"
            ],
            "digests": {
                "v20170901": "9a15f5c2e0fb",
                "v20181201": "cfa1b52c5363",
                "v20210101": "19f20fe062a7",
                "v20210601": "d63250a404a2",
                "v20220601": "55b21e9ffb56",
                "v20221001": "af7485ebf0ee",
                "v20240201": "2af767af7201",
                "v20240701": "b7ba30b455ba",
                "v20250601": "20c9bf7a2bc7"
            },
            "former": [
                "v20221001storage"
            ]
        }
    },
    "links": {
        "v20170901storage": [
            "v20181201storage"
        ],
        "v20181201storage": [
            "v20210101storage"
        ],
        "v20210101storage": [
            "v20210601storage"
        ],
        "v20210601storage": [
            "v20220601storage"
        ],
        "v20220601storage": [
            "v20221001storage"
        ],
        "v20221001storage": [
            "v20240201storage"
        ],
        "v20240201storage": [
            "v20240701storage"
        ],
        "v20240701storage": [
            "v20250601storage"
        ]
    }
}
