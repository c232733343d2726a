"""Hubs and links of the group. Written by //apis/monitor:lock.update; do not edit."""

LOCK = {
    "resources": {
        "AzureMonitorWorkspace": {
            "hub": "v20251003storage",
            "versions": [
                "v20230403",
                "v20251003"
            ],
            "digests": {
                "v20230403": "f55a57ea9c8b",
                "v20251003": "1a0a7531662a"
            }
        }
    },
    "links": {
        "v20230403storage": [
            "v20251003storage"
        ]
    }
}
