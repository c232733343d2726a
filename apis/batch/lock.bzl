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
                "v20210101": "c8a0753ef2c3",
                "v20210601": "20cb179f6c01",
                "v20220601": "15e62af5d3db",
                "v20221001": "15e62af5d3db",
                "v20240201": "28b9a13d1a12",
                "v20240701": "a1392b757f72",
                "v20250601": "a1392b757f72"
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
                "v20210101": "819acc8200b9",
                "v20210601": "48bf1f39dcf4",
                "v20220601": "9d567f251fc5",
                "v20221001": "39fb9799648e",
                "v20240201": "b747cfe415cc",
                "v20240701": "5177e614af99",
                "v20250601": "b16c026be5b4"
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
