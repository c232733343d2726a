"""Hubs and links of the group. Written by //tests/e2e/releases/crm20190909:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Person": {
            "hub": "v20190909storage",
            "versions": [
                "v20130303",
                "v20160606",
                "v20190909"
            ],
            "digests": {
                "v20130303": "30179fb5e7b7",
                "v20160606": "5578796427fc",
                "v20190909": "fa17bfd2ce29"
            }
        }
    },
    "links": {
        "v20130303storage": [
            "v20160606storage"
        ],
        "v20160606storage": [
            "v20190909storage"
        ]
    }
}
