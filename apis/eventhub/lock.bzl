"""Hubs and links of the group. Written by //apis/eventhub:lock.update; do not edit."""

LOCK = {
    "resources": {
        "EventHub": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20240101",
                "v1beta20260101"
            ],
            "digests": {
                "v1beta20240101": "0187789fd667",
                "v1beta20260101": "7741e251c2ec"
            }
        },
        "EventHubAuthorizationRule": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20240101",
                "v1beta20260101"
            ],
            "digests": {
                "v1beta20240101": "b34dc2d372d1",
                "v1beta20260101": "b34dc2d372d1"
            }
        },
        "EventHubConsumerGroup": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20240101",
                "v1beta20260101"
            ],
            "digests": {
                "v1beta20240101": "7451f871f4b1",
                "v1beta20260101": "7451f871f4b1"
            }
        },
        "EventHubNamespace": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20240101",
                "v1beta20260101"
            ],
            "digests": {
                "v1beta20240101": "cceb44446aa3",
                "v1beta20260101": "11431e29ea53"
            }
        },
        "EventHubNamespaceAuthorizationRule": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20240101",
                "v1beta20260101"
            ],
            "digests": {
                "v1beta20240101": "6edf1e14ffcb",
                "v1beta20260101": "6edf1e14ffcb"
            }
        }
    },
    "links": {
        "v1beta20240101storage": [
            "v1beta20260101storage"
        ]
    }
}
