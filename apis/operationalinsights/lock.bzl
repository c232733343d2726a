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
                "v20250701": "ec0598d4faf5",
                "v20260301": "df293eaf0b55"
            }
        }
    },
    "links": {
        "v20250701storage": [
            "v20260301storage"
        ]
    }
}
