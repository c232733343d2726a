"""Hubs and links of the group. Written by `./bazelw run //apis/dataprotection:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "BackupInstance": {
            "hub": "v1beta20210101storage",
            "versions": [
                "v1beta20210101",
                "v1alpha20210201",
                "v1alpha20210601"
            ]
        },
        "BackupPolicy": {
            "hub": "v1beta20210101storage",
            "versions": [
                "v1beta20210101",
                "v1alpha20210201",
                "v1alpha20210601"
            ]
        },
        "BackupVault": {
            "hub": "v1beta20210101storage",
            "versions": [
                "v1beta20210101",
                "v1alpha20210201",
                "v1alpha20210601"
            ]
        }
    },
    "links": {
        "v1alpha20210201storage": [
            "v1alpha20210601storage"
        ],
        "v1alpha20210601storage": [
            "v1beta20210101storage"
        ]
    },
    "sources": {
        "v1alpha20210201": "swagger",
        "v1alpha20210601": "swagger",
        "v1beta20210101": "swagger"
    }
}
