"""Hubs and links of the group. Written by `./bazelw run //tests/conversions/numbers/after:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "Oven": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20210101",
                "v1beta20240101",
                "v1beta20260101"
            ]
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
