"""Hubs and links of the group. Written by //apis/dataprotection:lock.update; do not edit."""

LOCK = {
    "resources": {
        "BackupInstance": {
            "hub": "v1beta20260601storage",
            "versions": [
                "v1beta20210101",
                "v1alpha20210201",
                "v1alpha20210601",
                "v1beta20260301",
                "v1beta20260601"
            ],
            "former": [
                "v1beta20210101storage"
            ]
        },
        "BackupPolicy": {
            "hub": "v1beta20260601storage",
            "versions": [
                "v1beta20210101",
                "v1alpha20210201",
                "v1alpha20210601",
                "v1beta20260301",
                "v1beta20260601"
            ],
            "former": [
                "v1beta20210101storage"
            ]
        },
        "BackupVault": {
            "hub": "v1beta20260601storage",
            "versions": [
                "v1beta20210101",
                "v1alpha20210201",
                "v1alpha20210601",
                "v1beta20260301",
                "v1beta20260601"
            ],
            "former": [
                "v1beta20210101storage"
            ]
        }
    },
    "links": {
        "v1alpha20210201storage": [
            "v1alpha20210601storage"
        ],
        "v1alpha20210601storage": [
            "v1beta20260301storage"
        ],
        "v1beta20210101storage": [
            "v1beta20260301storage"
        ],
        "v1beta20260301storage": [
            "v1beta20260601storage"
        ]
    }
}
