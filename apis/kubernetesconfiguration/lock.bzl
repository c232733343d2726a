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
                "v20241101": "7ae8fca90fa2",
                "v20250401": "32ca1a73340e"
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
                "v20250301": "a257bd4087a2"
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
