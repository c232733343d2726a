LOCK = {
    "resources": {
        "Cart": {
            "hub": "v20210110storage",
            "versions": [
                "v20200101",
                "v20210101",
                "v20190101"
            ],
            "digests": {
                "v20200101": "9120e916e69f",
                "v20210101": "9120e916e69f"
            },
            "former": [
                "v20190101storage"
            ],
            "aliases": [
                "v1alpha1api20200101storage"
            ]
        },
        "Crate": {
            "hub": "v20210101storage"
        }
    },
    "links": {
        "v20190101storage": [
            "v20210101storage"
        ],
        "v20200101storage": [
            "v20210101storage"
        ]
    }
}
