"""Hubs and links of the group. Written by //apis/netapp:lock.update; do not edit."""

LOCK = {
    "resources": {
        "NetAppAccount": {
            "hub": "v20260601storage",
            "versions": [
                "v20260601"
            ],
            "digests": {
                "v20260601": "1394b93e9237"
            }
        },
        "NetAppBackupPolicy": {
            "hub": "v20260601storage",
            "versions": [
                "v20260601"
            ],
            "digests": {
                "v20260601": "f9205ea87b57"
            }
        },
        "NetAppBackupVault": {
            "hub": "v20260601storage",
            "versions": [
                "v20260601"
            ],
            "digests": {
                "v20260601": "d66ab61ff1c5"
            }
        },
        "NetAppCapacityPool": {
            "hub": "v20260601storage",
            "versions": [
                "v20260601"
            ],
            "digests": {
                "v20260601": "2545f17772f2"
            }
        },
        "NetAppSnapshotPolicy": {
            "hub": "v20260601storage",
            "versions": [
                "v20260601"
            ],
            "digests": {
                "v20260601": "af57f3f79a9c"
            }
        },
        "NetAppVolume": {
            "hub": "v20260601storage",
            "versions": [
                "v20260601"
            ],
            "digests": {
                "v20260601": "d3002d15b911"
            }
        },
        "NetAppVolumeSnapshot": {
            "hub": "v20260601storage",
            "versions": [
                "v20260601"
            ],
            "digests": {
                "v20260601": "1f0cb552cb12"
            }
        }
    },
    "links": {}
}
