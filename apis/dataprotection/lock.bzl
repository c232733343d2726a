"""Hubs and links of the group. Written by //apis/dataprotection:lock.update; do not edit."""

LOCK = {
    "resources": {
        "BackupInstance": {
            "hub": "v20260601storage",
            "versions": [
                "v20210101",
                "v20210201alpha1",
                "v20210601alpha1",
                "v20260301",
                "v20260601"
            ],
            "digests": {
                "v20210101": "96867efa9f69",
                "v20210201alpha1": "96867efa9f69",
                "v20210601alpha1": "4468ec590c15",
                "v20260301": "9b7602632679",
                "v20260601": "d35b11adba4b"
            },
            "former": [
                "v20210101storage"
            ]
        },
        "BackupPolicy": {
            "hub": "v20260601storage",
            "versions": [
                "v20210101",
                "v20210201alpha1",
                "v20210601alpha1",
                "v20260301",
                "v20260601"
            ],
            "digests": {
                "v20210101": "9cee6f4ea767",
                "v20210201alpha1": "9cee6f4ea767",
                "v20210601alpha1": "9cee6f4ea767",
                "v20260301": "16f83560d66a",
                "v20260601": "16f83560d66a"
            },
            "former": [
                "v20210101storage"
            ]
        },
        "BackupVault": {
            "hub": "v20260601storage",
            "versions": [
                "v20210101",
                "v20210201alpha1",
                "v20210601alpha1",
                "v20260301",
                "v20260601"
            ],
            "digests": {
                "v20210101": "fec85ff235bd",
                "v20210201alpha1": "fec85ff235bd",
                "v20210601alpha1": "fec85ff235bd",
                "v20260301": "5245bcbd0277",
                "v20260601": "f14fb9901d25"
            },
            "former": [
                "v20210101storage"
            ]
        }
    },
    "links": {
        "v20210101storage": [
            "v20260301storage"
        ],
        "v20210201alpha1storage": [
            "v20210601alpha1storage"
        ],
        "v20210601alpha1storage": [
            "v20260301storage"
        ],
        "v20260301storage": [
            "v20260601storage"
        ]
    }
}
