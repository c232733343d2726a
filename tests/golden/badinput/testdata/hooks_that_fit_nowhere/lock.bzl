LOCK = {
    "resources": {
        "Cart": {
            "hub": "v1beta20210101storage",
            "versions": [
                "v1beta20200101",
                "v1beta20210101"
            ],
            "digests": {
                "v1beta20200101": "9120e916e69f",
                "v1beta20210101": "9120e916e69f"
            }
        }
    },
    "links": {
        "v1beta20200101storage": [
            "v1beta20210101storage"
        ]
    }
}
