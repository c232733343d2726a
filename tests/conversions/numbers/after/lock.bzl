"""Hubs and links of the group. Written by //tests/conversions/numbers/after:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Oven": {
            "hub": "v20260101storage",
            "versions": [
                "v20210101",
                "v20240101",
                "v20260101"
            ],
            "digests": {
                "v20210101": "bebdeaefc86e",
                "v20240101": "0f33795a0684",
                "v20260101": "0f33795a0684"
            }
        }
    },
    "links": {
        "v20210101storage": [
            "v20240101storage"
        ],
        "v20240101storage": [
            "v20260101storage"
        ]
    }
}
