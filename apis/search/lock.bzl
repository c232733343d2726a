"""Hubs and links of the group. Written by //apis/search:lock.update; do not edit."""

LOCK = {
    "resources": {
        "SearchService": {
            "hub": "v20250501storage",
            "versions": [
                "v20231101",
                "v20250501"
            ],
            "digests": {
                "v20231101": "1e8c39948816",
                "v20250501": "b7116518ce27"
            }
        }
    },
    "links": {
        "v20231101storage": [
            "v20250501storage"
        ]
    }
}
