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
                "v20170901": "6fc233394e5b",
                "v20181201": "8b11c54f2827",
                "v20210101": "c8ba57133f06",
                "v20210601": "c1a962e943bd",
                "v20220601": "959ecd791c76",
                "v20221001": "4f8bfe2ca03a",
                "v20240201": "46429a4b9f9c",
                "v20240701": "6c8fbeddb765",
                "v20250601": "5f2d7da7231d"
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
