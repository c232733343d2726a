LOCK = {
    "resources": {
        "Cart": {
            "hub": "v1beta20210110storage",
            "versions": [
                "v1beta20200101",
                "v1beta20210101",
                "v1beta20190101"
            ],
            "digests": {
                "v1beta20200101": "9120e916e69f",
                "v1beta20210101": "9120e916e69f"
            },
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
        ],
        "v1beta20200101storage": [
            "v1beta20210101storage"
        ]
    }
}
