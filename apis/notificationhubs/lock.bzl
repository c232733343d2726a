"""Hubs and links of the group. Written by //apis/notificationhubs:lock.update; do not edit."""

LOCK = {
    "resources": {
        "NotificationHub": {
            "hub": "v20230901storage",
            "versions": [
                "v20170401",
                "v20230901"
            ],
            "digests": {
                "v20170401": "d6683e5f856a",
                "v20230901": "f8e04eb68592"
            }
        },
        "NotificationHubAuthorizationRule": {
            "hub": "v20230901storage",
            "versions": [
                "v20170401",
                "v20230901"
            ],
            "digests": {
                "v20170401": "537087063c61",
                "v20230901": "fb37ac4dc168"
            }
        },
        "NotificationHubNamespace": {
            "hub": "v20230901storage",
            "versions": [
                "v20170401",
                "v20230901"
            ],
            "digests": {
                "v20170401": "47b224d3b002",
                "v20230901": "22b40925bbe1"
            }
        },
        "NotificationHubNamespaceAuthorizationRule": {
            "hub": "v20230901storage",
            "versions": [
                "v20170401",
                "v20230901"
            ],
            "digests": {
                "v20170401": "876c2f5c37ea",
                "v20230901": "4ae7b61676dd"
            }
        }
    },
    "links": {
        "v20170401storage": [
            "v20230901storage"
        ]
    },
    "names": {
        "NotificationHub": {
            "name": "armName",
            "properties/name": "name"
        },
        "NotificationHubNamespace": {
            "name": "armName",
            "properties/name": "name"
        }
    }
}
