"""Hubs and links of the group. Written by //rules/tests/group:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Cart": {
            "hub": "v20200101storage",
            "versions": [
                "v20200101",
                "v20210101alpha1"
            ],
            "digests": {
                "v20200101": "c4702f298d14",
                "v20210101alpha1": "1ba530404ca9"
            }
        }
    },
    "links": {
        "v20210101alpha1storage": [
            "v20200101storage"
        ]
    }
}
