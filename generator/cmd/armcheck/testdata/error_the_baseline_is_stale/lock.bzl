"""Hubs and links of the group. Written by //apis/crm:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Person": {
            "hub": "v1beta20150505storage",
            "versions": [
                "v1beta20130303",
                "v1beta20140404",
                "v1beta20150505"
            ],
            "digests": {
                "v1beta20130303": "84fef4f0bef9",
                "v1beta20140404": "84fef4f0bef9",
                "v1beta20150505": "84fef4f0bef9"
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
