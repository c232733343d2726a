LOCK = {
    "resources": {
        "Cart": {
            "hub": "v1beta20210101storage",
            "versions": [
                "v1beta20200101",
                "v1beta20210101"
            ],
            "aliases": [
                "v1alpha1api20200101storage"
            ],
            "released": [
                "v1alpha1api20210101storage"
            ]
        }
    },
    "links": {
        "v1beta20200101storage": [
            "v1beta20210101storage"
        ]
    }
}
