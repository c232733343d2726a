"""Hubs and links of the group. Written by `./bazelw run //apis/batch:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "BatchAccount": {
            "hub": "v1beta20221001storage",
            "versions": [
                "v1beta20170901",
                "v1beta20181201",
                "v1beta20210101",
                "v1beta20210601",
                "v1beta20220601",
                "v1beta20221001"
            ]
        },
        "BatchAccountPool": {
            "hub": "v1beta20221001storage",
            "versions": [
                "v1beta20170901",
                "v1beta20181201",
                "v1beta20210101",
                "v1beta20210601",
                "v1beta20220601",
                "v1beta20221001"
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
        ]
    },
    "sources": {
        "v1beta20170901": "swagger",
        "v1beta20181201": "swagger",
        "v1beta20210101": "swagger",
        "v1beta20210601": "swagger",
        "v1beta20220601": "jsonschema",
        "v1beta20221001": "jsonschema"
    }
}
