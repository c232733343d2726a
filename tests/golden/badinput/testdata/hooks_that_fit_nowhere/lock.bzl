LOCK = {
    "resources": {
        "Cart": {
            "hub": "v1beta20210101storage",
            "versions": [
                "v1beta20200101",
                "v1beta20210101"
            ]
        }
    },
    "links": {
        "v1beta20200101storage": [
            "v1beta20210101storage"
        ]
    }
}
