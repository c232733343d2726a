LOCK = {
    "resources": {
        "Cart": {
            "hub": "v20210101storage",
            "versions": [
                "v20200101",
                "v20210101"
            ],
            "digests": {
                "v20200101": "744cfcb19b5b",
                "v20210101": "7e7c5ef102a0"
            }
        }
    },
    "links": {
        "v20200101storage": [
            "v20210101storage"
        ]
    }
}
