"""Hubs and links of the group."""

LOCK = {
    "resources": {
        "Widget": {
            "hub": "v1beta20210101storage",
            "former": ["v1alpha20200101storage"]
        },
        "WidgetPart": {
            "hub": "v1beta20210101storage"
        }
    },
    "links": {}
}
