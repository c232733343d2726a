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
