"""Hubs and links of the group. Written by //apis/crm:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Person": {
            "hbu": "v1beta20150505storage"
        }
    },
    "links": {}
}
