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
                "v20241101": "d6c302e5ac07",
                "v20250401": "555eb4c697f8"
            }
        },
        "KubernetesExtension": {
            "hub": "v20250301storage",
            "versions": [
                "v20241101",
                "v20250301"
            ],
            "digests": {
                "v20241101": "bd2cab88add8",
                "v20250301": "338eb7592355"
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
