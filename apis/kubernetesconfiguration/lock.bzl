"""Hubs and links of the group. Written by //apis/kubernetesconfiguration:lock.update; do not edit."""

LOCK = {
    "resources": {
        "FluxConfiguration": {
            "hub": "v20250401storage",
            "versions": [
                "v20241101",
                "v20250401"
            ],
            "digests": {
                "v20241101": "510dad3f3191",
                "v20250401": "cf21fa2b19b4"
            }
        },
        "KubernetesExtension": {
            "hub": "v20250301storage",
            "versions": [
                "v20241101",
                "v20250301"
            ],
            "digests": {
                "v20241101": "d6d4e0f882ff",
                "v20250301": "e2a53c1db7f0"
            }
        }
    },
    "links": {
        "v20241101storage": [
            "v20250301storage",
            "v20250401storage"
        ]
    }
}
