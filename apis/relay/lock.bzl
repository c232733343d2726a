"""Hubs and links of the group. Written by //apis/relay:lock.update; do not edit."""

LOCK = {
    "resources": {
        "RelayHybridConnection": {
            "hub": "v20260101storage",
            "versions": [
                "v20260101"
            ],
            "digests": {
                "v20260101": "3d4b3d1c4f0e"
            }
        },
        "RelayHybridConnectionAuthorizationRule": {
            "hub": "v20260101storage",
            "versions": [
                "v20260101"
            ],
            "digests": {
                "v20260101": "2a260a88e514"
            }
        },
        "RelayNamespace": {
            "hub": "v20260101storage",
            "versions": [
                "v20260101"
            ],
            "digests": {
                "v20260101": "92ad6a07ddac"
            }
        },
        "RelayNamespaceAuthorizationRule": {
            "hub": "v20260101storage",
            "versions": [
                "v20260101"
            ],
            "digests": {
                "v20260101": "54d9dbe5f8a1"
            }
        },
        "WcfRelay": {
            "hub": "v20260101storage",
            "versions": [
                "v20260101"
            ],
            "digests": {
                "v20260101": "f99e4bc3af9c"
            }
        },
        "WcfRelayAuthorizationRule": {
            "hub": "v20260101storage",
            "versions": [
                "v20260101"
            ],
            "digests": {
                "v20260101": "173ebbd5e8d1"
            }
        }
    },
    "links": {}
}
