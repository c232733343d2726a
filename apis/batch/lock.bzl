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
                "v20170901": "e69df6b779a7",
                "v20181201": "e69df6b779a7",
                "v20210101": "85bdcc56363d",
                "v20210601": "c58374283c69",
                "v20220601": "a208f817bea5",
                "v20221001": "a208f817bea5",
                "v20240201": "4dd266f76a52",
                "v20240701": "9466e3ebf63d",
                "v20250601": "9466e3ebf63d"
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
                "v20170901": "27a41467f9d0",
                "v20181201": "1de8a684e3a1",
                "v20210101": "accf61c16163",
                "v20210601": "c1a962e943bd",
                "v20220601": "94ab5b532041",
                "v20221001": "a97610ed047b",
                "v20240201": "46429a4b9f9c",
                "v20240701": "6bb6d483d305",
                "v20250601": "618e351e8601"
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
