LOCK = {
    "resources": {
        "Cart": {
            "hub": "v1beta20210110storage",
            "former": [
                "v1beta20190101storage"
            ],
            "aliases": [
                "v1alpha1api20200101storage"
            ]
        },
        "Crate": {
            "hub": "v1beta20210101storage"
        }
    },
    "links": {
        "v1beta20190101storage": [
            "v1beta20210101storage"
        ]
    }
}
