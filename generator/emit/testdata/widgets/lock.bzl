"""Hubs and links of the group."""

LOCK = {
    "resources": {
        "Widget": {
            "hub": "v20210101storage",
            "former": ["v20200101alpha1storage"]
        },
        "WidgetPart": {
            "hub": "v20210101storage"
        }
    },
    "links": {}
}
