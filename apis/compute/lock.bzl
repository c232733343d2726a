"""Hubs and links of the group. Written by //apis/compute:lock.update; do not edit."""

LOCK = {
    "resources": {
        "AvailabilitySet": {
            "hub": "v20260401storage",
            "versions": [
                "v20180601",
                "v20181001",
                "v20201201",
                "v20210301",
                "v20240301",
                "v20260301",
                "v20260401"
            ],
            "digests": {
                "v20180601": "7f265c1037d0",
                "v20181001": "7f265c1037d0",
                "v20201201": "7f265c1037d0",
                "v20210301": "7f265c1037d0",
                "v20240301": "7f265c1037d0",
                "v20260301": "fa62bbf2bee9",
                "v20260401": "fa62bbf2bee9"
            },
            "former": [
                "v20210301storage"
            ]
        },
        "CapacityReservation": {
            "hub": "v20260401storage",
            "versions": [
                "v20240301",
                "v20260301",
                "v20260401"
            ],
            "digests": {
                "v20240301": "84207705bad3",
                "v20260301": "4d2fd0ee88eb",
                "v20260401": "8bd219e7673d"
            }
        },
        "CapacityReservationGroup": {
            "hub": "v20260401storage",
            "versions": [
                "v20240301",
                "v20260301",
                "v20260401"
            ],
            "digests": {
                "v20240301": "0a756af519b5",
                "v20260301": "0608257448af",
                "v20260401": "49ec407f7de2"
            }
        },
        "Disk": {
            "hub": "v20260302storage",
            "versions": [
                "v20180601",
                "v20180930",
                "v20201201",
                "v20250102",
                "v20260302"
            ],
            "digests": {
                "v20180601": "f093d6aefde0",
                "v20180930": "a325a981f265",
                "v20201201": "0c84aff7dfe9",
                "v20250102": "db25d707e58f",
                "v20260302": "5ac6fbd3846c"
            },
            "former": [
                "v20201201storage"
            ]
        },
        "DiskAccess": {
            "hub": "v20260302storage",
            "versions": [
                "v20201201",
                "v20250102",
                "v20260302"
            ],
            "digests": {
                "v20201201": "7280f7f4358f",
                "v20250102": "9298364b555e",
                "v20260302": "9298364b555e"
            },
            "former": [
                "v20201201storage"
            ]
        },
        "DiskEncryptionSet": {
            "hub": "v20260302storage",
            "versions": [
                "v20201201",
                "v20250102",
                "v20260302"
            ],
            "digests": {
                "v20201201": "7d6f05534014",
                "v20250102": "ccb0441eac7c",
                "v20260302": "ccb0441eac7c"
            },
            "former": [
                "v20201201storage"
            ]
        },
        "Image": {
            "hub": "v20260401storage",
            "versions": [
                "v20180601",
                "v20181001",
                "v20201201",
                "v20210301",
                "v20240301",
                "v20260301",
                "v20260401"
            ],
            "digests": {
                "v20180601": "6f66f0c67963",
                "v20181001": "6f66f0c67963",
                "v20201201": "a1da6bcab62f",
                "v20210301": "a1da6bcab62f",
                "v20240301": "261f478db272",
                "v20260301": "34101c6a6e5a",
                "v20260401": "34101c6a6e5a"
            },
            "former": [
                "v20210301storage"
            ]
        },
        "Snapshot": {
            "hub": "v20260302storage",
            "versions": [
                "v20180601",
                "v20180930",
                "v20201201",
                "v20250102",
                "v20260302"
            ],
            "digests": {
                "v20180601": "0dd0d24c9878",
                "v20180930": "60a8a5664de1",
                "v20201201": "f4216fa0e216",
                "v20250102": "ada2b31e5c7e",
                "v20260302": "d9673f92029a"
            },
            "former": [
                "v20201201storage"
            ]
        },
        "VirtualMachine": {
            "hub": "v20260401storage",
            "versions": [
                "v20180601",
                "v20181001",
                "v20201201",
                "v20210301",
                "v20240301",
                "v20260301",
                "v20260401"
            ],
            "digests": {
                "v20180601": "f85e95a9f758",
                "v20181001": "f85e95a9f758",
                "v20201201": "84667901c81d",
                "v20210301": "69d21c5f9c58",
                "v20240301": "43b1fcc4aac9",
                "v20260301": "3a97d5e53c19",
                "v20260401": "d399ca8311d1"
            },
            "former": [
                "v20210301storage"
            ]
        },
        "VirtualMachineExtension": {
            "hub": "v20260401storage",
            "versions": [
                "v20180601",
                "v20181001",
                "v20201201",
                "v20210301",
                "v20240301",
                "v20260301",
                "v20260401"
            ],
            "digests": {
                "v20180601": "89bcec9f7839",
                "v20181001": "89bcec9f7839",
                "v20201201": "1413132f55e5",
                "v20210301": "1413132f55e5",
                "v20240301": "c856ccff6e91",
                "v20260301": "c109771e87c1",
                "v20260401": "c109771e87c1"
            },
            "former": [
                "v20210301storage"
            ]
        },
        "VirtualMachineScaleSet": {
            "hub": "v20260401storage",
            "versions": [
                "v20180601",
                "v20181001",
                "v20201201",
                "v20210301",
                "v20240301",
                "v20260301",
                "v20260401"
            ],
            "digests": {
                "v20180601": "51e367d91e04",
                "v20181001": "97cc99580e13",
                "v20201201": "97922c9562fd",
                "v20210301": "cf39fe5f7932",
                "v20240301": "6f671c8f9705",
                "v20260301": "cf0ae433e17f",
                "v20260401": "df2c6e76b4d7"
            },
            "former": [
                "v20210301storage"
            ]
        },
        "VirtualMachineScaleSetExtension": {
            "hub": "v20260401storage",
            "versions": [
                "v20180601",
                "v20181001",
                "v20201201",
                "v20210301",
                "v20240301",
                "v20260301",
                "v20260401"
            ],
            "digests": {
                "v20180601": "a4846242946b",
                "v20181001": "a4846242946b",
                "v20201201": "c3138a2ff684",
                "v20210301": "c3138a2ff684",
                "v20240301": "14c2fc555718",
                "v20260301": "14c2fc555718",
                "v20260401": "14c2fc555718"
            },
            "former": [
                "v20210301storage"
            ]
        }
    },
    "links": {
        "v20180601storage": [
            "v20180930storage",
            "v20181001storage"
        ],
        "v20180930storage": [
            "v20201201storage"
        ],
        "v20181001storage": [
            "v20201201storage"
        ],
        "v20201201storage": [
            "v20210301storage",
            "v20250102storage"
        ],
        "v20210301storage": [
            "v20240301storage"
        ],
        "v20240301storage": [
            "v20260301storage"
        ],
        "v20250102storage": [
            "v20260302storage"
        ],
        "v20260301storage": [
            "v20260401storage"
        ]
    }
}
