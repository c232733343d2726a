"""Hubs and links of the group. Written by //apis/storage:lock.update; do not edit."""

LOCK = {
    "resources": {
        "BlobContainer": {
            "hub": "v20260401storage",
            "versions": [
                "v20180301alpha1",
                "v20181101",
                "v20190601",
                "v20210201",
                "v20210401",
                "v20250801",
                "v20260401"
            ],
            "digests": {
                "v20180301alpha1": "342d89e14fd2",
                "v20181101": "342d89e14fd2",
                "v20190601": "d11573772140",
                "v20210201": "d11573772140",
                "v20210401": "3502a446a6a8",
                "v20250801": "e075bc93dd34",
                "v20260401": "e075bc93dd34"
            },
            "former": [
                "v20210401storage"
            ]
        },
        "BlobService": {
            "hub": "v20260401storage",
            "versions": [
                "v20181101",
                "v20190601",
                "v20210201",
                "v20210401",
                "v20250801",
                "v20260401"
            ],
            "digests": {
                "v20181101": "308ba526d0f5",
                "v20190601": "665602e83bf3",
                "v20210201": "665602e83bf3",
                "v20210401": "665602e83bf3",
                "v20250801": "7ad272d8b932",
                "v20260401": "7ad272d8b932"
            },
            "former": [
                "v20210401storage"
            ]
        },
        "FileService": {
            "hub": "v20260401storage",
            "versions": [
                "v20190601",
                "v20210201",
                "v20210401",
                "v20250801",
                "v20260401"
            ],
            "digests": {
                "v20190601": "bcfb5b4d3ffe",
                "v20210201": "bac7d40626e3",
                "v20210401": "bac7d40626e3",
                "v20250801": "b4021951de80",
                "v20260401": "b4021951de80"
            },
            "former": [
                "v20210401storage"
            ]
        },
        "FileShare": {
            "hub": "v20260401storage",
            "versions": [
                "v20190601",
                "v20210201",
                "v20210401",
                "v20250801",
                "v20260401"
            ],
            "digests": {
                "v20190601": "4e8502223e77",
                "v20210201": "66aa86c888cf",
                "v20210401": "83b4e5894b37",
                "v20250801": "156d34485aa7",
                "v20260401": "156d34485aa7"
            },
            "former": [
                "v20210401storage"
            ]
        },
        "ManagementPolicy": {
            "hub": "v20260401storage",
            "versions": [
                "v20180301alpha1",
                "v20181101",
                "v20190601",
                "v20210201",
                "v20210401",
                "v20250801",
                "v20260401"
            ],
            "digests": {
                "v20180301alpha1": "e717fcf81407",
                "v20181101": "9d465ecab6fe",
                "v20190601": "9d668a644356",
                "v20210201": "9d668a644356",
                "v20210401": "9d668a644356",
                "v20250801": "70359220755f",
                "v20260401": "70359220755f"
            },
            "former": [
                "v20210401storage"
            ]
        },
        "QueueService": {
            "hub": "v20260401storage",
            "versions": [
                "v20190601",
                "v20210201",
                "v20210401",
                "v20250801",
                "v20260401"
            ],
            "digests": {
                "v20190601": "208a50119cfa",
                "v20210201": "208a50119cfa",
                "v20210401": "208a50119cfa",
                "v20250801": "f94cd38a3a45",
                "v20260401": "f94cd38a3a45"
            },
            "former": [
                "v20210401storage"
            ]
        },
        "StorageAccount": {
            "hub": "v20260401storage",
            "versions": [
                "v20180301alpha1",
                "v20181101",
                "v20190601",
                "v20210201",
                "v20210401",
                "v20250801",
                "v20260401"
            ],
            "digests": {
                "v20180301alpha1": "66dc8f0a2636",
                "v20181101": "050be6b31ac9",
                "v20190601": "e64f273fd6a4",
                "v20210201": "e397dc1da9fe",
                "v20210401": "b8617e652856",
                "v20250801": "5dbd8683aeba",
                "v20260401": "5dbd8683aeba"
            },
            "former": [
                "v20210401storage"
            ]
        },
        "StorageQueue": {
            "hub": "v20260401storage",
            "versions": [
                "v20190601",
                "v20210201",
                "v20210401",
                "v20250801",
                "v20260401"
            ],
            "digests": {
                "v20190601": "3e9f9ee495cd",
                "v20210201": "3e9f9ee495cd",
                "v20210401": "3e9f9ee495cd",
                "v20250801": "9bd7a3e98b59",
                "v20260401": "9bd7a3e98b59"
            },
            "former": [
                "v20210401storage"
            ]
        },
        "Table": {
            "hub": "v20260401storage",
            "versions": [
                "v20190601",
                "v20210201",
                "v20210401",
                "v20250801",
                "v20260401"
            ],
            "digests": {
                "v20190601": "e3b9d3d35c04",
                "v20210201": "e3b9d3d35c04",
                "v20210401": "e3b9d3d35c04",
                "v20250801": "f39f2c9e859e",
                "v20260401": "f39f2c9e859e"
            },
            "former": [
                "v20210401storage"
            ]
        },
        "TableService": {
            "hub": "v20260401storage",
            "versions": [
                "v20190601",
                "v20210201",
                "v20210401",
                "v20250801",
                "v20260401"
            ],
            "digests": {
                "v20190601": "bc733bcbd9b9",
                "v20210201": "bc733bcbd9b9",
                "v20210401": "bc733bcbd9b9",
                "v20250801": "943212d381cf",
                "v20260401": "943212d381cf"
            },
            "former": [
                "v20210401storage"
            ]
        }
    },
    "links": {
        "v20180301alpha1storage": [
            "v20181101storage"
        ],
        "v20181101storage": [
            "v20190601storage"
        ],
        "v20190601storage": [
            "v20210201storage"
        ],
        "v20210201storage": [
            "v20210401storage"
        ],
        "v20210401storage": [
            "v20250801storage"
        ],
        "v20250801storage": [
            "v20260401storage"
        ]
    }
}
