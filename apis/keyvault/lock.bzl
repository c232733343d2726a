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
