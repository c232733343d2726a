"""Hubs and links of the group. Written by //apis/databasewatcher:lock.update; do not edit."""

LOCK = {
    "resources": {
        "DatabaseWatcher": {
            "hub": "v20250102storage",
            "versions": [
                "v20250102"
            ],
            "digests": {
                "v20250102": "5256f9ebbe2f"
            }
        },
        "DatabaseWatcherSharedPrivateLink": {
            "hub": "v20250102storage",
            "versions": [
                "v20250102"
            ],
            "digests": {
                "v20250102": "51b1e20194ab"
            }
        },
        "DatabaseWatcherTarget": {
            "hub": "v20250102storage",
            "versions": [
                "v20250102"
            ],
            "digests": {
                "v20250102": "e1e3d733b03b"
            }
        }
    },
    "links": {}
}
