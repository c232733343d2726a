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
                "v20210702": "468ff089872d",
                "v20230630": "d16809f3f571"
            }
        }
    },
    "links": {
        "v20210702storage": [
            "v20230630storage"
        ]
    }
}
