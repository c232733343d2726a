LOCK = {
    "resources": {
        "Cart": {
            "hub": "v1beta20210101storage",
            "versions": [
                "v1beta20200101",
                "v1beta20210101"
            ],
            "digests": {
                "v1beta20200101": "744cfcb19b5b",
                "v1beta20210101": "7e7c5ef102a0"
            }
        }
    },
    "links": {
        "v1beta20200101storage": [
            "v1beta20210101storage"
        ]
    }
}
