"""Hubs and links of the group. Written by //apis/datafactory:lock.update; do not edit."""

LOCK = {
    "resources": {
        "DataFactory": {
            "hub": "v20180601storage",
            "versions": [
                "v20180601"
            ],
            "digests": {
                "v20180601": "771553183438"
            }
        }
    },
    "links": {}
}
