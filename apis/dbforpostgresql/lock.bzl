"""Hubs and links of the group. Written by //apis/dbforpostgresql:lock.update; do not edit."""

LOCK = {
    "resources": {
        "FlexibleServer": {
            "hub": "v20250801storage",
            "versions": [
                "v20200214alpha1",
                "v20210601alpha1",
                "v20210601",
                "v20240801",
                "v20250801"
            ],
            "digests": {
                "v20200214alpha1": "39a8d0c3dcb8",
                "v20210601": "bd7fd74a78c3",
                "v20210601alpha1": "bd7fd74a78c3",
                "v20240801": "a9773d4fb23a",
                "v20250801": "8384417c33c7"
            },
            "former": [
                "v20210601storage"
            ]
        },
        "FlexibleServerAdministrator": {
            "hub": "v20250801storage",
            "versions": [
                "v20240801",
                "v20250801"
            ],
            "digests": {
                "v20240801": "e0f45e4a84c3",
                "v20250801": "b619bdbe5e1a"
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
                "v20240801": "a8a5f12f0310",
                "v20250801": "904e7b431c83"
            }
        },
        "FlexibleServerConfiguration": {
            "hub": "v20250801storage",
            "versions": [
                "v20210601alpha1",
                "v20210601",
                "v20240801",
                "v20250801"
            ],
            "digests": {
                "v20210601": "9c67507e109c",
                "v20210601alpha1": "9c67507e109c",
                "v20240801": "1f96b93cec54",
                "v20250801": "7774588a678f"
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
                "v20240801",
                "v20250801"
            ],
            "digests": {
                "v20210601": "08f7e5957f39",
                "v20210601alpha1": "034ce803e6e5",
                "v20240801": "f465a7ce81d9",
                "v20250801": "c7ec0a2bc1a2"
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
                "v20240801",
                "v20250801"
            ],
            "digests": {
                "v20200214alpha1": "810fb5bab77e",
                "v20210601": "08735cef5672",
                "v20210601alpha1": "08735cef5672",
                "v20240801": "6c6e39a8bd2c",
                "v20250801": "2b05ff816509"
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
            "v20240801storage"
        ],
        "v20240801storage": [
            "v20250801storage"
        ]
    }
}
