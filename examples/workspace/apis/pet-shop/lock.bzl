"""Hubs and links of the group. Written by //apis/pet-shop:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Pet": {
            "hub": "v20250901storage",
            "versions": [
                "v20240501",
                "v20250901"
            ],
            "digests": {
                "v20240501": "337fb51bdb8e",
                "v20250901": "9c5737f60b81"
            }
        },
        "Shop": {
            "hub": "v20250901storage",
            "versions": [
                "v20240501",
                "v20250901"
            ],
            "digests": {
                "v20240501": "f0a4e0d68cb2",
                "v20250901": "f0a4e0d68cb2"
            }
        }
    },
    "links": {
        "v20240501storage": [
            "v20250901storage"
        ]
    }
}
