"""Hubs and links of the group. Written by //apis/keyvault:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Vault": {
            "hub": "v20260201storage",
            "versions": [
                "v20161001",
                "v20180214",
                "v20190901",
                "v20200401alpha1",
                "v20210401alpha1",
                "v20230701",
                "v20250501",
                "v20260201"
            ],
            "digests": {
                "v20161001": "f9e72e4385e0",
                "v20180214": "daae719717b5",
                "v20190901": "933be36f78c4",
                "v20200401alpha1": "1bb151a12e74",
                "v20210401alpha1": "a57ebd4f1720",
                "v20230701": "b50a0095ab0d",
                "v20250501": "dc8722e37e75",
                "v20260201": "dc8722e37e75"
            },
            "former": [
                "v20190901storage"
            ]
        },
        "VaultPrivateEndpointConnection": {
            "hub": "v20260201storage",
            "versions": [
                "v20180214",
                "v20190901",
                "v20200401alpha1",
                "v20210401alpha1",
                "v20230701",
                "v20250501",
                "v20260201"
            ],
            "digests": {
                "v20180214": "6d288d724794",
                "v20190901": "f78a9344c9a9",
                "v20200401alpha1": "44f3b3fcdbf9",
                "v20210401alpha1": "44f3b3fcdbf9",
                "v20230701": "44f3b3fcdbf9",
                "v20250501": "c6f433bd740b",
                "v20260201": "c6f433bd740b"
            },
            "former": [
                "v20190901storage"
            ]
        }
    },
    "links": {
        "v20161001storage": [
            "v20180214storage"
        ],
        "v20180214storage": [
            "v20190901storage"
        ],
        "v20190901storage": [
            "v20230701storage"
        ],
        "v20200401alpha1storage": [
            "v20210401alpha1storage"
        ],
        "v20210401alpha1storage": [
            "v20230701storage"
        ],
        "v20230701storage": [
            "v20250501storage"
        ],
        "v20250501storage": [
            "v20260201storage"
        ]
    }
}
