"""Hubs and links of the group. Written by //apis/resources:lock.update; do not edit."""

LOCK = {
    "resources": {
        "ResourceGroup": {
            "hub": "v1beta20250401storage",
            "versions": [
                "v1beta20200601",
                "v1beta20210401",
                "v1beta20250301",
                "v1beta20250401"
            ],
            "digests": {
                "v1beta20200601": "49156f6fa631",
                "v1beta20210401": "e30fd0a043e0",
                "v1beta20250301": "e30fd0a043e0",
                "v1beta20250401": "01c4a2e3f0f0"
            },
            "former": [
                "v1beta20210401storage"
            ]
        }
    },
    "links": {
        "v1beta20200601storage": [
            "v1beta20210401storage"
        ],
        "v1beta20210401storage": [
            "v1beta20250301storage"
        ],
        "v1beta20250301storage": [
            "v1beta20250401storage"
        ]
    }
}
