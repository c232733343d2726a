"""Hubs and links of the group. Written by `./bazelw run //apis/compute:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "AvailabilitySet": {
            "hub": "v1beta20210301storage",
            "versions": [
                "v1beta20180601",
                "v1beta20181001",
                "v1beta20201201",
                "v1beta20210301"
            ]
        },
        "Disk": {
            "hub": "v1beta20201201storage",
            "versions": [
                "v1beta20180601",
                "v1beta20180930",
                "v1beta20201201"
            ]
        },
        "DiskAccess": {
            "hub": "v1beta20201201storage",
            "versions": [
                "v1beta20201201"
            ]
        },
        "DiskEncryptionSet": {
            "hub": "v1beta20201201storage",
            "versions": [
                "v1beta20201201"
            ]
        },
        "Image": {
            "hub": "v1beta20210301storage",
            "versions": [
                "v1beta20180601",
                "v1beta20181001",
                "v1beta20201201",
                "v1beta20210301"
            ]
        },
        "Snapshot": {
            "hub": "v1beta20201201storage",
            "versions": [
                "v1beta20180601",
                "v1beta20180930",
                "v1beta20201201"
            ]
        },
        "VirtualMachine": {
            "hub": "v1beta20210301storage",
            "versions": [
                "v1beta20180601",
                "v1beta20181001",
                "v1beta20201201",
                "v1beta20210301"
            ]
        },
        "VirtualMachineExtension": {
            "hub": "v1beta20210301storage",
            "versions": [
                "v1beta20180601",
                "v1beta20181001",
                "v1beta20201201",
                "v1beta20210301"
            ]
        },
        "VirtualMachineScaleSet": {
            "hub": "v1beta20210301storage",
            "versions": [
                "v1beta20180601",
                "v1beta20181001",
                "v1beta20201201",
                "v1beta20210301"
            ]
        },
        "VirtualMachineScaleSetExtension": {
            "hub": "v1beta20210301storage",
            "versions": [
                "v1beta20180601",
                "v1beta20181001",
                "v1beta20201201",
                "v1beta20210301"
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
            "v1beta20210301storage"
        ]
    },
    "sources": {
        "v1beta20180601": "swagger",
        "v1beta20180930": "swagger",
        "v1beta20181001": "swagger",
        "v1beta20201201": "swagger",
        "v1beta20210301": "swagger"
    }
}
