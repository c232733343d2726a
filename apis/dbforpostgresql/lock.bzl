"""Hubs and links of the group. Written by //apis/dbforpostgresql:lock.update; do not edit."""

LOCK = {
    "resources": {
        "FlexibleServer": {
            "hub": "v1beta20250801storage",
            "versions": [
                "v1alpha20200214",
                "v1alpha20210601",
                "v1beta20210601",
                "v1beta20240801",
                "v1beta20250801"
            ],
            "digests": {
                "v1alpha20200214": "f50134b39fbb",
                "v1alpha20210601": "6fda055c46bd",
                "v1beta20210601": "6fda055c46bd",
                "v1beta20240801": "0881c5be936c",
                "v1beta20250801": "106a6d594606"
            },
            "former": [
                "v1beta20210601storage"
            ]
        },
        "FlexibleServerAdministrator": {
            "hub": "v1beta20250801storage",
            "versions": [
                "v1beta20240801",
                "v1beta20250801"
            ],
            "digests": {
                "v1beta20240801": "e0f45e4a84c3",
                "v1beta20250801": "b619bdbe5e1a"
            }
        },
        "FlexibleServerAdvancedThreatProtectionSetting": {
            "hub": "v1beta20250801storage",
            "versions": [
                "v1beta20240801",
                "v1beta20250801"
            ],
            "digests": {
                "v1beta20240801": "e7183e7f8236",
                "v1beta20250801": "4e5f69131dc8"
            }
        },
        "FlexibleServerBackup": {
            "hub": "v1beta20250801storage",
            "versions": [
                "v1beta20240801",
                "v1beta20250801"
            ],
            "digests": {
                "v1beta20240801": "a8a5f12f0310",
                "v1beta20250801": "904e7b431c83"
            }
        },
        "FlexibleServerConfiguration": {
            "hub": "v1beta20250801storage",
            "versions": [
                "v1alpha20210601",
                "v1beta20210601",
                "v1beta20240801",
                "v1beta20250801"
            ],
            "digests": {
                "v1alpha20210601": "9c67507e109c",
                "v1beta20210601": "9c67507e109c",
                "v1beta20240801": "1f96b93cec54",
                "v1beta20250801": "7774588a678f"
            },
            "former": [
                "v1beta20210601storage"
            ]
        },
        "FlexibleServerDatabase": {
            "hub": "v1beta20250801storage",
            "versions": [
                "v1alpha20210601",
                "v1beta20210601",
                "v1beta20240801",
                "v1beta20250801"
            ],
            "digests": {
                "v1alpha20210601": "034ce803e6e5",
                "v1beta20210601": "08f7e5957f39",
                "v1beta20240801": "f465a7ce81d9",
                "v1beta20250801": "c7ec0a2bc1a2"
            },
            "former": [
                "v1beta20210601storage"
            ]
        },
        "FlexibleServerFirewallRule": {
            "hub": "v1beta20250801storage",
            "versions": [
                "v1alpha20200214",
                "v1alpha20210601",
                "v1beta20210601",
                "v1beta20240801",
                "v1beta20250801"
            ],
            "digests": {
                "v1alpha20200214": "810fb5bab77e",
                "v1alpha20210601": "08735cef5672",
                "v1beta20210601": "08735cef5672",
                "v1beta20240801": "6c6e39a8bd2c",
                "v1beta20250801": "2b05ff816509"
            },
            "former": [
                "v1beta20210601storage"
            ]
        },
        "FlexibleServerVirtualEndpoint": {
            "hub": "v1beta20250801storage",
            "versions": [
                "v1beta20240801",
                "v1beta20250801"
            ],
            "digests": {
                "v1beta20240801": "47d6ccecb452",
                "v1beta20250801": "47d6ccecb452"
            }
        }
    },
    "links": {
        "v1alpha20200214storage": [
            "v1alpha20210601storage"
        ],
        "v1alpha20210601storage": [
            "v1beta20210601storage"
        ],
        "v1beta20210601storage": [
            "v1beta20240801storage"
        ],
        "v1beta20240801storage": [
            "v1beta20250801storage"
        ]
    }
}
