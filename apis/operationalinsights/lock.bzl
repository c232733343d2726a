"""Hubs and links of the group. Written by //apis/operationalinsights:lock.update; do not edit."""

LOCK = {
    "resources": {
        "LogAnalyticsWorkspace": {
            "hub": "v20260301storage",
            "versions": [
                "v20250701",
                "v20260301"
            ],
            "digests": {
                "v20250701": "c9529de1e3d0",
                "v20260301": "d13388293b82"
            }
        }
    },
    "links": {
        "v20250701storage": [
            "v20260301storage"
        ]
    }
}
