"""Hubs and links of the group. Written by //apis/crm:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Party": {
            "hub": "v1beta20140404storage",
            "versions": [
                "v1beta20130303",
                "v1beta20140404"
            ],
            "digests": {
                "v1beta20130303": "0123456789ab",
                "v1beta20140404": "0123456789ab"
            }
        }
    },
    "links": {
        "v1beta20130303storage": [
            "v1beta20140404storage"
        ],
        "v1beta20140404storage": [
            "v1beta20150505storage"
        ]
    }
}
