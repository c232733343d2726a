"""Hubs and links of the group. Written by //apis/dataprotection:lock.update; do not edit."""

LOCK = {
    "resources": {
        "BackupInstance": {
            "hub": "v20260601storage",
            "versions": [
                "v20210101",
                "v20210201alpha1",
                "v20210601alpha1",
                "v20240401",
                "v20260301",
                "v20260601"
            ],
            "digests": {
                "v20210101": "27adcbed7ce5",
                "v20210201alpha1": "27adcbed7ce5",
                "v20210601alpha1": "2f8e7a05ac45",
                "v20240401": "6dffb5d124e9",
                "v20260301": "dbde9e22838b",
                "v20260601": "4e02938690fe"
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
                "v20240401",
                "v20260301",
                "v20260601"
            ],
            "digests": {
                "v20210101": "9cee6f4ea767",
                "v20210201alpha1": "9cee6f4ea767",
                "v20210601alpha1": "9cee6f4ea767",
                "v20240401": "540667c56e6b",
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
                "v20240401",
                "v20260301",
                "v20260601"
            ],
            "digests": {
                "v20210101": "00a6517749d4",
                "v20210201alpha1": "00a6517749d4",
                "v20210601alpha1": "00a6517749d4",
                "v20240401": "bc1fe005004f",
                "v20260301": "5e54f6dd2673",
                "v20260601": "b9d925ff3115"
            },
            "former": [
                "v20210101storage"
            ]
        }
    },
    "links": {
        "v20210101storage": [
            "v20240401storage"
        ],
        "v20210201alpha1storage": [
            "v20210601alpha1storage"
        ],
        "v20210601alpha1storage": [
            "v20240401storage"
        ],
        "v20240401storage": [
            "v20260301storage"
        ],
        "v20260301storage": [
            "v20260601storage"
        ]
    }
}
