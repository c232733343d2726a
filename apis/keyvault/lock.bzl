"""Hubs and links of the group. Written by //apis/keyvault:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Vault": {
            "hub": "v1beta20260201storage",
            "versions": [
                "v1beta20161001",
                "v1beta20180214",
                "v1beta20190901",
                "v1alpha20200401",
                "v1alpha20210401",
                "v1beta20250501",
                "v1beta20260201"
            ],
            "digests": {
                "v1alpha20200401": "1dd8484a1a7b",
                "v1alpha20210401": "78698e56f55a",
                "v1beta20161001": "f9e72e4385e0",
                "v1beta20180214": "daae719717b5",
                "v1beta20190901": "ff94c1cd0588",
                "v1beta20250501": "aee2705e68c6",
                "v1beta20260201": "aee2705e68c6"
            },
            "former": [
                "v1beta20190901storage"
            ]
        },
        "VaultPrivateEndpointConnection": {
            "hub": "v1beta20260201storage",
            "versions": [
                "v1beta20180214",
                "v1beta20190901",
                "v1alpha20200401",
                "v1alpha20210401",
                "v1beta20250501",
                "v1beta20260201"
            ],
            "digests": {
                "v1alpha20200401": "1628daacae1b",
                "v1alpha20210401": "1628daacae1b",
                "v1beta20180214": "6d288d724794",
                "v1beta20190901": "482625fcb4ad",
                "v1beta20250501": "46704ec70493",
                "v1beta20260201": "46704ec70493"
            },
            "former": [
                "v1beta20190901storage"
            ]
        }
    },
    "links": {
        "v1alpha20200401storage": [
            "v1alpha20210401storage"
        ],
        "v1alpha20210401storage": [
            "v1beta20250501storage"
        ],
        "v1beta20161001storage": [
            "v1beta20180214storage"
        ],
        "v1beta20180214storage": [
            "v1beta20190901storage"
        ],
        "v1beta20190901storage": [
            "v1beta20250501storage"
        ],
        "v1beta20250501storage": [
            "v1beta20260201storage"
        ]
    }
}
