"""Hubs and links of the group. Written by `bazel run //apis/storage:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "BlobContainer": {
            "hub": "v1beta20210401storage"
        },
        "BlobService": {
            "hub": "v1beta20210401storage"
        },
        "FileService": {
            "hub": "v1beta20210401storage"
        },
        "FileShare": {
            "hub": "v1beta20210401storage"
        },
        "ManagementPolicy": {
            "hub": "v1beta20210401storage"
        },
        "Queue": {
            "hub": "v1beta20210401storage"
        },
        "QueueService": {
            "hub": "v1beta20210401storage"
        },
        "StorageAccount": {
            "hub": "v1beta20210401storage"
        },
        "Table": {
            "hub": "v1beta20210401storage"
        },
        "TableService": {
            "hub": "v1beta20210401storage"
        }
    },
    "links": {}
}
