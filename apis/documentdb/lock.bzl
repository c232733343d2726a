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
                "v20210301alpha1": "38da6712ebe5",
                "v20240515": "0cb534dd9cf3",
                "v20251015": "d652f0e82e4b",
                "v20260315": "706297fb66cc"
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
                "v20240515": "2afc545876d4",
                "v20251015": "2afc545876d4",
                "v20260315": "8044de1494ec"
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
                "v20191212": "1903015efd6c",
                "v20200901": "e49d6fc8864b",
                "v20210301alpha1": "86a5e86c37d8",
                "v20210315": "b97ba5b48dfa",
                "v20240515": "0ab5e7e6c338",
                "v20251015": "d251a27f5e6d",
                "v20260315": "512cc180b82e"
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
                "v20250901": "0c1fb38c62ae",
                "v20260601": "c486d03dba34"
            }
        },
        "MongoClusterFirewallRule": {
            "hub": "v20260601storage",
            "versions": [
                "v20250901",
                "v20260601"
            ],
            "digests": {
                "v20250901": "029749f1e44f",
                "v20260601": "029749f1e44f"
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
                "v20210301alpha1": "380917a77450",
                "v20210315": "b19d468304b1",
                "v20240515": "baa771b776a3",
                "v20251015": "1eb5a308b66c",
                "v20260315": "fc6ef4d61365"
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
                "v20210301alpha1": "ef0a6e91d8d5",
                "v20210315": "62b849f19a70",
                "v20240515": "e19da85ae5d2",
                "v20251015": "c96f0c228d1e",
                "v20260315": "9229e42e2607"
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
                "v20210301alpha1": "ed66c8f11ec0",
                "v20210315": "e7fb27b92d40",
                "v20240515": "9a6dea992892",
                "v20251015": "67e12d55b38e",
                "v20260315": "33a850512938"
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
                "v20210301alpha1": "04cd8dd6df5b",
                "v20210315": "9ae097d29fcd",
                "v20240515": "45e68b0b2d09",
                "v20251015": "16670e7c7397",
                "v20260315": "ab0e10646657"
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
                "v20210301alpha1": "d83825b88c5d",
                "v20210315": "fa544954065d",
                "v20240515": "bc6a53a44ecc",
                "v20251015": "f0b2f79f6667",
                "v20260315": "915cbfb5b9cb"
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
                "v20210301alpha1": "19726c6ac698",
                "v20210315": "2c9e6493b0e1",
                "v20240515": "98fd266c6575",
                "v20251015": "8b2a9bd44646",
                "v20260315": "2e8e175ea928"
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
                "v20210301alpha1": "a0f19b3f283d",
                "v20210315": "4149189808a3",
                "v20240515": "4149189808a3",
                "v20251015": "094832da44d2",
                "v20260315": "83c1ff7b0b04"
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
                "v20210301alpha1": "2125f6e8aa64",
                "v20210315": "2ace351a1397",
                "v20240515": "f815b84261a8",
                "v20251015": "de0e201db1e2",
                "v20260315": "18506b07df09"
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
                "v20210301alpha1": "0f660bfabd38",
                "v20210315": "6e79c8a48c7d",
                "v20240515": "6e79c8a48c7d",
                "v20251015": "28c3be0acaa3",
                "v20260315": "c5a1ea26e4c2"
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
                "v20210301alpha1": "f4f9fccf4230",
                "v20210315": "cc9b9a7482c3",
                "v20240515": "cc9b9a7482c3",
                "v20251015": "2ba325dce7d5",
                "v20260315": "2422f7980952"
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
                "v20210301alpha1": "ecce3b6dd6a5",
                "v20210315": "33431884ee67",
                "v20240515": "c52ed687fa57",
                "v20251015": "c9b20f926c9b",
                "v20260315": "a55921637e97"
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
                "v20210301alpha1": "13fa63c559d5",
                "v20240515": "13fa63c559d5",
                "v20251015": "13fa63c559d5",
                "v20260315": "38c59b54effe"
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
