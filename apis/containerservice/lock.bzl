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
                "v20240401": "624a103f1aef",
                "v20250301": "6630516527d2",
                "v20260601": "6630516527d2"
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
                "v20210201": "2a93501bd6da",
                "v20210301": "506c69bdc4ac",
                "v20230102alpha1": "084fd3efa998",
                "v20230201": "dd92ab25bf9f",
                "v20230202alpha1": "005f660fa1e2",
                "v20250102alpha1": "c79c19dd1113",
                "v20250402alpha1": "5c1b9aa7af82",
                "v20250501": "ee0577941491",
                "v20260202alpha1": "75f9c53965ed",
                "v20260401": "4f709f77efbd",
                "v20260501": "1afd1f4c6980"
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
