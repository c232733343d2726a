"""Hubs and links of the group. Written by //apis/maintenance:lock.update; do not edit."""

LOCK = {
    "resources": {
        "MaintenanceConfigurationAssignment": {
            "hub": "v20230401storage",
            "versions": [
                "v20230401"
            ],
            "digests": {
                "v20230401": "8bf98cec8089"
            }
        },
        "ResourceMaintenanceConfiguration": {
            "hub": "v20230401storage",
            "versions": [
                "v20230401"
            ],
            "digests": {
                "v20230401": "a0f12b6645a2"
            }
        }
    },
    "links": {}
}
