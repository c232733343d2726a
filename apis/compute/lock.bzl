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
            "former": [
                "v1beta20210301storage"
            ]
        },
        "CapacityReservation": {
            "hub": "v1beta20260401storage",
            "versions": [
                "v1beta20260301",
                "v1beta20260401"
            ]
        },
        "CapacityReservationGroup": {
            "hub": "v1beta20260401storage",
            "versions": [
                "v1beta20260301",
                "v1beta20260401"
            ]
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
