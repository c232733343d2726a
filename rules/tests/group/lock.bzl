"""Hubs and links of the group. Written by //rules/tests/group:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Cart": {
            "hub": "v1beta20200101storage",
            "versions": [
                "v1beta20200101",
                "v1alpha20210101"
            ],
            "digests": {
                "v1alpha20210101": "1ba530404ca9",
                "v1beta20200101": "c4702f298d14"
            }
        }
    },
    "links": {
        "v1alpha20210101storage": [
            "v1beta20200101storage"
        ]
    }
}
