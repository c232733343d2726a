LOCK = {
    "resources": {
        "Cart": {
            "hub": "v20210101storage",
            "versions": [
                "v20200101",
                "v20210101"
            ],
            "digests": {
                "v20200101": "9120e916e69f",
                "v20210101": "9120e916e69f"
            }
        }
    },
    "links": {
        "v20200101storage": [
            "v20210101storage"
        ]
    }
}
