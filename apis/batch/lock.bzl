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
    },
    "sources": {
        "v1beta20170901": "swagger",
        "v1beta20181201": "swagger",
        "v1beta20210101": "swagger",
        "v1beta20210601": "swagger",
        "v1beta20220601": "jsonschema",
        "v1beta20221001": "jsonschema",
        "v1beta20240701": "bicep+jsonschema",
        "v1beta20250601": "bicep+jsonschema"
    }
}
