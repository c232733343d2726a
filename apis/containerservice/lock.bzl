"""Hubs and links of the group. Written by //apis/containerservice:lock.update; do not edit."""

LOCK = {
    "resources": {
        "AgentPool": {
            "hub": "v20260501storage",
            "versions": [
                "v20210201",
                "v20210301",
                "v20230102alpha1",
                "v20230201",
                "v20230202alpha1",
                "v20250102alpha1",
                "v20250402alpha1",
                "v20250501",
                "v20260202alpha1",
                "v20260401",
                "v20260501"
            ],
            "digests": {
                "v20210201": "f7efcef578a8",
                "v20210301": "fb205dbd2274",
                "v20230102alpha1": "d5aba31c3e83",
                "v20230201": "f02269913cb7",
                "v20230202alpha1": "d5aba31c3e83",
                "v20250102alpha1": "81b209c408af",
                "v20250402alpha1": "00252333eb36",
                "v20250501": "7be92c4048db",
                "v20260202alpha1": "fd00ea63e7d5",
                "v20260401": "8b24ceaca070",
                "v20260501": "e7a6022a3054"
            },
            "former": [
                "v20250501storage"
            ]
        },
        "Fleet": {
            "hub": "v20260601storage",
            "versions": [
                "v20240401",
                "v20250301",
                "v20260601"
            ],
            "digests": {
                "v20240401": "2955e8a024e8",
                "v20250301": "8fae9fcf3f5d",
                "v20260601": "8fae9fcf3f5d"
            }
        },
        "FleetAutoUpgradeProfile": {
            "hub": "v20260601storage",
            "versions": [
                "v20250301",
                "v20260601"
            ],
            "digests": {
                "v20250301": "a926da456fba",
                "v20260601": "c02c0ceca57b"
            }
        },
        "FleetMember": {
            "hub": "v20260601storage",
            "versions": [
                "v20240401",
                "v20250301",
                "v20260601"
            ],
            "digests": {
                "v20240401": "de5e004adc43",
                "v20250301": "5ea1a07d4866",
                "v20260601": "5f77b4996db7"
            }
        },
        "FleetUpdateRun": {
            "hub": "v20260601storage",
            "versions": [
                "v20240401",
                "v20250301",
                "v20260601"
            ],
            "digests": {
                "v20240401": "420fdf0ea430",
                "v20250301": "b74d27fd53bc",
                "v20260601": "9ee4aa58c226"
            }
        },
        "FleetUpdateStrategy": {
            "hub": "v20260601storage",
            "versions": [
                "v20240401",
                "v20250301",
                "v20260601"
            ],
            "digests": {
                "v20240401": "b0aa9dd7e4e2",
                "v20250301": "28d771e873de",
                "v20260601": "7f4b68eaa413"
            }
        },
        "MaintenanceConfiguration": {
            "hub": "v20260501storage",
            "versions": [
                "v20210201",
                "v20210301",
                "v20230102alpha1",
                "v20230201",
                "v20230202alpha1",
                "v20250102alpha1",
                "v20250402alpha1",
                "v20250501",
                "v20260202alpha1",
                "v20260401",
                "v20260501"
            ],
            "digests": {
                "v20210201": "63333d04027e",
                "v20210301": "63333d04027e",
                "v20230102alpha1": "d9fc536bbf83",
                "v20230201": "42596989e546",
                "v20230202alpha1": "d9fc536bbf83",
                "v20250102alpha1": "d9fc536bbf83",
                "v20250402alpha1": "d9fc536bbf83",
                "v20250501": "d9fc536bbf83",
                "v20260202alpha1": "d9fc536bbf83",
                "v20260401": "34b703b806dd",
                "v20260501": "34b703b806dd"
            },
            "former": [
                "v20250501storage"
            ]
        },
        "ManagedCluster": {
            "hub": "v20260501storage",
            "versions": [
                "v20210201",
                "v20210301",
                "v20230102alpha1",
                "v20230201",
                "v20230202alpha1",
                "v20250102alpha1",
                "v20250402alpha1",
                "v20250501",
                "v20260202alpha1",
                "v20260401",
                "v20260501"
            ],
            "digests": {
                "v20210201": "f468b7f50366",
                "v20210301": "6b043f6e8c7c",
                "v20230102alpha1": "6e8f13fd20c1",
                "v20230201": "be9225a73074",
                "v20230202alpha1": "6f4a4f722096",
                "v20250102alpha1": "b2d5ae4d0153",
                "v20250402alpha1": "413bfff467f9",
                "v20250501": "379ff225b119",
                "v20260202alpha1": "7c513e2eb628",
                "v20260401": "ebbbf7ef0f7d",
                "v20260501": "9ef4ea62b598"
            },
            "former": [
                "v20250501storage"
            ]
        },
        "TrustedAccessRoleBinding": {
            "hub": "v20260501storage",
            "versions": [
                "v20230102alpha1",
                "v20230202alpha1",
                "v20250102alpha1",
                "v20250402alpha1",
                "v20250501",
                "v20260202alpha1",
                "v20260401",
                "v20260501"
            ],
            "digests": {
                "v20230102alpha1": "5aa7f0c94e69",
                "v20230202alpha1": "5aa7f0c94e69",
                "v20250102alpha1": "5aa7f0c94e69",
                "v20250402alpha1": "5aa7f0c94e69",
                "v20250501": "5aa7f0c94e69",
                "v20260202alpha1": "5aa7f0c94e69",
                "v20260401": "92a1eb5cc572",
                "v20260501": "92a1eb5cc572"
            },
            "former": [
                "v20250501storage"
            ]
        }
    },
    "links": {
        "v20210201storage": [
            "v20210301storage"
        ],
        "v20210301storage": [
            "v20230201storage"
        ],
        "v20230102alpha1storage": [
            "v20230201storage",
            "v20230202alpha1storage"
        ],
        "v20230201storage": [
            "v20250501storage"
        ],
        "v20230202alpha1storage": [
            "v20250102alpha1storage"
        ],
        "v20240401storage": [
            "v20250301storage"
        ],
        "v20250102alpha1storage": [
            "v20250402alpha1storage"
        ],
        "v20250301storage": [
            "v20260601storage"
        ],
        "v20250402alpha1storage": [
            "v20250501storage"
        ],
        "v20250501storage": [
            "v20260401storage"
        ],
        "v20260202alpha1storage": [
            "v20260401storage"
        ],
        "v20260401storage": [
            "v20260501storage"
        ]
    }
}
