"""Hubs and links of the group. Written by //apis/devices:lock.update; do not edit."""

LOCK = {
    "resources": {
        "IotHub": {
            "hub": "v20230630storage",
            "versions": [
                "v20210702",
                "v20230630"
            ],
            "digests": {
                "v20210702": "eb1d1c7a26de",
                "v20230630": "ecbb4ec4268f"
            }
        }
    },
    "links": {
        "v20210702storage": [
            "v20230630storage"
        ]
    }
}
