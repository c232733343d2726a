LOCK = {
    "resources": {
        "Person": {
            "hub": "v20150505storage",
            "aliases": [
                "v1alpha1api20130303storage"
            ]
        }
    },
    "links": {}
}
