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
                "v20210101": "fa20f609575b",
                "v20210601": "ac4e9db1edb7",
                "v20220601": "49ef6d44a947",
                "v20221001": "c90b481c7763",
                "v20240201": "6adc92924194",
                "v20240701": "acf29f4f8fac",
                "v20250601": "f6a450d7c024"
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
