"""Hubs and links of the group. Written by `bazel run //apis/compute:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "AvailabilitySet": {
            "hub": "v1beta20210301storage"
        },
        "Disk": {
            "hub": "v1beta20201201storage"
        },
        "DiskAccess": {
            "hub": "v1beta20201201storage"
        },
        "DiskEncryptionSet": {
            "hub": "v1beta20201201storage"
        },
        "Image": {
            "hub": "v1beta20210301storage"
        },
        "Snapshot": {
            "hub": "v1beta20201201storage"
        },
        "VirtualMachine": {
            "hub": "v1beta20210301storage"
        },
        "VirtualMachineExtension": {
            "hub": "v1beta20210301storage"
        },
        "VirtualMachineScaleSet": {
            "hub": "v1beta20210301storage"
        },
        "VirtualMachineScaleSetExtension": {
            "hub": "v1beta20210301storage"
        }
    },
    "links": {
        "v1beta20180601storage": [
            "v1beta20180930storage",
            "v1beta20181001storage"
        ],
        "v1beta20180930storage": [
            "v1beta20201201storage"
        ]
    }
}
