"""Hubs and links of the group. Written by //apis/sql:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Server": {
            "hub": "v20250101storage",
            "versions": [
                "v20140401",
                "v20201101alpha1",
                "v20210201alpha1",
                "v20211101",
                "v20230801",
                "v20250101"
            ],
            "digests": {
                "v20140401": "2e6b2b5293b1",
                "v20201101alpha1": "26c7c4251589",
                "v20210201alpha1": "f2f363f15ab8",
                "v20211101": "3ed58df61846",
                "v20230801": "0a6ed3020ecb",
                "v20250101": "d011c6fb0092"
            },
            "former": [
                "v20140401storage"
            ]
        },
        "ServerAdministrator": {
            "hub": "v20250101storage",
            "versions": [
                "v20140401",
                "v20180601alpha1",
                "v20201101alpha1",
                "v20210201alpha1",
                "v20211101",
                "v20230801",
                "v20250101"
            ],
            "digests": {
                "v20140401": "154c2d4afec0",
                "v20180601alpha1": "441d54dad37f",
                "v20201101alpha1": "fbb742f4fbc1",
                "v20210201alpha1": "fbb742f4fbc1",
                "v20211101": "fbb742f4fbc1",
                "v20230801": "c590d861c046",
                "v20250101": "a59e1e6bb472"
            },
            "former": [
                "v20140401storage"
            ]
        },
        "ServerAdvancedThreatProtectionSetting": {
            "hub": "v20250101storage",
            "versions": [
                "v20211101",
                "v20230801",
                "v20250101"
            ],
            "digests": {
                "v20211101": "a5b2ce577a90",
                "v20230801": "a3be6f67762e",
                "v20250101": "a3be6f67762e"
            }
        },
        "ServerAuditingSetting": {
            "hub": "v20250101storage",
            "versions": [
                "v20170301alpha1",
                "v20201101alpha1",
                "v20210201alpha1",
                "v20211101",
                "v20230801",
                "v20250101"
            ],
            "digests": {
                "v20170301alpha1": "ac1c25c4506d",
                "v20201101alpha1": "6941bf017d19",
                "v20210201alpha1": "6941bf017d19",
                "v20211101": "f9284d6544fb",
                "v20230801": "622f16c13b7d",
                "v20250101": "fbef4c57f6b6"
            },
            "former": [
                "v20210201alpha1storage"
            ]
        },
        "ServerAzureADOnlyAuthentication": {
            "hub": "v20250101storage",
            "versions": [
                "v20201101alpha1",
                "v20210201alpha1",
                "v20211101",
                "v20230801",
                "v20250101"
            ],
            "digests": {
                "v20201101alpha1": "b655904b6066",
                "v20210201alpha1": "b655904b6066",
                "v20211101": "b655904b6066",
                "v20230801": "b655904b6066",
                "v20250101": "08b5bd1e6e1c"
            },
            "former": [
                "v20210201alpha1storage"
            ]
        },
        "ServerConnectionPolicy": {
            "hub": "v20250101storage",
            "versions": [
                "v20140401",
                "v20211101",
                "v20230801",
                "v20250101"
            ],
            "digests": {
                "v20140401": "313c41621edb",
                "v20211101": "caaef7665c13",
                "v20230801": "d5d69661a805",
                "v20250101": "82a9f368e630"
            },
            "former": [
                "v20140401storage"
            ]
        },
        "ServerDatabase": {
            "hub": "v20250101storage",
            "versions": [
                "v20140401",
                "v20170301alpha1",
                "v20201101alpha1",
                "v20210201alpha1",
                "v20211101",
                "v20230801",
                "v20250101"
            ],
            "digests": {
                "v20140401": "cbd603b064f4",
                "v20170301alpha1": "8e08eddcdf3c",
                "v20201101alpha1": "60e754a54950",
                "v20210201alpha1": "54476d36ac16",
                "v20211101": "8dd92d04134f",
                "v20230801": "2af08db20cc9",
                "v20250101": "73bfa3767c62"
            },
            "former": [
                "v20140401storage"
            ]
        },
        "ServerDatabaseAdvancedThreatProtectionSetting": {
            "hub": "v20250101storage",
            "versions": [
                "v20211101",
                "v20230801",
                "v20250101"
            ],
            "digests": {
                "v20211101": "4249c0ece299",
                "v20230801": "852a2e89fa64",
                "v20250101": "852a2e89fa64"
            }
        },
        "ServerDatabaseAuditingSetting": {
            "hub": "v20250101storage",
            "versions": [
                "v20170301alpha1",
                "v20201101alpha1",
                "v20210201alpha1",
                "v20211101",
                "v20230801",
                "v20250101"
            ],
            "digests": {
                "v20170301alpha1": "7a2fc9c60de7",
                "v20201101alpha1": "7a2fc9c60de7",
                "v20210201alpha1": "7a2fc9c60de7",
                "v20211101": "8fb705e1cb2c",
                "v20230801": "0db23ed163d9",
                "v20250101": "5ec4a35fb945"
            },
            "former": [
                "v20210201alpha1storage"
            ]
        },
        "ServerDatabaseBackupLongTermRetentionPolicy": {
            "hub": "v20250101storage",
            "versions": [
                "v20170301alpha1",
                "v20201101alpha1",
                "v20210201alpha1",
                "v20211101",
                "v20230801",
                "v20250101"
            ],
            "digests": {
                "v20170301alpha1": "08b619d6acda",
                "v20201101alpha1": "08b619d6acda",
                "v20210201alpha1": "08b619d6acda",
                "v20211101": "08b619d6acda",
                "v20230801": "08b619d6acda",
                "v20250101": "0043dbf3b7cf"
            },
            "former": [
                "v20210201alpha1storage"
            ]
        },
        "ServerDatabaseBackupShortTermRetentionPolicy": {
            "hub": "v20250101storage",
            "versions": [
                "v20201101alpha1",
                "v20210201alpha1",
                "v20211101",
                "v20230801",
                "v20250101"
            ],
            "digests": {
                "v20201101alpha1": "8035e82381d4",
                "v20210201alpha1": "df0b6920eed2",
                "v20211101": "df0b6920eed2",
                "v20230801": "deecf0624eed",
                "v20250101": "36af0911b598"
            },
            "former": [
                "v20210201alpha1storage"
            ]
        },
        "ServerDatabaseSecurityAlertPolicy": {
            "hub": "v20250101storage",
            "versions": [
                "v20140401",
                "v20180601alpha1",
                "v20201101alpha1",
                "v20210201alpha1",
                "v20211101",
                "v20230801",
                "v20250101"
            ],
            "digests": {
                "v20140401": "80d2c332ada8",
                "v20180601alpha1": "94c0bf94de9a",
                "v20201101alpha1": "5ff5e2c4a0e5",
                "v20210201alpha1": "5ff5e2c4a0e5",
                "v20211101": "2e003d23a284",
                "v20230801": "50181cb35a90",
                "v20250101": "407cc71719fd"
            },
            "former": [
                "v20140401storage"
            ]
        },
        "ServerDatabaseTransparentDataEncryption": {
            "hub": "v20250101storage",
            "versions": [
                "v20140401",
                "v20201101alpha1",
                "v20210201alpha1",
                "v20211101",
                "v20230801",
                "v20250101"
            ],
            "digests": {
                "v20140401": "4eac99762638",
                "v20201101alpha1": "5840807ffe0e",
                "v20210201alpha1": "5840807ffe0e",
                "v20211101": "5840807ffe0e",
                "v20230801": "a46d41fd3b57",
                "v20250101": "6c7f8df6af39"
            },
            "former": [
                "v20140401storage"
            ]
        },
        "ServerDatabaseVulnerabilityAssessment": {
            "hub": "v20250101storage",
            "versions": [
                "v20170301alpha1",
                "v20201101alpha1",
                "v20210201alpha1",
                "v20211101",
                "v20230801",
                "v20250101"
            ],
            "digests": {
                "v20170301alpha1": "58aa785010c2",
                "v20201101alpha1": "58aa785010c2",
                "v20210201alpha1": "58aa785010c2",
                "v20211101": "58aa785010c2",
                "v20230801": "58aa785010c2",
                "v20250101": "1fdfdfd03de3"
            },
            "former": [
                "v20210201alpha1storage"
            ]
        },
        "ServerElasticPool": {
            "hub": "v20250101storage",
            "versions": [
                "v20140401",
                "v20201101alpha1",
                "v20210201alpha1",
                "v20211101",
                "v20230801",
                "v20250101"
            ],
            "digests": {
                "v20140401": "4f2a5286c8a1",
                "v20201101alpha1": "56b1afe129d9",
                "v20210201alpha1": "56b1afe129d9",
                "v20211101": "12d06d0aa6dd",
                "v20230801": "6ed118e7d0d7",
                "v20250101": "8793094935fe"
            },
            "former": [
                "v20140401storage"
            ]
        },
        "ServerEncryptionProtector": {
            "hub": "v20250101storage",
            "versions": [
                "v20201101alpha1",
                "v20210201alpha1",
                "v20211101",
                "v20230801",
                "v20250101"
            ],
            "digests": {
                "v20201101alpha1": "a58a4b818494",
                "v20210201alpha1": "a58a4b818494",
                "v20211101": "a58a4b818494",
                "v20230801": "23f7b4b4ee17",
                "v20250101": "635c37be6680"
            },
            "former": [
                "v20210201alpha1storage"
            ]
        },
        "ServerFailoverGroup": {
            "hub": "v20250101storage",
            "versions": [
                "v20201101alpha1",
                "v20210201alpha1",
                "v20211101",
                "v20230801",
                "v20250101"
            ],
            "digests": {
                "v20201101alpha1": "22872bf15b32",
                "v20210201alpha1": "22872bf15b32",
                "v20211101": "22872bf15b32",
                "v20230801": "a7bcc57f9b06",
                "v20250101": "d405c69109b8"
            },
            "former": [
                "v20210201alpha1storage"
            ]
        },
        "ServerFirewallRule": {
            "hub": "v20250101storage",
            "versions": [
                "v20140401",
                "v20201101alpha1",
                "v20210201alpha1",
                "v20211101",
                "v20230801",
                "v20250101"
            ],
            "digests": {
                "v20140401": "3e82a448cba5",
                "v20201101alpha1": "607895a0d486",
                "v20210201alpha1": "607895a0d486",
                "v20211101": "607895a0d486",
                "v20230801": "607895a0d486",
                "v20250101": "607895a0d486"
            },
            "former": [
                "v20140401storage"
            ]
        },
        "ServerIPv6FirewallRule": {
            "hub": "v20250101storage",
            "versions": [
                "v20211101",
                "v20230801",
                "v20250101"
            ],
            "digests": {
                "v20211101": "88eec64bccc1",
                "v20230801": "88eec64bccc1",
                "v20250101": "88eec64bccc1"
            }
        },
        "ServerKey": {
            "hub": "v20250101storage",
            "versions": [
                "v20201101alpha1",
                "v20210201alpha1",
                "v20211101",
                "v20230801",
                "v20250101"
            ],
            "digests": {
                "v20201101alpha1": "0000e58b227b",
                "v20210201alpha1": "0000e58b227b",
                "v20211101": "0000e58b227b",
                "v20230801": "ca4f79d87a30",
                "v20250101": "d46bf22dbb60"
            },
            "former": [
                "v20210201alpha1storage"
            ]
        },
        "ServerOutboundFirewallRule": {
            "hub": "v20250101storage",
            "versions": [
                "v20210201alpha1",
                "v20211101",
                "v20230801",
                "v20250101"
            ],
            "digests": {
                "v20210201alpha1": "a1b89a691a12",
                "v20211101": "36392a1919bf",
                "v20230801": "36392a1919bf",
                "v20250101": "da86529a74e4"
            },
            "former": [
                "v20210201alpha1storage"
            ]
        },
        "ServerSecurityAlertPolicy": {
            "hub": "v20250101storage",
            "versions": [
                "v20170301alpha1",
                "v20201101alpha1",
                "v20210201alpha1",
                "v20211101",
                "v20230801",
                "v20250101"
            ],
            "digests": {
                "v20170301alpha1": "50dbed605e4d",
                "v20201101alpha1": "2aaac47b4ce0",
                "v20210201alpha1": "2aaac47b4ce0",
                "v20211101": "2aaac47b4ce0",
                "v20230801": "27b3f8e076a6",
                "v20250101": "27b3f8e076a6"
            },
            "former": [
                "v20210201alpha1storage"
            ]
        },
        "ServerVirtualNetworkRule": {
            "hub": "v20250101storage",
            "versions": [
                "v20201101alpha1",
                "v20210201alpha1",
                "v20211101",
                "v20230801",
                "v20250101"
            ],
            "digests": {
                "v20201101alpha1": "6c9e68778fb6",
                "v20210201alpha1": "6c9e68778fb6",
                "v20211101": "75148b08428d",
                "v20230801": "6c9e68778fb6",
                "v20250101": "ba14ec92bf62"
            },
            "former": [
                "v20210201alpha1storage"
            ]
        },
        "ServerVulnerabilityAssessment": {
            "hub": "v20250101storage",
            "versions": [
                "v20180601alpha1",
                "v20201101alpha1",
                "v20210201alpha1",
                "v20211101",
                "v20230801",
                "v20250101"
            ],
            "digests": {
                "v20180601alpha1": "556507b425b5",
                "v20201101alpha1": "556507b425b5",
                "v20210201alpha1": "556507b425b5",
                "v20211101": "556507b425b5",
                "v20230801": "556507b425b5",
                "v20250101": "d7a3266b0916"
            },
            "former": [
                "v20210201alpha1storage"
            ]
        }
    },
    "links": {
        "v20140401storage": [
            "v20211101storage"
        ],
        "v20170301alpha1storage": [
            "v20201101alpha1storage"
        ],
        "v20180601alpha1storage": [
            "v20201101alpha1storage"
        ],
        "v20201101alpha1storage": [
            "v20210201alpha1storage"
        ],
        "v20210201alpha1storage": [
            "v20211101storage"
        ],
        "v20211101storage": [
            "v20230801storage"
        ],
        "v20230801storage": [
            "v20250101storage"
        ]
    }
}
