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
                "v20210101": "27adcbed7ce5",
                "v20210201alpha1": "27adcbed7ce5",
                "v20210601alpha1": "2f8e7a05ac45",
                "v20260301": "d4ff8f09d0b3",
                "v20260601": "221248cdc81a"
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
                "v20260301": "4a0d4e38fffd",
                "v20260601": "a11aa569b80c"
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
