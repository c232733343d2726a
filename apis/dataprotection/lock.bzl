"""Hubs and links of the group. Written by `bazel run //apis/dataprotection:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "BackupInstance": {
            "hub": "v1beta20210101storage"
        },
        "BackupPolicy": {
            "hub": "v1beta20210101storage"
        },
        "BackupVault": {
            "hub": "v1beta20210101storage"
        }
    },
    "links": {}
}
