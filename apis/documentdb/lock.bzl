"""Hubs and links of the group. Written by //apis/documentdb:lock.update; do not edit."""

LOCK = {
    "resources": {
        "CassandraCluster": {
            "hub": "v20260315storage",
            "versions": [
                "v20210301alpha1",
                "v20240515",
                "v20251015",
                "v20260315"
            ],
            "digests": {
                "v20210301alpha1": "4b24fe7b5d53",
                "v20240515": "2957b360e57e",
                "v20251015": "c74cd4aeda64",
                "v20260315": "7dd692f8f7db"
            },
            "former": [
                "v20210301alpha1storage"
            ]
        },
        "CassandraDataCenter": {
            "hub": "v20260315storage",
            "versions": [
                "v20210301alpha1",
                "v20240515",
                "v20251015",
                "v20260315"
            ],
            "digests": {
                "v20210301alpha1": "3b14a1a1a8cd",
                "v20240515": "809d26e019b0",
                "v20251015": "809d26e019b0",
                "v20260315": "f8135551cda3"
            },
            "former": [
                "v20210301alpha1storage"
            ]
        },
        "DatabaseAccount": {
            "hub": "v20260315storage",
            "versions": [
                "v20190801",
                "v20191212",
                "v20200901",
                "v20210301alpha1",
                "v20210315",
                "v20240515",
                "v20251015",
                "v20260315"
            ],
            "digests": {
                "v20190801": "aa2f12f8e0eb",
                "v20191212": "b7c28c8174dd",
                "v20200901": "207cec7afd74",
                "v20210301alpha1": "b2c58dba39fd",
                "v20210315": "191b85928100",
                "v20240515": "8e1af1b621a8",
                "v20251015": "76974b9e77b5",
                "v20260315": "9daff10d6b1f"
            },
            "former": [
                "v20210315storage"
            ]
        },
        "MongoCluster": {
            "hub": "v20260601storage",
            "versions": [
                "v20250901",
                "v20260601"
            ],
            "digests": {
                "v20250901": "cc2ef74b7e43",
                "v20260601": "414ba24d0d31"
            }
        },
        "MongoClusterFirewallRule": {
            "hub": "v20260601storage",
            "versions": [
                "v20250901",
                "v20260601"
            ],
            "digests": {
                "v20250901": "f1bdc9dd9906",
                "v20260601": "f1bdc9dd9906"
            }
        },
        "MongodbDatabase": {
            "hub": "v20260315storage",
            "versions": [
                "v20190801",
                "v20191212",
                "v20200901",
                "v20210301alpha1",
                "v20210315",
                "v20240515",
                "v20251015",
                "v20260315"
            ],
            "digests": {
                "v20190801": "f70cbddfe090",
                "v20191212": "748256b6135a",
                "v20200901": "b19d468304b1",
                "v20210301alpha1": "be6c7014cb8d",
                "v20210315": "b19d468304b1",
                "v20240515": "baa771b776a3",
                "v20251015": "1eb5a308b66c",
                "v20260315": "f0e178361eda"
            },
            "former": [
                "v20210315storage"
            ]
        },
        "MongodbDatabaseCollection": {
            "hub": "v20260315storage",
            "versions": [
                "v20190801",
                "v20191212",
                "v20200901",
                "v20210301alpha1",
                "v20210315",
                "v20240515",
                "v20251015",
                "v20260315"
            ],
            "digests": {
                "v20190801": "821cab01df96",
                "v20191212": "f7402911e8bc",
                "v20200901": "62b849f19a70",
                "v20210301alpha1": "c0334a206396",
                "v20210315": "62b849f19a70",
                "v20240515": "e19da85ae5d2",
                "v20251015": "c96f0c228d1e",
                "v20260315": "55fef3f3b293"
            },
            "former": [
                "v20210315storage"
            ]
        },
        "MongodbDatabaseCollectionThroughputSetting": {
            "hub": "v20260315storage",
            "versions": [
                "v20190801",
                "v20191212",
                "v20200901",
                "v20210301alpha1",
                "v20210315",
                "v20240515",
                "v20251015",
                "v20260315"
            ],
            "digests": {
                "v20190801": "c0182b097cc9",
                "v20191212": "e695b074442e",
                "v20200901": "e7fb27b92d40",
                "v20210301alpha1": "d93618600449",
                "v20210315": "e7fb27b92d40",
                "v20240515": "9a6dea992892",
                "v20251015": "67e12d55b38e",
                "v20260315": "9031b7d6a6e0"
            },
            "former": [
                "v20210315storage"
            ]
        },
        "MongodbDatabaseThroughputSetting": {
            "hub": "v20260315storage",
            "versions": [
                "v20190801",
                "v20191212",
                "v20200901",
                "v20210301alpha1",
                "v20210315",
                "v20240515",
                "v20251015",
                "v20260315"
            ],
            "digests": {
                "v20190801": "9f36c3125136",
                "v20191212": "5e442453bd93",
                "v20200901": "9ae097d29fcd",
                "v20210301alpha1": "1861cbb51b95",
                "v20210315": "9ae097d29fcd",
                "v20240515": "45e68b0b2d09",
                "v20251015": "16670e7c7397",
                "v20260315": "4213eb0d35cd"
            },
            "former": [
                "v20210315storage"
            ]
        },
        "MongodbRoleDefinition": {
            "hub": "v20260315storage",
            "versions": [
                "v20240515",
                "v20251015",
                "v20260315"
            ],
            "digests": {
                "v20240515": "45a1fafd5a79",
                "v20251015": "1057f6e5dee8",
                "v20260315": "6b9a5690f8fe"
            }
        },
        "MongodbUserDefinition": {
            "hub": "v20260315storage",
            "versions": [
                "v20240515",
                "v20251015",
                "v20260315"
            ],
            "digests": {
                "v20240515": "3195305b75b4",
                "v20251015": "3195305b75b4",
                "v20260315": "d93c0e7cf4d1"
            }
        },
        "SqlDatabase": {
            "hub": "v20260315storage",
            "versions": [
                "v20190801",
                "v20191212",
                "v20200901",
                "v20210301alpha1",
                "v20210315",
                "v20240515",
                "v20251015",
                "v20260315"
            ],
            "digests": {
                "v20190801": "e987b8eb632a",
                "v20191212": "1cc28606d954",
                "v20200901": "fa544954065d",
                "v20210301alpha1": "168065dfe2fb",
                "v20210315": "fa544954065d",
                "v20240515": "bc6a53a44ecc",
                "v20251015": "f0b2f79f6667",
                "v20260315": "06d63705d123"
            },
            "former": [
                "v20210315storage"
            ]
        },
        "SqlDatabaseContainer": {
            "hub": "v20260315storage",
            "versions": [
                "v20190801",
                "v20191212",
                "v20200901",
                "v20210301alpha1",
                "v20210315",
                "v20240515",
                "v20251015",
                "v20260315"
            ],
            "digests": {
                "v20190801": "8673819a0fa6",
                "v20191212": "7b727dfa3efb",
                "v20200901": "eaa93273c36a",
                "v20210301alpha1": "036a1182519e",
                "v20210315": "2c9e6493b0e1",
                "v20240515": "98fd266c6575",
                "v20251015": "8b2a9bd44646",
                "v20260315": "0b9ee3148391"
            },
            "former": [
                "v20210315storage"
            ]
        },
        "SqlDatabaseContainerStoredProcedure": {
            "hub": "v20260315storage",
            "versions": [
                "v20190801",
                "v20191212",
                "v20200901",
                "v20210301alpha1",
                "v20210315",
                "v20240515",
                "v20251015",
                "v20260315"
            ],
            "digests": {
                "v20190801": "c443464bd2de",
                "v20191212": "306ce7287942",
                "v20200901": "4149189808a3",
                "v20210301alpha1": "da74f0422e3c",
                "v20210315": "4149189808a3",
                "v20240515": "4149189808a3",
                "v20251015": "094832da44d2",
                "v20260315": "64f94e54a95f"
            },
            "former": [
                "v20210315storage"
            ]
        },
        "SqlDatabaseContainerThroughputSetting": {
            "hub": "v20260315storage",
            "versions": [
                "v20190801",
                "v20191212",
                "v20200901",
                "v20210301alpha1",
                "v20210315",
                "v20240515",
                "v20251015",
                "v20260315"
            ],
            "digests": {
                "v20190801": "38f071ed1bf1",
                "v20191212": "2062c03ba91c",
                "v20200901": "2ace351a1397",
                "v20210301alpha1": "41cfb3c4dae4",
                "v20210315": "2ace351a1397",
                "v20240515": "f815b84261a8",
                "v20251015": "de0e201db1e2",
                "v20260315": "8f7a33a39058"
            },
            "former": [
                "v20210315storage"
            ]
        },
        "SqlDatabaseContainerTrigger": {
            "hub": "v20260315storage",
            "versions": [
                "v20190801",
                "v20191212",
                "v20200901",
                "v20210301alpha1",
                "v20210315",
                "v20240515",
                "v20251015",
                "v20260315"
            ],
            "digests": {
                "v20190801": "8dcfa8a11356",
                "v20191212": "2315662bb78a",
                "v20200901": "6e79c8a48c7d",
                "v20210301alpha1": "a95a477a70ec",
                "v20210315": "6e79c8a48c7d",
                "v20240515": "6e79c8a48c7d",
                "v20251015": "28c3be0acaa3",
                "v20260315": "0b8361c4bb8f"
            },
            "former": [
                "v20210315storage"
            ]
        },
        "SqlDatabaseContainerUserDefinedFunction": {
            "hub": "v20260315storage",
            "versions": [
                "v20190801",
                "v20191212",
                "v20200901",
                "v20210301alpha1",
                "v20210315",
                "v20240515",
                "v20251015",
                "v20260315"
            ],
            "digests": {
                "v20190801": "2facaf92916a",
                "v20191212": "90771b312d5c",
                "v20200901": "cc9b9a7482c3",
                "v20210301alpha1": "e0f95ae7ccdd",
                "v20210315": "cc9b9a7482c3",
                "v20240515": "cc9b9a7482c3",
                "v20251015": "2ba325dce7d5",
                "v20260315": "5980e3ac7709"
            },
            "former": [
                "v20210315storage"
            ]
        },
        "SqlDatabaseThroughputSetting": {
            "hub": "v20260315storage",
            "versions": [
                "v20190801",
                "v20191212",
                "v20200901",
                "v20210301alpha1",
                "v20210315",
                "v20240515",
                "v20251015",
                "v20260315"
            ],
            "digests": {
                "v20190801": "27fc255fe834",
                "v20191212": "7d03226738ba",
                "v20200901": "33431884ee67",
                "v20210301alpha1": "cc30085365a8",
                "v20210315": "33431884ee67",
                "v20240515": "c52ed687fa57",
                "v20251015": "c9b20f926c9b",
                "v20260315": "cff7dbe79a31"
            },
            "former": [
                "v20210315storage"
            ]
        },
        "SqlRoleAssignment": {
            "hub": "v20260315storage",
            "versions": [
                "v20210301alpha1",
                "v20240515",
                "v20251015",
                "v20260315"
            ],
            "digests": {
                "v20210301alpha1": "96f6448088ae",
                "v20240515": "96f6448088ae",
                "v20251015": "96f6448088ae",
                "v20260315": "905e88aef619"
            },
            "former": [
                "v20210301alpha1storage"
            ]
        }
    },
    "links": {
        "v20190801storage": [
            "v20191212storage"
        ],
        "v20191212storage": [
            "v20200901storage"
        ],
        "v20200901storage": [
            "v20210315storage"
        ],
        "v20210301alpha1storage": [
            "v20210315storage",
            "v20240515storage"
        ],
        "v20210315storage": [
            "v20240515storage"
        ],
        "v20240515storage": [
            "v20251015storage"
        ],
        "v20250901storage": [
            "v20260601storage"
        ],
        "v20251015storage": [
            "v20260315storage"
        ]
    },
    "names": {
        "MongodbRoleDefinition": {
            "properties/type": "type",
            "type": "armType"
        }
    }
}
