"""Hubs and links of the group. Written by //apis/dashboard:lock.update; do not edit."""

LOCK = {
    "resources": {
        "ManagedGrafana": {
            "hub": "v20250801storage",
            "versions": [
                "v20250801"
            ],
            "digests": {
                "v20250801": "de0da2d9e042"
            }
        },
        "ManagedGrafanaPrivateEndpoint": {
            "hub": "v20250801storage",
            "versions": [
                "v20250801"
            ],
            "digests": {
                "v20250801": "ce0f7d218c44"
            }
        }
    },
    "links": {}
}
