"""Hubs and links of the group. Written by //apis/subscription:lock.update; do not edit."""

LOCK = {
    "resources": {
        "SubscriptionAlias": {
            "hub": "v20211001storage",
            "versions": [
                "v20200901",
                "v20211001"
            ],
            "digests": {
                "v20200901": "1d889553ee11",
                "v20211001": "45909393eda3"
            }
        }
    },
    "links": {
        "v20200901storage": [
            "v20211001storage"
        ]
    }
}
