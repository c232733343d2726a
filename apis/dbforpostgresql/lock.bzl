"""Hubs and links of the group. Written by //apis/dbforpostgresql:lock.update; do not edit."""

LOCK = {
    "resources": {
        "FlexibleServer": {
            "hub": "v20250801storage",
            "versions": [
                "v20200214alpha1",
                "v20210601alpha1",
                "v20210601",
                "v20221201",
                "v20240801",
                "v20250801"
            ],
            "digests": {
                "v20200214alpha1": "b4f9a3f28b0b",
                "v20210601": "7560dac74b4d",
                "v20210601alpha1": "766e2ad99ec4",
                "v20221201": "d634d905cc26",
                "v20240801": "63aa54b39784",
                "v20250801": "43e91c01073e"
            },
            "former": [
                "v20210601storage"
            ]
        },
        "FlexibleServerAdministrator": {
            "hub": "v20250801storage",
            "versions": [
                "v20221201",
                "v20240801",
                "v20250801"
            ],
            "digests": {
                "v20221201": "00edb9d5b675",
                "v20240801": "46d54bdfc681",
                "v20250801": "a8d1b52c4d14"
            }
        },
        "FlexibleServerAdvancedThreatProtectionSetting": {
            "hub": "v20250801storage",
            "versions": [
                "v20240801",
                "v20250801"
            ],
            "digests": {
                "v20240801": "e7183e7f8236",
                "v20250801": "4e5f69131dc8"
            }
        },
        "FlexibleServerBackup": {
            "hub": "v20250801storage",
            "versions": [
                "v20240801",
                "v20250801"
            ],
            "digests": {
                "v20240801": "6b9d87517fb8",
                "v20250801": "70004435214f"
            }
        },
        "FlexibleServerConfiguration": {
            "hub": "v20250801storage",
            "versions": [
                "v20210601alpha1",
                "v20210601",
                "v20221201",
                "v20240801",
                "v20250801"
            ],
            "digests": {
                "v20210601": "f198413d08bd",
                "v20210601alpha1": "f198413d08bd",
                "v20221201": "f32a4f6b3923",
                "v20240801": "f32a4f6b3923",
                "v20250801": "c2b854c067d3"
            },
            "former": [
                "v20210601storage"
            ]
        },
        "FlexibleServerDatabase": {
            "hub": "v20250801storage",
            "versions": [
                "v20210601alpha1",
                "v20210601",
                "v20221201",
                "v20240801",
                "v20250801"
            ],
            "digests": {
                "v20210601": "08f7e5957f39",
                "v20210601alpha1": "034ce803e6e5",
                "v20221201": "c58955cce4a6",
                "v20240801": "c58955cce4a6",
                "v20250801": "0fc7c5d9f592"
            },
            "former": [
                "v20210601storage"
            ]
        },
        "FlexibleServerFirewallRule": {
            "hub": "v20250801storage",
            "versions": [
                "v20200214alpha1",
                "v20210601alpha1",
                "v20210601",
                "v20221201",
                "v20240801",
                "v20250801"
            ],
            "digests": {
                "v20200214alpha1": "17d36f96f863",
                "v20210601": "e23d70ac94ff",
                "v20210601alpha1": "e23d70ac94ff",
                "v20221201": "8d2738d5afc4",
                "v20240801": "8d2738d5afc4",
                "v20250801": "46493809f9ef"
            },
            "former": [
                "v20210601storage"
            ]
        },
        "FlexibleServerVirtualEndpoint": {
            "hub": "v20250801storage",
            "versions": [
                "v20240801",
                "v20250801"
            ],
            "digests": {
                "v20240801": "47d6ccecb452",
                "v20250801": "47d6ccecb452"
            }
        }
    },
    "links": {
        "v20200214alpha1storage": [
            "v20210601alpha1storage"
        ],
        "v20210601alpha1storage": [
            "v20210601storage"
        ],
        "v20210601storage": [
            "v20221201storage"
        ],
        "v20221201storage": [
            "v20240801storage"
        ],
        "v20240801storage": [
            "v20250801storage"
        ]
    }
}
