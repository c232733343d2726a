"""Hubs and links of the group. Written by //apis/resources:lock.update; do not edit."""

LOCK = {
    "resources": {
        "ResourceGroup": {
            "hub": "v20250401storage",
            "versions": [
                "v20200601",
                "v20210401",
                "v20240301",
                "v20250301",
                "v20250401"
            ],
            "digests": {
                "v20200601": "49156f6fa631",
                "v20210401": "c61acae2f3fa",
                "v20240301": "c61acae2f3fa",
                "v20250301": "c61acae2f3fa",
                "v20250401": "a3a38bde7ad0"
            },
            "former": [
                "v20210401storage"
            ]
        }
    },
    "links": {
        "v20200601storage": [
            "v20210401storage"
        ],
        "v20210401storage": [
            "v20240301storage"
        ],
        "v20240301storage": [
            "v20250301storage"
        ],
        "v20250301storage": [
            "v20250401storage"
        ]
    }
}
