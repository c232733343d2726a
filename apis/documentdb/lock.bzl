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
            "former": [
                "v1beta20210315storage"
            ]
        },
        "MongoCluster": {
            "hub": "v1beta20260601storage",
            "versions": [
                "v1beta20250901",
                "v1beta20260601"
            ]
        },
        "MongoClusterFirewallRule": {
            "hub": "v1beta20260601storage",
            "versions": [
                "v1beta20250901",
                "v1beta20260601"
            ]
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
            "former": [
                "v1beta20210315storage"
            ]
        },
        "MongodbRoleDefinition": {
            "hub": "v1beta20260315storage",
            "versions": [
                "v1beta20251015",
                "v1beta20260315"
            ]
        },
        "MongodbUserDefinition": {
            "hub": "v1beta20260315storage",
            "versions": [
                "v1beta20251015",
                "v1beta20260315"
            ]
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
