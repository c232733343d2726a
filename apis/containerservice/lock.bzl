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
                "v20230102alpha1": "11d12beac9c9",
                "v20230201": "1774e1d25a0b",
                "v20230202alpha1": "11d12beac9c9",
                "v20250102alpha1": "56e87cb3b3eb",
                "v20250402alpha1": "f3ca63b213ff",
                "v20250501": "9585662efb31",
                "v20260202alpha1": "d420f2bb8811",
                "v20260401": "199f4572abad",
                "v20260501": "8a9a552911cf"
            },
            "former": [
                "v20250501storage"
            ]
        },
        "Fleet": {
            "hub": "v20260601storage",
            "versions": [
                "v20250301",
                "v20260601"
            ],
            "digests": {
                "v20250301": "e5f1b95f7e12",
                "v20260601": "e5f1b95f7e12"
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
                "v20250301",
                "v20260601"
            ],
            "digests": {
                "v20250301": "0ee29358a99b",
                "v20260601": "3e5176df6a7a"
            }
        },
        "FleetUpdateRun": {
            "hub": "v20260601storage",
            "versions": [
                "v20250301",
                "v20260601"
            ],
            "digests": {
                "v20250301": "8b8e151c19c9",
                "v20260601": "3fdb92f74a29"
            }
        },
        "FleetUpdateStrategy": {
            "hub": "v20260601storage",
            "versions": [
                "v20250301",
                "v20260601"
            ],
            "digests": {
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
                "v20230102alpha1": "9dac9320b53e",
                "v20230201": "8de0eec552d1",
                "v20230202alpha1": "e72262cc599c",
                "v20250102alpha1": "f730ecbe04bd",
                "v20250402alpha1": "99368dc73dcf",
                "v20250501": "964cc35fa90f",
                "v20260202alpha1": "a956e80795ff",
                "v20260401": "bed891f435f8",
                "v20260501": "e3c592943ec4"
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
