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
                "v20210702": "140ab41b8a20",
                "v20230630": "0c7c6a797561"
            }
        }
    },
    "links": {
        "v20210702storage": [
            "v20230630storage"
        ]
    }
}
