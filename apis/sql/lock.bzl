"""Hubs and links of the group. Written by //apis/sql:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Server": {
            "hub": "v1beta20250101storage",
            "versions": [
                "v1beta20140401",
                "v1alpha20201101",
                "v1alpha20210201",
                "v1beta20230801",
                "v1beta20250101"
            ],
            "former": [
                "v1beta20140401storage"
            ]
        },
        "ServerAdministrator": {
            "hub": "v1beta20250101storage",
            "versions": [
                "v1beta20140401",
                "v1alpha20180601",
                "v1alpha20201101",
                "v1alpha20210201",
                "v1beta20230801",
                "v1beta20250101"
            ],
            "former": [
                "v1beta20140401storage"
            ]
        },
        "ServerAuditingSetting": {
            "hub": "v1beta20250101storage",
            "versions": [
                "v1alpha20170301",
                "v1alpha20201101",
                "v1alpha20210201",
                "v1beta20230801",
                "v1beta20250101"
            ],
            "former": [
                "v1alpha20210201storage"
            ]
        },
        "ServerAzureADOnlyAuthentication": {
            "hub": "v1beta20250101storage",
            "versions": [
                "v1alpha20201101",
                "v1alpha20210201",
                "v1beta20230801",
                "v1beta20250101"
            ],
            "former": [
                "v1alpha20210201storage"
            ]
        },
        "ServerConnectionPolicy": {
            "hub": "v1beta20250101storage",
            "versions": [
                "v1beta20140401",
                "v1beta20230801",
                "v1beta20250101"
            ],
            "former": [
                "v1beta20140401storage"
            ]
        },
        "ServerDatabase": {
            "hub": "v1beta20250101storage",
            "versions": [
                "v1beta20140401",
                "v1alpha20170301",
                "v1alpha20201101",
                "v1alpha20210201",
                "v1beta20230801",
                "v1beta20250101"
            ],
            "former": [
                "v1beta20140401storage"
            ]
        },
        "ServerDatabaseAuditingSetting": {
            "hub": "v1beta20250101storage",
            "versions": [
                "v1alpha20170301",
                "v1alpha20201101",
                "v1alpha20210201",
                "v1beta20230801",
                "v1beta20250101"
            ],
            "former": [
                "v1alpha20210201storage"
            ]
        },
        "ServerDatabaseBackupLongTermRetentionPolicy": {
            "hub": "v1beta20250101storage",
            "versions": [
                "v1alpha20170301",
                "v1alpha20201101",
                "v1alpha20210201",
                "v1beta20230801",
                "v1beta20250101"
            ],
            "former": [
                "v1alpha20210201storage"
            ]
        },
        "ServerDatabaseBackupShortTermRetentionPolicy": {
            "hub": "v1beta20250101storage",
            "versions": [
                "v1alpha20201101",
                "v1alpha20210201",
                "v1beta20230801",
                "v1beta20250101"
            ],
            "former": [
                "v1alpha20210201storage"
            ]
        },
        "ServerDatabaseSecurityAlertPolicy": {
            "hub": "v1beta20250101storage",
            "versions": [
                "v1beta20140401",
                "v1alpha20180601",
                "v1alpha20201101",
                "v1alpha20210201",
                "v1beta20230801",
                "v1beta20250101"
            ],
            "former": [
                "v1beta20140401storage"
            ]
        },
        "ServerDatabaseTransparentDataEncryption": {
            "hub": "v1beta20250101storage",
            "versions": [
                "v1beta20140401",
                "v1alpha20201101",
                "v1alpha20210201",
                "v1beta20230801",
                "v1beta20250101"
            ],
            "former": [
                "v1beta20140401storage"
            ]
        },
        "ServerDatabaseVulnerabilityAssessment": {
            "hub": "v1beta20250101storage",
            "versions": [
                "v1alpha20170301",
                "v1alpha20201101",
                "v1alpha20210201",
                "v1beta20230801",
                "v1beta20250101"
            ],
            "former": [
                "v1alpha20210201storage"
            ]
        },
        "ServerElasticPool": {
            "hub": "v1beta20250101storage",
            "versions": [
                "v1beta20140401",
                "v1alpha20201101",
                "v1alpha20210201",
                "v1beta20230801",
                "v1beta20250101"
            ],
            "former": [
                "v1beta20140401storage"
            ]
        },
        "ServerEncryptionProtector": {
            "hub": "v1beta20250101storage",
            "versions": [
                "v1alpha20201101",
                "v1alpha20210201",
                "v1beta20230801",
                "v1beta20250101"
            ],
            "former": [
                "v1alpha20210201storage"
            ]
        },
        "ServerFailoverGroup": {
            "hub": "v1beta20250101storage",
            "versions": [
                "v1alpha20201101",
                "v1alpha20210201",
                "v1beta20230801",
                "v1beta20250101"
            ],
            "former": [
                "v1alpha20210201storage"
            ]
        },
        "ServerFirewallRule": {
            "hub": "v1beta20250101storage",
            "versions": [
                "v1beta20140401",
                "v1alpha20201101",
                "v1alpha20210201",
                "v1beta20230801",
                "v1beta20250101"
            ],
            "former": [
                "v1beta20140401storage"
            ]
        },
        "ServerKey": {
            "hub": "v1beta20250101storage",
            "versions": [
                "v1alpha20201101",
                "v1alpha20210201",
                "v1beta20230801",
                "v1beta20250101"
            ],
            "former": [
                "v1alpha20210201storage"
            ]
        },
        "ServerOutboundFirewallRule": {
            "hub": "v1beta20250101storage",
            "versions": [
                "v1alpha20210201",
                "v1beta20230801",
                "v1beta20250101"
            ],
            "former": [
                "v1alpha20210201storage"
            ]
        },
        "ServerSecurityAlertPolicy": {
            "hub": "v1beta20250101storage",
            "versions": [
                "v1alpha20170301",
                "v1alpha20201101",
                "v1alpha20210201",
                "v1beta20230801",
                "v1beta20250101"
            ],
            "former": [
                "v1alpha20210201storage"
            ]
        },
        "ServerVirtualNetworkRule": {
            "hub": "v1beta20250101storage",
            "versions": [
                "v1alpha20201101",
                "v1alpha20210201",
                "v1beta20230801",
                "v1beta20250101"
            ],
            "former": [
                "v1alpha20210201storage"
            ]
        },
        "ServerVulnerabilityAssessment": {
            "hub": "v1beta20250101storage",
            "versions": [
                "v1alpha20180601",
                "v1alpha20201101",
                "v1alpha20210201",
                "v1beta20230801",
                "v1beta20250101"
            ],
            "former": [
                "v1alpha20210201storage"
            ]
        }
    },
    "links": {
        "v1alpha20170301storage": [
            "v1alpha20201101storage"
        ],
        "v1alpha20180601storage": [
            "v1alpha20201101storage"
        ],
        "v1alpha20201101storage": [
            "v1alpha20210201storage"
        ],
        "v1alpha20210201storage": [
            "v1beta20230801storage"
        ],
        "v1beta20140401storage": [
            "v1beta20230801storage"
        ],
        "v1beta20230801storage": [
            "v1beta20250101storage"
        ]
    }
}
