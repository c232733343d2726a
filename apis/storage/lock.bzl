"""Hubs and links of the group. Written by //apis/storage:lock.update; do not edit."""

LOCK = {
    "resources": {
        "BlobContainer": {
            "hub": "v1beta20260401storage",
            "versions": [
                "v1alpha20180301",
                "v1beta20181101",
                "v1beta20190601",
                "v1beta20210201",
                "v1beta20210401",
                "v1beta20250801",
                "v1beta20260401"
            ],
            "former": [
                "v1beta20210401storage"
            ]
        },
        "BlobService": {
            "hub": "v1beta20260401storage",
            "versions": [
                "v1beta20181101",
                "v1beta20190601",
                "v1beta20210201",
                "v1beta20210401",
                "v1beta20250801",
                "v1beta20260401"
            ],
            "former": [
                "v1beta20210401storage"
            ]
        },
        "FileService": {
            "hub": "v1beta20260401storage",
            "versions": [
                "v1beta20190601",
                "v1beta20210201",
                "v1beta20210401",
                "v1beta20250801",
                "v1beta20260401"
            ],
            "former": [
                "v1beta20210401storage"
            ]
        },
        "FileShare": {
            "hub": "v1beta20260401storage",
            "versions": [
                "v1beta20190601",
                "v1beta20210201",
                "v1beta20210401",
                "v1beta20250801",
                "v1beta20260401"
            ],
            "former": [
                "v1beta20210401storage"
            ]
        },
        "ManagementPolicy": {
            "hub": "v1beta20260401storage",
            "versions": [
                "v1alpha20180301",
                "v1beta20181101",
                "v1beta20190601",
                "v1beta20210201",
                "v1beta20210401",
                "v1beta20250801",
                "v1beta20260401"
            ],
            "former": [
                "v1beta20210401storage"
            ]
        },
        "QueueService": {
            "hub": "v1beta20260401storage",
            "versions": [
                "v1beta20190601",
                "v1beta20210201",
                "v1beta20210401",
                "v1beta20250801",
                "v1beta20260401"
            ],
            "former": [
                "v1beta20210401storage"
            ]
        },
        "StorageAccount": {
            "hub": "v1beta20260401storage",
            "versions": [
                "v1alpha20180301",
                "v1beta20181101",
                "v1beta20190601",
                "v1beta20210201",
                "v1beta20210401",
                "v1beta20250801",
                "v1beta20260401"
            ],
            "former": [
                "v1beta20210401storage"
            ]
        },
        "StorageQueue": {
            "hub": "v1beta20260401storage",
            "versions": [
                "v1beta20190601",
                "v1beta20210201",
                "v1beta20210401",
                "v1beta20250801",
                "v1beta20260401"
            ],
            "former": [
                "v1beta20210401storage"
            ]
        },
        "Table": {
            "hub": "v1beta20260401storage",
            "versions": [
                "v1beta20190601",
                "v1beta20210201",
                "v1beta20210401",
                "v1beta20250801",
                "v1beta20260401"
            ],
            "former": [
                "v1beta20210401storage"
            ]
        },
        "TableService": {
            "hub": "v1beta20260401storage",
            "versions": [
                "v1beta20190601",
                "v1beta20210201",
                "v1beta20210401",
                "v1beta20250801",
                "v1beta20260401"
            ],
            "former": [
                "v1beta20210401storage"
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
        ],
        "v1beta20210401storage": [
            "v1beta20250801storage"
        ],
        "v1beta20250801storage": [
            "v1beta20260401storage"
        ]
    }
}
