"""Hubs and links of the group. Written by `./bazelw run //apis/sql:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "Server": {
            "hub": "v1beta20140401storage",
            "versions": [
                "v1beta20140401",
                "v1alpha20201101",
                "v1alpha20210201"
            ]
        },
        "ServerAdministrator": {
            "hub": "v1beta20140401storage",
            "versions": [
                "v1beta20140401",
                "v1alpha20180601",
                "v1alpha20201101",
                "v1alpha20210201"
            ]
        },
        "ServerAuditingSetting": {
            "hub": "v1alpha20210201storage",
            "versions": [
                "v1alpha20170301",
                "v1alpha20201101",
                "v1alpha20210201"
            ]
        },
        "ServerAzureADOnlyAuthentication": {
            "hub": "v1alpha20210201storage",
            "versions": [
                "v1alpha20201101",
                "v1alpha20210201"
            ]
        },
        "ServerConnectionPolicy": {
            "hub": "v1beta20140401storage",
            "versions": [
                "v1beta20140401"
            ]
        },
        "ServerDatabase": {
            "hub": "v1beta20140401storage",
            "versions": [
                "v1beta20140401",
                "v1alpha20170301",
                "v1alpha20201101",
                "v1alpha20210201"
            ]
        },
        "ServerDatabaseAuditingSetting": {
            "hub": "v1alpha20210201storage",
            "versions": [
                "v1alpha20170301",
                "v1alpha20201101",
                "v1alpha20210201"
            ]
        },
        "ServerDatabaseBackupLongTermRetentionPolicy": {
            "hub": "v1alpha20210201storage",
            "versions": [
                "v1alpha20170301",
                "v1alpha20201101",
                "v1alpha20210201"
            ]
        },
        "ServerDatabaseBackupShortTermRetentionPolicy": {
            "hub": "v1alpha20210201storage",
            "versions": [
                "v1alpha20201101",
                "v1alpha20210201"
            ]
        },
        "ServerDatabaseSecurityAlertPolicy": {
            "hub": "v1beta20140401storage",
            "versions": [
                "v1beta20140401",
                "v1alpha20180601",
                "v1alpha20201101",
                "v1alpha20210201"
            ]
        },
        "ServerDatabaseTransparentDataEncryption": {
            "hub": "v1beta20140401storage",
            "versions": [
                "v1beta20140401",
                "v1alpha20201101",
                "v1alpha20210201"
            ]
        },
        "ServerDatabaseVulnerabilityAssessment": {
            "hub": "v1alpha20210201storage",
            "versions": [
                "v1alpha20170301",
                "v1alpha20201101",
                "v1alpha20210201"
            ]
        },
        "ServerElasticPool": {
            "hub": "v1beta20140401storage",
            "versions": [
                "v1beta20140401",
                "v1alpha20201101",
                "v1alpha20210201"
            ]
        },
        "ServerEncryptionProtector": {
            "hub": "v1alpha20210201storage",
            "versions": [
                "v1alpha20201101",
                "v1alpha20210201"
            ]
        },
        "ServerFailoverGroup": {
            "hub": "v1alpha20210201storage",
            "versions": [
                "v1alpha20201101",
                "v1alpha20210201"
            ]
        },
        "ServerFirewallRule": {
            "hub": "v1beta20140401storage",
            "versions": [
                "v1beta20140401",
                "v1alpha20201101",
                "v1alpha20210201"
            ]
        },
        "ServerKey": {
            "hub": "v1alpha20210201storage",
            "versions": [
                "v1alpha20201101",
                "v1alpha20210201"
            ]
        },
        "ServerOutboundFirewallRule": {
            "hub": "v1alpha20210201storage",
            "versions": [
                "v1alpha20210201"
            ]
        },
        "ServerSecurityAlertPolicy": {
            "hub": "v1alpha20210201storage",
            "versions": [
                "v1alpha20170301",
                "v1alpha20201101",
                "v1alpha20210201"
            ]
        },
        "ServerVirtualNetworkRule": {
            "hub": "v1alpha20210201storage",
            "versions": [
                "v1alpha20201101",
                "v1alpha20210201"
            ]
        },
        "ServerVulnerabilityAssessment": {
            "hub": "v1alpha20210201storage",
            "versions": [
                "v1alpha20180601",
                "v1alpha20201101",
                "v1alpha20210201"
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
            "v1beta20140401storage"
        ]
    },
    "sources": {
        "v1alpha20170301": "swagger",
        "v1alpha20180601": "swagger",
        "v1alpha20201101": "swagger",
        "v1alpha20210201": "swagger",
        "v1beta20140401": "swagger"
    }
}
