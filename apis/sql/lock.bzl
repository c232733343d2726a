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
            "digests": {
                "v1alpha20201101": "a937072b3bb8",
                "v1alpha20210201": "147d8a1f88e4",
                "v1beta20140401": "2e6b2b5293b1",
                "v1beta20230801": "989e8f74a714",
                "v1beta20250101": "f002c243fb91"
            },
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
            "digests": {
                "v1alpha20180601": "4af55ee9914e",
                "v1alpha20201101": "78fdb2540eb1",
                "v1alpha20210201": "78fdb2540eb1",
                "v1beta20140401": "eeacf43a82c2",
                "v1beta20230801": "baf18959998f",
                "v1beta20250101": "32e7b229ac41"
            },
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
            "digests": {
                "v1alpha20170301": "9050fa0209d4",
                "v1alpha20201101": "86befc667a88",
                "v1alpha20210201": "86befc667a88",
                "v1beta20230801": "e350f3980c7f",
                "v1beta20250101": "94b8b247741a"
            },
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
            "digests": {
                "v1alpha20201101": "b655904b6066",
                "v1alpha20210201": "b655904b6066",
                "v1beta20230801": "b655904b6066",
                "v1beta20250101": "08b5bd1e6e1c"
            },
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
            "digests": {
                "v1beta20140401": "313c41621edb",
                "v1beta20230801": "d5d69661a805",
                "v1beta20250101": "82a9f368e630"
            },
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
            "digests": {
                "v1alpha20170301": "fbdeb3d8c741",
                "v1alpha20201101": "9fe86ce2f80e",
                "v1alpha20210201": "3d8b0bc1799c",
                "v1beta20140401": "cbd603b064f4",
                "v1beta20230801": "9b5990b17a53",
                "v1beta20250101": "f71a23c769f0"
            },
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
            "digests": {
                "v1alpha20170301": "7f0744bc2ee2",
                "v1alpha20201101": "7f0744bc2ee2",
                "v1alpha20210201": "7f0744bc2ee2",
                "v1beta20230801": "8f3819bc2f48",
                "v1beta20250101": "477c08521422"
            },
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
            "digests": {
                "v1alpha20170301": "08b619d6acda",
                "v1alpha20201101": "08b619d6acda",
                "v1alpha20210201": "08b619d6acda",
                "v1beta20230801": "08b619d6acda",
                "v1beta20250101": "0043dbf3b7cf"
            },
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
            "digests": {
                "v1alpha20201101": "8035e82381d4",
                "v1alpha20210201": "df0b6920eed2",
                "v1beta20230801": "deecf0624eed",
                "v1beta20250101": "36af0911b598"
            },
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
            "digests": {
                "v1alpha20180601": "814afaee5151",
                "v1alpha20201101": "6e0384f4ff62",
                "v1alpha20210201": "6e0384f4ff62",
                "v1beta20140401": "b96317920dcf",
                "v1beta20230801": "2fc1614c1d08",
                "v1beta20250101": "7e4c0e29dd93"
            },
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
            "digests": {
                "v1alpha20201101": "5840807ffe0e",
                "v1alpha20210201": "5840807ffe0e",
                "v1beta20140401": "4eac99762638",
                "v1beta20230801": "a46d41fd3b57",
                "v1beta20250101": "6c7f8df6af39"
            },
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
            "digests": {
                "v1alpha20170301": "58aa785010c2",
                "v1alpha20201101": "58aa785010c2",
                "v1alpha20210201": "58aa785010c2",
                "v1beta20230801": "58aa785010c2",
                "v1beta20250101": "1fdfdfd03de3"
            },
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
            "digests": {
                "v1alpha20201101": "56b1afe129d9",
                "v1alpha20210201": "56b1afe129d9",
                "v1beta20140401": "4f2a5286c8a1",
                "v1beta20230801": "6ed118e7d0d7",
                "v1beta20250101": "8793094935fe"
            },
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
            "digests": {
                "v1alpha20201101": "a58a4b818494",
                "v1alpha20210201": "a58a4b818494",
                "v1beta20230801": "23f7b4b4ee17",
                "v1beta20250101": "635c37be6680"
            },
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
            "digests": {
                "v1alpha20201101": "9731ca5e517a",
                "v1alpha20210201": "9731ca5e517a",
                "v1beta20230801": "566c946f96a3",
                "v1beta20250101": "cb0990a63de7"
            },
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
            "digests": {
                "v1alpha20201101": "253955be79bb",
                "v1alpha20210201": "253955be79bb",
                "v1beta20140401": "917b220b2129",
                "v1beta20230801": "253955be79bb",
                "v1beta20250101": "253955be79bb"
            },
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
            "digests": {
                "v1alpha20201101": "f9d04145ec80",
                "v1alpha20210201": "f9d04145ec80",
                "v1beta20230801": "b83d49ca70f7",
                "v1beta20250101": "f1a012cec803"
            },
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
            "digests": {
                "v1alpha20210201": "a1b89a691a12",
                "v1beta20230801": "36392a1919bf",
                "v1beta20250101": "da86529a74e4"
            },
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
            "digests": {
                "v1alpha20170301": "418cdea4a1bf",
                "v1alpha20201101": "b9c5e0d625bd",
                "v1alpha20210201": "b9c5e0d625bd",
                "v1beta20230801": "160a84fea3d3",
                "v1beta20250101": "160a84fea3d3"
            },
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
            "digests": {
                "v1alpha20201101": "6c9e68778fb6",
                "v1alpha20210201": "6c9e68778fb6",
                "v1beta20230801": "6c9e68778fb6",
                "v1beta20250101": "ba14ec92bf62"
            },
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
            "digests": {
                "v1alpha20180601": "556507b425b5",
                "v1alpha20201101": "556507b425b5",
                "v1alpha20210201": "556507b425b5",
                "v1beta20230801": "556507b425b5",
                "v1beta20250101": "d7a3266b0916"
            },
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
