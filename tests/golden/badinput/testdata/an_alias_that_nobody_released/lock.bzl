LOCK = {
    "resources": {
        "Cart": {
            "hub": "v1beta20210101storage",
            "aliases": [
                "v1alpha1api20200101storage"
            ],
            "released": [
                "v1alpha1api20210101storage"
            ]
        }
    },
    "links": {}
}
