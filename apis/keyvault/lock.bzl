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
                "v20161001": "528125c78b10",
                "v20180214": "d93d51865cdc",
                "v20190901": "42efebbedad6",
                "v20200401alpha1": "b2fd0f704a24",
                "v20210401alpha1": "61e7775be1b8",
                "v20230701": "5e7820f88f45",
                "v20250501": "20c63f817254",
                "v20260201": "20c63f817254"
            },
            "former": [
                "v20190901storage"
            ]
        },
        "VaultKey": {
            "hub": "v20260201storage",
            "versions": [
                "v20230701",
                "v20250501",
                "v20260201"
            ],
            "digests": {
                "v20230701": "131c56ae2899",
                "v20250501": "1a9524fd1e43",
                "v20260201": "1a9524fd1e43"
            }
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
