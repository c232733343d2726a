"""Hubs and links of the group. Written by `./bazelw run //apis/resources:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "ResourceGroup": {
            "hub": "v1beta20210401storage",
            "versions": [
                "v1beta20200601",
                "v1beta20210401"
            ]
        }
    },
    "links": {
        "v1beta20200601storage": [
            "v1beta20210401storage"
        ]
    },
    "sources": {
        "v1beta20200601": "swagger",
        "v1beta20210401": "swagger"
    }
}
