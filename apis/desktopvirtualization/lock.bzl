"""Hubs and links of the group. Written by //apis/desktopvirtualization:lock.update; do not edit."""

LOCK = {
    "resources": {
        "DesktopApplication": {
            "hub": "v20251010storage",
            "versions": [
                "v20251010"
            ],
            "digests": {
                "v20251010": "80086d9cd87b"
            }
        },
        "DesktopApplicationGroup": {
            "hub": "v20251010storage",
            "versions": [
                "v20251010"
            ],
            "digests": {
                "v20251010": "f1bc570ba6e1"
            }
        },
        "DesktopScalingPlan": {
            "hub": "v20251010storage",
            "versions": [
                "v20251010"
            ],
            "digests": {
                "v20251010": "3df1b8f7f337"
            }
        },
        "DesktopWorkspace": {
            "hub": "v20251010storage",
            "versions": [
                "v20251010"
            ],
            "digests": {
                "v20251010": "f14a13ad766f"
            }
        },
        "HostPool": {
            "hub": "v20251010storage",
            "versions": [
                "v20251010"
            ],
            "digests": {
                "v20251010": "b81f284808f7"
            }
        }
    },
    "links": {}
}
