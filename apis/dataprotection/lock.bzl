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
            "digests": {
                "v1alpha20210201": "96867efa9f69",
                "v1alpha20210601": "4468ec590c15",
                "v1beta20210101": "96867efa9f69",
                "v1beta20260301": "aa0796f01329",
                "v1beta20260601": "b32175c98d2f"
            },
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
            "digests": {
                "v1alpha20210201": "9cee6f4ea767",
                "v1alpha20210601": "9cee6f4ea767",
                "v1beta20210101": "9cee6f4ea767",
                "v1beta20260301": "16f83560d66a",
                "v1beta20260601": "16f83560d66a"
            },
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
            "digests": {
                "v1alpha20210201": "fec85ff235bd",
                "v1alpha20210601": "fec85ff235bd",
                "v1beta20210101": "fec85ff235bd",
                "v1beta20260301": "5245bcbd0277",
                "v1beta20260601": "f14fb9901d25"
            },
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
