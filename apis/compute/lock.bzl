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
                "v20180601": "2a7a46b333b7",
                "v20180930": "92a39834db12",
                "v20201201": "49667b198642",
                "v20250102": "3d479b295a50",
                "v20260302": "962f5971fcb2"
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
                "v20201201": "389f7378e163",
                "v20250102": "61d27408dc24",
                "v20260302": "61d27408dc24"
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
                "v20180601": "9eab9b19165f",
                "v20180930": "acf34bacf83a",
                "v20201201": "fefe3e21d26a",
                "v20250102": "e14435c876ad",
                "v20260302": "773a8e20d9b8"
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
                "v20180601": "e712f8ca2b36",
                "v20181001": "e712f8ca2b36",
                "v20201201": "f61600d4e3d6",
                "v20210301": "d06585c043a4",
                "v20240301": "437a9339d02d",
                "v20260301": "2c1aa77070ca",
                "v20260401": "71897773824a"
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
                "v20180601": "2d0418fb5c39",
                "v20181001": "2d0418fb5c39",
                "v20201201": "99a19879b4dc",
                "v20210301": "99a19879b4dc",
                "v20240301": "38dd5e2c6194",
                "v20260301": "ebc911dcfa6f",
                "v20260401": "ebc911dcfa6f"
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
                "v20180601": "46ffe3c8105b",
                "v20181001": "072bb27f3d74",
                "v20201201": "d14242a07d6a",
                "v20210301": "a11b87caf578",
                "v20240301": "22275079b5e7",
                "v20260301": "e11432525860",
                "v20260401": "dacaceea58a7"
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
                "v20180601": "296b1050cb03",
                "v20181001": "296b1050cb03",
                "v20201201": "4566b152bc15",
                "v20210301": "4566b152bc15",
                "v20240301": "6d1429d97484",
                "v20260301": "6d1429d97484",
                "v20260401": "6d1429d97484"
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
