"""Hubs and links of the group. Written by //apis/crm:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Party": {
            "hub": "v20140404storage",
            "versions": [
                "v20130303",
                "v20140404"
            ],
            "digests": {
                "v20130303": "0123456789ab",
                "v20140404": "0123456789ab"
            }
        }
    },
    "links": {
        "v20130303storage": [
            "v20140404storage"
        ],
        "v20140404storage": [
            "v20150505storage"
        ]
    }
}
