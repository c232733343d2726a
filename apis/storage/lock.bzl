"""Hubs and links of the group. Written by `./bazelw run //apis/storage:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "BlobContainer": {
            "hub": "v1beta20210401storage",
            "versions": [
                "v1alpha20180301",
                "v1beta20181101",
                "v1beta20190601",
                "v1beta20210201",
                "v1beta20210401"
            ]
        },
        "BlobService": {
            "hub": "v1beta20210401storage",
            "versions": [
                "v1beta20181101",
                "v1beta20190601",
                "v1beta20210201",
                "v1beta20210401"
            ]
        },
        "FileService": {
            "hub": "v1beta20210401storage",
            "versions": [
                "v1beta20190601",
                "v1beta20210201",
                "v1beta20210401"
            ]
        },
        "FileShare": {
            "hub": "v1beta20210401storage",
            "versions": [
                "v1beta20190601",
                "v1beta20210201",
                "v1beta20210401"
            ]
        },
        "ManagementPolicy": {
            "hub": "v1beta20210401storage",
            "versions": [
                "v1alpha20180301",
                "v1beta20181101",
                "v1beta20190601",
                "v1beta20210201",
                "v1beta20210401"
            ]
        },
        "QueueService": {
            "hub": "v1beta20210401storage",
            "versions": [
                "v1beta20190601",
                "v1beta20210201",
                "v1beta20210401"
            ]
        },
        "StorageAccount": {
            "hub": "v1beta20210401storage",
            "versions": [
                "v1alpha20180301",
                "v1beta20181101",
                "v1beta20190601",
                "v1beta20210201",
                "v1beta20210401"
            ]
        },
        "StorageQueue": {
            "hub": "v1beta20210401storage",
            "versions": [
                "v1beta20190601",
                "v1beta20210201",
                "v1beta20210401"
            ]
        },
        "Table": {
            "hub": "v1beta20210401storage",
            "versions": [
                "v1beta20190601",
                "v1beta20210201",
                "v1beta20210401"
            ]
        },
        "TableService": {
            "hub": "v1beta20210401storage",
            "versions": [
                "v1beta20190601",
                "v1beta20210201",
                "v1beta20210401"
            ]
        }
    },
    "links": {
        "v1alpha20180301storage": [
            "v1beta20181101storage"
        ],
        "v1beta20181101storage": [
            "v1beta20190601storage"
        ],
        "v1beta20190601storage": [
            "v1beta20210201storage"
        ],
        "v1beta20210201storage": [
            "v1beta20210401storage"
        ]
    },
    "sources": {
        "v1alpha20180301": "swagger",
        "v1beta20181101": "swagger",
        "v1beta20190601": "swagger",
        "v1beta20210201": "swagger",
        "v1beta20210401": "swagger"
    }
}
