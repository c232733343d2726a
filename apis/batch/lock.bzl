"""Hubs and links of the group. Written by //apis/batch:lock.update; do not edit."""

LOCK = {
    "resources": {
        "BatchAccount": {
            "hub": "v1beta20250601storage",
            "versions": [
                "v1beta20170901",
                "v1beta20181201",
                "v1beta20210101",
                "v1beta20210601",
                "v1beta20220601",
                "v1beta20221001",
                "v1beta20240701",
                "v1beta20250601"
            ],
            "digests": {
                "v1beta20170901": "cfadc2baad9a",
                "v1beta20181201": "cfadc2baad9a",
                "v1beta20210101": "a566f69ad9a0",
                "v1beta20210601": "b8f4850cf600",
                "v1beta20220601": "8212e5f2c72f",
                "v1beta20221001": "8212e5f2c72f",
                "v1beta20240701": "9466e3ebf63d",
                "v1beta20250601": "9466e3ebf63d"
            },
            "former": [
                "v1beta20221001storage"
            ]
        },
        "BatchAccountPool": {
            "hub": "v1beta20250601storage",
            "versions": [
                "v1beta20170901",
                "v1beta20181201",
                "v1beta20210101",
                "v1beta20210601",
                "v1beta20220601",
                "v1beta20221001",
                "v1beta20240701",
                "v1beta20250601"
            ],
            "digests": {
                "v1beta20170901": "27a41467f9d0",
                "v1beta20181201": "1de8a684e3a1",
                "v1beta20210101": "accf61c16163",
                "v1beta20210601": "776998de3fed",
                "v1beta20220601": "a0a0ffb3202d",
                "v1beta20221001": "5fd8da3a4601",
                "v1beta20240701": "6bb6d483d305",
                "v1beta20250601": "618e351e8601"
            },
            "former": [
                "v1beta20221001storage"
            ]
        }
    },
    "links": {
        "v1beta20170901storage": [
            "v1beta20181201storage"
        ],
        "v1beta20181201storage": [
            "v1beta20210101storage"
        ],
        "v1beta20210101storage": [
            "v1beta20210601storage"
        ],
        "v1beta20210601storage": [
            "v1beta20220601storage"
        ],
        "v1beta20220601storage": [
            "v1beta20221001storage"
        ],
        "v1beta20221001storage": [
            "v1beta20240701storage"
        ],
        "v1beta20240701storage": [
            "v1beta20250601storage"
        ]
    }
}
