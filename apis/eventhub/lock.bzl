"""Hubs and links of the group. Written by //apis/eventhub:lock.update; do not edit."""

LOCK = {
    "resources": {
        "EventHub": {
            "hub": "v20260101storage",
            "versions": [
                "v20240101",
                "v20260101"
            ],
            "digests": {
                "v20240101": "5091eafc9457",
                "v20260101": "7741e251c2ec"
            }
        },
        "EventHubAuthorizationRule": {
            "hub": "v20260101storage",
            "versions": [
                "v20240101",
                "v20260101"
            ],
            "digests": {
                "v20240101": "72f470ae6500",
                "v20260101": "b34dc2d372d1"
            }
        },
        "EventHubConsumerGroup": {
            "hub": "v20260101storage",
            "versions": [
                "v20240101",
                "v20260101"
            ],
            "digests": {
                "v20240101": "7451f871f4b1",
                "v20260101": "7451f871f4b1"
            }
        },
        "EventHubNamespace": {
            "hub": "v20260101storage",
            "versions": [
                "v20240101",
                "v20260101"
            ],
            "digests": {
                "v20240101": "1279da087b38",
                "v20260101": "3dede9cb7a13"
            }
        },
        "EventHubNamespaceAuthorizationRule": {
            "hub": "v20260101storage",
            "versions": [
                "v20240101",
                "v20260101"
            ],
            "digests": {
                "v20240101": "1baa06b88724",
                "v20260101": "6edf1e14ffcb"
            }
        }
    },
    "links": {
        "v20240101storage": [
            "v20260101storage"
        ]
    }
}
