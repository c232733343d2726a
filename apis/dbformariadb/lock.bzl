"""Hubs and links of the group. Written by //apis/dbformariadb:lock.update; do not edit."""

LOCK = {
    "resources": {
        "MariaDBServer": {
            "hub": "v20180601storage",
            "versions": [
                "v20180601"
            ],
            "digests": {
                "v20180601": "fd42b649421d"
            }
        },
        "MariaDBServerConfiguration": {
            "hub": "v20180601storage",
            "versions": [
                "v20180601"
            ],
            "digests": {
                "v20180601": "d2a6e69d1e95"
            }
        },
        "MariaDBServerDatabase": {
            "hub": "v20180601storage",
            "versions": [
                "v20180601"
            ],
            "digests": {
                "v20180601": "3222e4320eda"
            }
        }
    },
    "links": {}
}
