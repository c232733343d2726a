"""Hubs and links of the group. Written by //apis/crm:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Person": {
            "hub": "v20150505storage"
        }
    },
    "links": {,}
}
