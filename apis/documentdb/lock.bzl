"""Hubs and links of the group. Written by //apis/documentdb:lock.update; do not edit."""

LOCK = {
    "resources": {
        "CassandraCluster": {
            "hub": "v1beta20260315storage",
            "versions": [
                "v1alpha20210301",
                "v1beta20251015",
                "v1beta20260315"
            ],
            "digests": {
                "v1alpha20210301": "0a33324c22fc",
                "v1beta20251015": "78bb5884973f",
                "v1beta20260315": "d4dd223bd921"
            },
            "former": [
                "v1alpha20210301storage"
            ]
        },
        "CassandraDataCenter": {
            "hub": "v1beta20260315storage",
            "versions": [
                "v1alpha20210301",
                "v1beta20251015",
                "v1beta20260315"
            ],
            "digests": {
                "v1alpha20210301": "e352a7775bc0",
                "v1beta20251015": "740afeb82387",
                "v1beta20260315": "022f3b15c3d6"
            },
            "former": [
                "v1alpha20210301storage"
            ]
        },
        "DatabaseAccount": {
            "hub": "v1beta20260315storage",
            "versions": [
                "v1beta20190801",
                "v1beta20191212",
                "v1beta20200901",
                "v1alpha20210301",
                "v1beta20210315",
                "v1beta20251015",
                "v1beta20260315"
            ],
            "digests": {
                "v1alpha20210301": "4ad56a073ca8",
                "v1beta20190801": "cd02c4b7729b",
                "v1beta20191212": "1e9c2d923d63",
                "v1beta20200901": "2b4db7866b45",
                "v1beta20210315": "3fad59882b78",
                "v1beta20251015": "ac33d87a78d7",
                "v1beta20260315": "b906bd0a316f"
            },
            "former": [
                "v1beta20210315storage"
            ]
        },
        "MongoCluster": {
            "hub": "v1beta20260601storage",
            "versions": [
                "v1beta20250901",
                "v1beta20260601"
            ],
            "digests": {
                "v1beta20250901": "b24176515769",
                "v1beta20260601": "809b532f9c80"
            }
        },
        "MongoClusterFirewallRule": {
            "hub": "v1beta20260601storage",
            "versions": [
                "v1beta20250901",
                "v1beta20260601"
            ],
            "digests": {
                "v1beta20250901": "029749f1e44f",
                "v1beta20260601": "029749f1e44f"
            }
        },
        "MongodbDatabase": {
            "hub": "v1beta20260315storage",
            "versions": [
                "v1beta20190801",
                "v1beta20191212",
                "v1beta20200901",
                "v1alpha20210301",
                "v1beta20210315",
                "v1beta20251015",
                "v1beta20260315"
            ],
            "digests": {
                "v1alpha20210301": "380917a77450",
                "v1beta20190801": "f70cbddfe090",
                "v1beta20191212": "748256b6135a",
                "v1beta20200901": "b19d468304b1",
                "v1beta20210315": "b19d468304b1",
                "v1beta20251015": "b996270fe5f2",
                "v1beta20260315": "ee40588cea69"
            },
            "former": [
                "v1beta20210315storage"
            ]
        },
        "MongodbDatabaseCollection": {
            "hub": "v1beta20260315storage",
            "versions": [
                "v1beta20190801",
                "v1beta20191212",
                "v1beta20200901",
                "v1alpha20210301",
                "v1beta20210315",
                "v1beta20251015",
                "v1beta20260315"
            ],
            "digests": {
                "v1alpha20210301": "ef0a6e91d8d5",
                "v1beta20190801": "821cab01df96",
                "v1beta20191212": "f7402911e8bc",
                "v1beta20200901": "62b849f19a70",
                "v1beta20210315": "62b849f19a70",
                "v1beta20251015": "717eb7d5f469",
                "v1beta20260315": "449c09812377"
            },
            "former": [
                "v1beta20210315storage"
            ]
        },
        "MongodbDatabaseCollectionThroughputSetting": {
            "hub": "v1beta20260315storage",
            "versions": [
                "v1beta20190801",
                "v1beta20191212",
                "v1beta20200901",
                "v1alpha20210301",
                "v1beta20210315",
                "v1beta20251015",
                "v1beta20260315"
            ],
            "digests": {
                "v1alpha20210301": "ed66c8f11ec0",
                "v1beta20190801": "c0182b097cc9",
                "v1beta20191212": "e695b074442e",
                "v1beta20200901": "e7fb27b92d40",
                "v1beta20210315": "e7fb27b92d40",
                "v1beta20251015": "67e12d55b38e",
                "v1beta20260315": "33a850512938"
            },
            "former": [
                "v1beta20210315storage"
            ]
        },
        "MongodbDatabaseThroughputSetting": {
            "hub": "v1beta20260315storage",
            "versions": [
                "v1beta20190801",
                "v1beta20191212",
                "v1beta20200901",
                "v1alpha20210301",
                "v1beta20210315",
                "v1beta20251015",
                "v1beta20260315"
            ],
            "digests": {
                "v1alpha20210301": "04cd8dd6df5b",
                "v1beta20190801": "9f36c3125136",
                "v1beta20191212": "5e442453bd93",
                "v1beta20200901": "9ae097d29fcd",
                "v1beta20210315": "9ae097d29fcd",
                "v1beta20251015": "16670e7c7397",
                "v1beta20260315": "ab0e10646657"
            },
            "former": [
                "v1beta20210315storage"
            ]
        },
        "MongodbRoleDefinition": {
            "hub": "v1beta20260315storage",
            "versions": [
                "v1beta20251015",
                "v1beta20260315"
            ],
            "digests": {
                "v1beta20251015": "1057f6e5dee8",
                "v1beta20260315": "6b9a5690f8fe"
            }
        },
        "MongodbUserDefinition": {
            "hub": "v1beta20260315storage",
            "versions": [
                "v1beta20251015",
                "v1beta20260315"
            ],
            "digests": {
                "v1beta20251015": "3195305b75b4",
                "v1beta20260315": "d93c0e7cf4d1"
            }
        },
        "SqlDatabase": {
            "hub": "v1beta20260315storage",
            "versions": [
                "v1beta20190801",
                "v1beta20191212",
                "v1beta20200901",
                "v1alpha20210301",
                "v1beta20210315",
                "v1beta20251015",
                "v1beta20260315"
            ],
            "digests": {
                "v1alpha20210301": "d83825b88c5d",
                "v1beta20190801": "e987b8eb632a",
                "v1beta20191212": "1cc28606d954",
                "v1beta20200901": "fa544954065d",
                "v1beta20210315": "fa544954065d",
                "v1beta20251015": "0d72a16c28d4",
                "v1beta20260315": "7d12f5743811"
            },
            "former": [
                "v1beta20210315storage"
            ]
        },
        "SqlDatabaseContainer": {
            "hub": "v1beta20260315storage",
            "versions": [
                "v1beta20190801",
                "v1beta20191212",
                "v1beta20200901",
                "v1alpha20210301",
                "v1beta20210315",
                "v1beta20251015",
                "v1beta20260315"
            ],
            "digests": {
                "v1alpha20210301": "19726c6ac698",
                "v1beta20190801": "8673819a0fa6",
                "v1beta20191212": "7b727dfa3efb",
                "v1beta20200901": "eaa93273c36a",
                "v1beta20210315": "2c9e6493b0e1",
                "v1beta20251015": "ed4fb5bf1db4",
                "v1beta20260315": "4467fc386d8b"
            },
            "former": [
                "v1beta20210315storage"
            ]
        },
        "SqlDatabaseContainerStoredProcedure": {
            "hub": "v1beta20260315storage",
            "versions": [
                "v1beta20190801",
                "v1beta20191212",
                "v1beta20200901",
                "v1alpha20210301",
                "v1beta20210315",
                "v1beta20251015",
                "v1beta20260315"
            ],
            "digests": {
                "v1alpha20210301": "a0f19b3f283d",
                "v1beta20190801": "c443464bd2de",
                "v1beta20191212": "306ce7287942",
                "v1beta20200901": "4149189808a3",
                "v1beta20210315": "4149189808a3",
                "v1beta20251015": "094832da44d2",
                "v1beta20260315": "83c1ff7b0b04"
            },
            "former": [
                "v1beta20210315storage"
            ]
        },
        "SqlDatabaseContainerThroughputSetting": {
            "hub": "v1beta20260315storage",
            "versions": [
                "v1beta20190801",
                "v1beta20191212",
                "v1beta20200901",
                "v1alpha20210301",
                "v1beta20210315",
                "v1beta20251015",
                "v1beta20260315"
            ],
            "digests": {
                "v1alpha20210301": "2125f6e8aa64",
                "v1beta20190801": "38f071ed1bf1",
                "v1beta20191212": "2062c03ba91c",
                "v1beta20200901": "2ace351a1397",
                "v1beta20210315": "2ace351a1397",
                "v1beta20251015": "de0e201db1e2",
                "v1beta20260315": "18506b07df09"
            },
            "former": [
                "v1beta20210315storage"
            ]
        },
        "SqlDatabaseContainerTrigger": {
            "hub": "v1beta20260315storage",
            "versions": [
                "v1beta20190801",
                "v1beta20191212",
                "v1beta20200901",
                "v1alpha20210301",
                "v1beta20210315",
                "v1beta20251015",
                "v1beta20260315"
            ],
            "digests": {
                "v1alpha20210301": "0f660bfabd38",
                "v1beta20190801": "8dcfa8a11356",
                "v1beta20191212": "2315662bb78a",
                "v1beta20200901": "6e79c8a48c7d",
                "v1beta20210315": "6e79c8a48c7d",
                "v1beta20251015": "28c3be0acaa3",
                "v1beta20260315": "c5a1ea26e4c2"
            },
            "former": [
                "v1beta20210315storage"
            ]
        },
        "SqlDatabaseContainerUserDefinedFunction": {
            "hub": "v1beta20260315storage",
            "versions": [
                "v1beta20190801",
                "v1beta20191212",
                "v1beta20200901",
                "v1alpha20210301",
                "v1beta20210315",
                "v1beta20251015",
                "v1beta20260315"
            ],
            "digests": {
                "v1alpha20210301": "f4f9fccf4230",
                "v1beta20190801": "2facaf92916a",
                "v1beta20191212": "90771b312d5c",
                "v1beta20200901": "cc9b9a7482c3",
                "v1beta20210315": "cc9b9a7482c3",
                "v1beta20251015": "2ba325dce7d5",
                "v1beta20260315": "2422f7980952"
            },
            "former": [
                "v1beta20210315storage"
            ]
        },
        "SqlDatabaseThroughputSetting": {
            "hub": "v1beta20260315storage",
            "versions": [
                "v1beta20190801",
                "v1beta20191212",
                "v1beta20200901",
                "v1alpha20210301",
                "v1beta20210315",
                "v1beta20251015",
                "v1beta20260315"
            ],
            "digests": {
                "v1alpha20210301": "ecce3b6dd6a5",
                "v1beta20190801": "27fc255fe834",
                "v1beta20191212": "7d03226738ba",
                "v1beta20200901": "33431884ee67",
                "v1beta20210315": "33431884ee67",
                "v1beta20251015": "c9b20f926c9b",
                "v1beta20260315": "a55921637e97"
            },
            "former": [
                "v1beta20210315storage"
            ]
        },
        "SqlRoleAssignment": {
            "hub": "v1beta20260315storage",
            "versions": [
                "v1alpha20210301",
                "v1beta20251015",
                "v1beta20260315"
            ],
            "digests": {
                "v1alpha20210301": "9ef2b5079b17",
                "v1beta20251015": "9ef2b5079b17",
                "v1beta20260315": "a0bd3b67f3d9"
            },
            "former": [
                "v1alpha20210301storage"
            ]
        }
    },
    "links": {
        "v1alpha20210301storage": [
            "v1beta20210315storage",
            "v1beta20251015storage"
        ],
        "v1beta20190801storage": [
            "v1beta20191212storage"
        ],
        "v1beta20191212storage": [
            "v1beta20200901storage"
        ],
        "v1beta20200901storage": [
            "v1beta20210315storage"
        ],
        "v1beta20210315storage": [
            "v1beta20251015storage"
        ],
        "v1beta20250901storage": [
            "v1beta20260601storage"
        ],
        "v1beta20251015storage": [
            "v1beta20260315storage"
        ]
    },
    "names": {
        "MongodbRoleDefinition": {
            "properties/type": "type",
            "type": "armType"
        }
    }
}
