"""Hubs and links of the group. Written by //apis/consumption:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Budget": {
            "hub": "v20260601storage",
            "versions": [
                "v20260601"
            ],
            "digests": {
                "v20260601": "e2b827c1afd9"
            }
        }
    },
    "links": {}
}
