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
            "digests": {
                "v1alpha20180301": "342d89e14fd2",
                "v1beta20181101": "342d89e14fd2",
                "v1beta20190601": "d11573772140",
                "v1beta20210201": "d11573772140",
                "v1beta20210401": "3502a446a6a8",
                "v1beta20250801": "e075bc93dd34",
                "v1beta20260401": "e075bc93dd34"
            },
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
            "digests": {
                "v1beta20181101": "308ba526d0f5",
                "v1beta20190601": "665602e83bf3",
                "v1beta20210201": "665602e83bf3",
                "v1beta20210401": "665602e83bf3",
                "v1beta20250801": "7ad272d8b932",
                "v1beta20260401": "7ad272d8b932"
            },
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
            "digests": {
                "v1beta20190601": "bcfb5b4d3ffe",
                "v1beta20210201": "bac7d40626e3",
                "v1beta20210401": "bac7d40626e3",
                "v1beta20250801": "b4021951de80",
                "v1beta20260401": "b4021951de80"
            },
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
            "digests": {
                "v1beta20190601": "4e8502223e77",
                "v1beta20210201": "66aa86c888cf",
                "v1beta20210401": "83b4e5894b37",
                "v1beta20250801": "156d34485aa7",
                "v1beta20260401": "156d34485aa7"
            },
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
            "digests": {
                "v1alpha20180301": "e717fcf81407",
                "v1beta20181101": "9d465ecab6fe",
                "v1beta20190601": "9d668a644356",
                "v1beta20210201": "9d668a644356",
                "v1beta20210401": "9d668a644356",
                "v1beta20250801": "70359220755f",
                "v1beta20260401": "70359220755f"
            },
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
            "digests": {
                "v1beta20190601": "208a50119cfa",
                "v1beta20210201": "208a50119cfa",
                "v1beta20210401": "208a50119cfa",
                "v1beta20250801": "f94cd38a3a45",
                "v1beta20260401": "f94cd38a3a45"
            },
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
            "digests": {
                "v1alpha20180301": "66dc8f0a2636",
                "v1beta20181101": "050be6b31ac9",
                "v1beta20190601": "e64f273fd6a4",
                "v1beta20210201": "e397dc1da9fe",
                "v1beta20210401": "b8617e652856",
                "v1beta20250801": "5dbd8683aeba",
                "v1beta20260401": "5dbd8683aeba"
            },
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
            "digests": {
                "v1beta20190601": "3e9f9ee495cd",
                "v1beta20210201": "3e9f9ee495cd",
                "v1beta20210401": "3e9f9ee495cd",
                "v1beta20250801": "9bd7a3e98b59",
                "v1beta20260401": "9bd7a3e98b59"
            },
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
            "digests": {
                "v1beta20190601": "e3b9d3d35c04",
                "v1beta20210201": "e3b9d3d35c04",
                "v1beta20210401": "e3b9d3d35c04",
                "v1beta20250801": "f39f2c9e859e",
                "v1beta20260401": "f39f2c9e859e"
            },
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
            "digests": {
                "v1beta20190601": "bc733bcbd9b9",
                "v1beta20210201": "bc733bcbd9b9",
                "v1beta20210401": "bc733bcbd9b9",
                "v1beta20250801": "943212d381cf",
                "v1beta20260401": "943212d381cf"
            },
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
