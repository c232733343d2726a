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
                "v20210201": "ca7b53815fdc",
                "v20210301": "034699c21e1a",
                "v20230102alpha1": "53967479ad44",
                "v20230201": "1774e1d25a0b",
                "v20230202alpha1": "53967479ad44",
                "v20250102alpha1": "81368802cc99",
                "v20250402alpha1": "ddef581c18be",
                "v20250501": "8d497b02a616",
                "v20260202alpha1": "4fa80b73ff2d",
                "v20260401": "2b71cb83cdd8",
                "v20260501": "a540080a6438"
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
                "v20250301": "61d391eabb40",
                "v20260601": "61d391eabb40"
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
                "v20250301": "0ee29358a99b",
                "v20260601": "3e5176df6a7a"
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
                "v20250301": "8b8e151c19c9",
                "v20260601": "3fdb92f74a29"
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
                "v20250301": "3604b11cdf43",
                "v20260601": "d2209d0434dd"
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
                "v20210201": "266e10b6ff47",
                "v20210301": "e4ba3cc57d5f",
                "v20230102alpha1": "2ebcbd2b9a63",
                "v20230201": "8de0eec552d1",
                "v20230202alpha1": "b52a88fa846f",
                "v20250102alpha1": "e86dbfead255",
                "v20250402alpha1": "7c96f18742c9",
                "v20250501": "685cc5bfd323",
                "v20260202alpha1": "79ddd74c61c4",
                "v20260401": "72cedf6eb86b",
                "v20260501": "5b3ecfdf63f6"
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
