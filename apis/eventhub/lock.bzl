"""Hubs and links of the group. Written by //apis/eventhub:lock.update; do not edit."""

LOCK = {
    "resources": {
        "EventHub": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20240101",
                "v1beta20260101"
            ]
        },
        "EventHubAuthorizationRule": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20240101",
                "v1beta20260101"
            ]
        },
        "EventHubConsumerGroup": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20240101",
                "v1beta20260101"
            ]
        },
        "EventHubNamespace": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20240101",
                "v1beta20260101"
            ]
        },
        "EventHubNamespaceAuthorizationRule": {
            "hub": "v1beta20260101storage",
            "versions": [
                "v1beta20240101",
                "v1beta20260101"
            ]
        }
    },
    "links": {
        "v1beta20240101storage": [
            "v1beta20260101storage"
        ]
    }
}
