"""Hubs and links of the group. Written by //apis/crm:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Person": {
            "hub": "v20150505storage",
            "versions": [
                "v20130303",
                "v20140404",
                "v20150505"
            ],
            "digests": {
                "v20130303": "84fef4f0bef9",
                "v20140404": "84fef4f0bef9",
                "v20150505": "84fef4f0bef9"
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
