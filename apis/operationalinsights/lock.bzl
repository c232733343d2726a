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
                "v20250701": "0565624deed7",
                "v20260301": "b6ba61e58754"
            }
        }
    },
    "links": {
        "v20250701storage": [
            "v20260301storage"
        ]
    }
}
