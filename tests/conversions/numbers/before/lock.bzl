"""Hubs and links of the group. Written by //tests/conversions/numbers/before:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Oven": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20210101",
                "v1beta20240101",
                "v1beta20260101"
            ],
            "digests": {
                "v1beta20210101": "18986c89eac9",
                "v1beta20240101": "34fb1af8fd95",
                "v1beta20260101": "34fb1af8fd95"
            }
        }
    },
    "links": {
        "v1beta20210101storage": [
            "v1beta20240101storage"
        ],
        "v1beta20240101storage": [
            "v1beta20260101storage"
        ]
    }
}
