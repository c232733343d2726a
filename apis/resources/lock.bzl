"""Hubs and links of the group. Written by //apis/resources:lock.update; do not edit."""

LOCK = {
    "resources": {
        "ResourceGroup": {
            "hub": "v20250401storage",
            "versions": [
                "v20200601",
                "v20210401",
                "v20250301",
                "v20250401"
            ],
            "digests": {
                "v20200601": "49156f6fa631",
                "v20210401": "e30fd0a043e0",
                "v20250301": "e30fd0a043e0",
                "v20250401": "01c4a2e3f0f0"
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
            "v20250301storage"
        ],
        "v20250301storage": [
            "v20250401storage"
        ]
    }
}
