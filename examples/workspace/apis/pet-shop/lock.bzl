"""Hubs and links of the group. Written by //apis/pet-shop:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Pet": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20240501",
                "v1beta20250901"
            ],
            "digests": {
                "v1beta20240501": "337fb51bdb8e",
                "v1beta20250901": "9c5737f60b81"
            }
        },
        "Shop": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20240501",
                "v1beta20250901"
            ],
            "digests": {
                "v1beta20240501": "f0a4e0d68cb2",
                "v1beta20250901": "f0a4e0d68cb2"
            }
        }
    },
    "links": {
        "v1beta20240501storage": [
            "v1beta20250901storage"
        ]
    }
}
