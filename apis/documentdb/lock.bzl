"""Hubs and links of the group. Written by `./bazelw run //apis/documentdb:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "CassandraCluster": {
            "hub": "v1alpha20210301storage",
            "versions": [
                "v1alpha20210301"
            ]
        },
        "CassandraDataCenter": {
            "hub": "v1alpha20210301storage",
            "versions": [
                "v1alpha20210301"
            ]
        },
        "DatabaseAccount": {
            "hub": "v1beta20210315storage",
            "versions": [
                "v1beta20190801",
                "v1beta20191212",
                "v1beta20200901",
                "v1alpha20210301",
                "v1beta20210315"
            ]
        },
        "MongodbDatabase": {
            "hub": "v1beta20210315storage",
            "versions": [
                "v1beta20190801",
                "v1beta20191212",
                "v1beta20200901",
                "v1alpha20210301",
                "v1beta20210315"
            ]
        },
        "MongodbDatabaseCollection": {
            "hub": "v1beta20210315storage",
            "versions": [
                "v1beta20190801",
                "v1beta20191212",
                "v1beta20200901",
                "v1alpha20210301",
                "v1beta20210315"
            ]
        },
        "MongodbDatabaseCollectionThroughputSetting": {
            "hub": "v1beta20210315storage",
            "versions": [
                "v1beta20190801",
                "v1beta20191212",
                "v1beta20200901",
                "v1alpha20210301",
                "v1beta20210315"
            ]
        },
        "MongodbDatabaseThroughputSetting": {
            "hub": "v1beta20210315storage",
            "versions": [
                "v1beta20190801",
                "v1beta20191212",
                "v1beta20200901",
                "v1alpha20210301",
                "v1beta20210315"
            ]
        },
        "SqlDatabase": {
            "hub": "v1beta20210315storage",
            "versions": [
                "v1beta20190801",
                "v1beta20191212",
                "v1beta20200901",
                "v1alpha20210301",
                "v1beta20210315"
            ]
        },
        "SqlDatabaseContainer": {
            "hub": "v1beta20210315storage",
            "versions": [
                "v1beta20190801",
                "v1beta20191212",
                "v1beta20200901",
                "v1alpha20210301",
                "v1beta20210315"
            ]
        },
        "SqlDatabaseContainerStoredProcedure": {
            "hub": "v1beta20210315storage",
            "versions": [
                "v1beta20190801",
                "v1beta20191212",
                "v1beta20200901",
                "v1alpha20210301",
                "v1beta20210315"
            ]
        },
        "SqlDatabaseContainerThroughputSetting": {
            "hub": "v1beta20210315storage",
            "versions": [
                "v1beta20190801",
                "v1beta20191212",
                "v1beta20200901",
                "v1alpha20210301",
                "v1beta20210315"
            ]
        },
        "SqlDatabaseContainerTrigger": {
            "hub": "v1beta20210315storage",
            "versions": [
                "v1beta20190801",
                "v1beta20191212",
                "v1beta20200901",
                "v1alpha20210301",
                "v1beta20210315"
            ]
        },
        "SqlDatabaseContainerUserDefinedFunction": {
            "hub": "v1beta20210315storage",
            "versions": [
                "v1beta20190801",
                "v1beta20191212",
                "v1beta20200901",
                "v1alpha20210301",
                "v1beta20210315"
            ]
        },
        "SqlDatabaseThroughputSetting": {
            "hub": "v1beta20210315storage",
            "versions": [
                "v1beta20190801",
                "v1beta20191212",
                "v1beta20200901",
                "v1alpha20210301",
                "v1beta20210315"
            ]
        },
        "SqlRoleAssignment": {
            "hub": "v1alpha20210301storage",
            "versions": [
                "v1alpha20210301"
            ]
        }
    },
    "links": {
        "v1alpha20210301storage": [
            "v1beta20210315storage"
        ],
        "v1beta20190801storage": [
            "v1beta20191212storage"
        ],
        "v1beta20191212storage": [
            "v1beta20200901storage"
        ],
        "v1beta20200901storage": [
            "v1beta20210315storage"
        ]
    },
    "sources": {
        "v1alpha20210301": "swagger",
        "v1beta20190801": "swagger",
        "v1beta20191212": "swagger",
        "v1beta20200901": "swagger",
        "v1beta20210315": "swagger"
    }
}
