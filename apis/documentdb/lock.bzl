"""Hubs and links of the group. Written by `bazel run //apis/documentdb:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "CassandraCluster": {
            "hub": "v1alpha20210301storage"
        },
        "CassandraDataCenter": {
            "hub": "v1alpha20210301storage"
        },
        "DatabaseAccount": {
            "hub": "v1beta20210315storage"
        },
        "MongodbDatabase": {
            "hub": "v1beta20210315storage"
        },
        "MongodbDatabaseCollection": {
            "hub": "v1beta20210315storage"
        },
        "MongodbDatabaseCollectionThroughputSetting": {
            "hub": "v1beta20210315storage"
        },
        "MongodbDatabaseThroughputSetting": {
            "hub": "v1beta20210315storage"
        },
        "SqlDatabase": {
            "hub": "v1beta20210315storage"
        },
        "SqlDatabaseContainer": {
            "hub": "v1beta20210315storage"
        },
        "SqlDatabaseContainerStoredProcedure": {
            "hub": "v1beta20210315storage"
        },
        "SqlDatabaseContainerThroughputSetting": {
            "hub": "v1beta20210315storage"
        },
        "SqlDatabaseContainerTrigger": {
            "hub": "v1beta20210315storage"
        },
        "SqlDatabaseContainerUserDefinedFunction": {
            "hub": "v1beta20210315storage"
        },
        "SqlDatabaseThroughputSetting": {
            "hub": "v1beta20210315storage"
        },
        "SqlRoleAssignment": {
            "hub": "v1alpha20210301storage"
        }
    },
    "links": {}
}
