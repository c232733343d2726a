"""Hubs and links of the group. Written by //apis/purview:lock.update; do not edit."""

LOCK = {
    "resources": {
        "PurviewAccount": {
            "hub": "v20211201storage",
            "versions": [
                "v20211201"
            ],
            "digests": {
                "v20211201": "45f2c9b625bb"
            }
        }
    },
    "links": {}
}
