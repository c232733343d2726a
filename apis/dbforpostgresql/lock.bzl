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
            "former": [
                "v1beta20210601storage"
            ]
        },
        "FlexibleServerAdministrator": {
            "hub": "v1beta20250801storage",
            "versions": [
                "v1beta20240801",
                "v1beta20250801"
            ]
        },
        "FlexibleServerAdvancedThreatProtectionSetting": {
            "hub": "v1beta20250801storage",
            "versions": [
                "v1beta20240801",
                "v1beta20250801"
            ]
        },
        "FlexibleServerBackup": {
            "hub": "v1beta20250801storage",
            "versions": [
                "v1beta20240801",
                "v1beta20250801"
            ]
        },
        "FlexibleServerConfiguration": {
            "hub": "v1beta20250801storage",
            "versions": [
                "v1alpha20210601",
                "v1beta20210601",
                "v1beta20240801",
                "v1beta20250801"
            ],
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
            "former": [
                "v1beta20210601storage"
            ]
        },
        "FlexibleServerVirtualEndpoint": {
            "hub": "v1beta20250801storage",
            "versions": [
                "v1beta20240801",
                "v1beta20250801"
            ]
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
