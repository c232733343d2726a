"""Hubs and links of the group. Written by //apis/pet-shop:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Pet": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20240501",
                "v1beta20250901"
            ]
        },
        "Shop": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20240501",
                "v1beta20250901"
            ]
        }
    },
    "links": {
        "v1beta20240501storage": [
            "v1beta20250901storage"
        ]
    }
}
