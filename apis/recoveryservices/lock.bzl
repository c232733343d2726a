"""Hubs and links of the group. Written by //apis/recoveryservices:lock.update; do not edit."""

LOCK = {
    "resources": {
        "RecoveryServicesBackupPolicy": {
            "hub": "v20260701storage",
            "versions": [
                "v20260701"
            ],
            "digests": {
                "v20260701": "747f9b9e2c75"
            }
        },
        "RecoveryServicesReplicationPolicy": {
            "hub": "v20260701storage",
            "versions": [
                "v20260701"
            ],
            "digests": {
                "v20260701": "f1efc2e6c8bf"
            }
        },
        "RecoveryServicesVault": {
            "hub": "v20260701storage",
            "versions": [
                "v20260701"
            ],
            "digests": {
                "v20260701": "47eaa13c90ab"
            }
        }
    },
    "links": {}
}
