"""Hubs and links of the group. Written by //apis/crm:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Person": {
            "hub": "v1beta20140404storage",
            "former": [
                "v1beta20130303storage"
            ]
        }
    },
    "links": {}
}
