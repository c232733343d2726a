"""Hubs and links of the group. Written by //apis/compute:lock.update; do not edit."""

LOCK = {
    "resources": {
        "AvailabilitySet": {
            "hub": "v1beta20260401storage",
            "versions": [
                "v1beta20180601",
                "v1beta20181001",
                "v1beta20201201",
                "v1beta20210301",
                "v1beta20260301",
                "v1beta20260401"
            ],
            "digests": {
                "v1beta20180601": "7f265c1037d0",
                "v1beta20181001": "7f265c1037d0",
                "v1beta20201201": "7f265c1037d0",
                "v1beta20210301": "7f265c1037d0",
                "v1beta20260301": "fa62bbf2bee9",
                "v1beta20260401": "fa62bbf2bee9"
            },
            "former": [
                "v1beta20210301storage"
            ]
        },
        "CapacityReservation": {
            "hub": "v1beta20260401storage",
            "versions": [
                "v1beta20260301",
                "v1beta20260401"
            ],
            "digests": {
                "v1beta20260301": "4d2fd0ee88eb",
                "v1beta20260401": "8bd219e7673d"
            }
        },
        "CapacityReservationGroup": {
            "hub": "v1beta20260401storage",
            "versions": [
                "v1beta20260301",
                "v1beta20260401"
            ],
            "digests": {
                "v1beta20260301": "0608257448af",
                "v1beta20260401": "49ec407f7de2"
            }
        },
        "Disk": {
            "hub": "v1beta20260302storage",
            "versions": [
                "v1beta20180601",
                "v1beta20180930",
                "v1beta20201201",
                "v1beta20250102",
                "v1beta20260302"
            ],
            "digests": {
                "v1beta20180601": "f093d6aefde0",
                "v1beta20180930": "a325a981f265",
                "v1beta20201201": "0c84aff7dfe9",
                "v1beta20250102": "db25d707e58f",
                "v1beta20260302": "5ac6fbd3846c"
            },
            "former": [
                "v1beta20201201storage"
            ]
        },
        "DiskAccess": {
            "hub": "v1beta20260302storage",
            "versions": [
                "v1beta20201201",
                "v1beta20250102",
                "v1beta20260302"
            ],
            "digests": {
                "v1beta20201201": "7280f7f4358f",
                "v1beta20250102": "9298364b555e",
                "v1beta20260302": "9298364b555e"
            },
            "former": [
                "v1beta20201201storage"
            ]
        },
        "DiskEncryptionSet": {
            "hub": "v1beta20260302storage",
            "versions": [
                "v1beta20201201",
                "v1beta20250102",
                "v1beta20260302"
            ],
            "digests": {
                "v1beta20201201": "7d6f05534014",
                "v1beta20250102": "ccb0441eac7c",
                "v1beta20260302": "ccb0441eac7c"
            },
            "former": [
                "v1beta20201201storage"
            ]
        },
        "Image": {
            "hub": "v1beta20260401storage",
            "versions": [
                "v1beta20180601",
                "v1beta20181001",
                "v1beta20201201",
                "v1beta20210301",
                "v1beta20260301",
                "v1beta20260401"
            ],
            "digests": {
                "v1beta20180601": "f2463eadc04f",
                "v1beta20181001": "f2463eadc04f",
                "v1beta20201201": "85db327d0c28",
                "v1beta20210301": "85db327d0c28",
                "v1beta20260301": "bf6d9371c493",
                "v1beta20260401": "bf6d9371c493"
            },
            "former": [
                "v1beta20210301storage"
            ]
        },
        "Snapshot": {
            "hub": "v1beta20260302storage",
            "versions": [
                "v1beta20180601",
                "v1beta20180930",
                "v1beta20201201",
                "v1beta20250102",
                "v1beta20260302"
            ],
            "digests": {
                "v1beta20180601": "0dd0d24c9878",
                "v1beta20180930": "60a8a5664de1",
                "v1beta20201201": "f4216fa0e216",
                "v1beta20250102": "ada2b31e5c7e",
                "v1beta20260302": "d9673f92029a"
            },
            "former": [
                "v1beta20201201storage"
            ]
        },
        "VirtualMachine": {
            "hub": "v1beta20260401storage",
            "versions": [
                "v1beta20180601",
                "v1beta20181001",
                "v1beta20201201",
                "v1beta20210301",
                "v1beta20260301",
                "v1beta20260401"
            ],
            "digests": {
                "v1beta20180601": "ab43a4e4c383",
                "v1beta20181001": "ab43a4e4c383",
                "v1beta20201201": "bb995b3b0743",
                "v1beta20210301": "9b3a4d24f8be",
                "v1beta20260301": "0f52d08c1285",
                "v1beta20260401": "4cc3e0b21d34"
            },
            "former": [
                "v1beta20210301storage"
            ]
        },
        "VirtualMachineExtension": {
            "hub": "v1beta20260401storage",
            "versions": [
                "v1beta20180601",
                "v1beta20181001",
                "v1beta20201201",
                "v1beta20210301",
                "v1beta20260301",
                "v1beta20260401"
            ],
            "digests": {
                "v1beta20180601": "89bcec9f7839",
                "v1beta20181001": "89bcec9f7839",
                "v1beta20201201": "1413132f55e5",
                "v1beta20210301": "1413132f55e5",
                "v1beta20260301": "c109771e87c1",
                "v1beta20260401": "c109771e87c1"
            },
            "former": [
                "v1beta20210301storage"
            ]
        },
        "VirtualMachineScaleSet": {
            "hub": "v1beta20260401storage",
            "versions": [
                "v1beta20180601",
                "v1beta20181001",
                "v1beta20201201",
                "v1beta20210301",
                "v1beta20260301",
                "v1beta20260401"
            ],
            "digests": {
                "v1beta20180601": "4292a5198f47",
                "v1beta20181001": "0e64313aa349",
                "v1beta20201201": "b86bcc0ef8f0",
                "v1beta20210301": "26c5e01f2ec2",
                "v1beta20260301": "6781055a5cc8",
                "v1beta20260401": "8408de3f3ad1"
            },
            "former": [
                "v1beta20210301storage"
            ]
        },
        "VirtualMachineScaleSetExtension": {
            "hub": "v1beta20260401storage",
            "versions": [
                "v1beta20180601",
                "v1beta20181001",
                "v1beta20201201",
                "v1beta20210301",
                "v1beta20260301",
                "v1beta20260401"
            ],
            "digests": {
                "v1beta20180601": "a4846242946b",
                "v1beta20181001": "a4846242946b",
                "v1beta20201201": "c3138a2ff684",
                "v1beta20210301": "c3138a2ff684",
                "v1beta20260301": "14c2fc555718",
                "v1beta20260401": "14c2fc555718"
            },
            "former": [
                "v1beta20210301storage"
            ]
        }
    },
    "links": {
        "v1beta20180601storage": [
            "v1beta20180930storage",
            "v1beta20181001storage"
        ],
        "v1beta20180930storage": [
            "v1beta20201201storage"
        ],
        "v1beta20181001storage": [
            "v1beta20201201storage"
        ],
        "v1beta20201201storage": [
            "v1beta20210301storage",
            "v1beta20250102storage"
        ],
        "v1beta20210301storage": [
            "v1beta20260301storage"
        ],
        "v1beta20250102storage": [
            "v1beta20260302storage"
        ],
        "v1beta20260301storage": [
            "v1beta20260401storage"
        ]
    }
}
