"""Hubs and links of the group. Written by //tests/conversions/numbers/before:lock.update; do not edit."""

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
                "v20210101": "18986c89eac9",
                "v20240101": "34fb1af8fd95",
                "v20260101": "34fb1af8fd95"
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
