"""Hubs and links of the group. Written by //apis/containerservice:lock.update; do not edit."""

LOCK = {
    "resources": {
        "AgentPool": {
            "hub": "v1beta20260501storage",
            "versions": [
                "v1beta20210201",
                "v1beta20210301",
                "v1alpha20230102",
                "v1beta20230201",
                "v1alpha20230202",
                "v1alpha20250102",
                "v1alpha20250402",
                "v1beta20250501",
                "v1alpha20260202",
                "v1beta20260401",
                "v1beta20260501"
            ],
            "digests": {
                "v1alpha20230102": "53967479ad44",
                "v1alpha20230202": "53967479ad44",
                "v1alpha20250102": "81368802cc99",
                "v1alpha20250402": "ddef581c18be",
                "v1alpha20260202": "4fa80b73ff2d",
                "v1beta20210201": "ca7b53815fdc",
                "v1beta20210301": "034699c21e1a",
                "v1beta20230201": "1774e1d25a0b",
                "v1beta20250501": "8d497b02a616",
                "v1beta20260401": "2b71cb83cdd8",
                "v1beta20260501": "a540080a6438"
            },
            "former": [
                "v1beta20250501storage"
            ]
        },
        "Fleet": {
            "hub": "v1beta20260601storage",
            "versions": [
                "v1beta20250301",
                "v1beta20260601"
            ],
            "digests": {
                "v1beta20250301": "21d36b5c2442",
                "v1beta20260601": "21d36b5c2442"
            }
        },
        "FleetAutoUpgradeProfile": {
            "hub": "v1beta20260601storage",
            "versions": [
                "v1beta20250301",
                "v1beta20260601"
            ],
            "digests": {
                "v1beta20250301": "a926da456fba",
                "v1beta20260601": "c02c0ceca57b"
            }
        },
        "FleetMember": {
            "hub": "v1beta20260601storage",
            "versions": [
                "v1beta20250301",
                "v1beta20260601"
            ],
            "digests": {
                "v1beta20250301": "8ade1077508e",
                "v1beta20260601": "45f9b8ac4b61"
            }
        },
        "FleetUpdateRun": {
            "hub": "v1beta20260601storage",
            "versions": [
                "v1beta20250301",
                "v1beta20260601"
            ],
            "digests": {
                "v1beta20250301": "9eca517c049e",
                "v1beta20260601": "935f844bae93"
            }
        },
        "FleetUpdateStrategy": {
            "hub": "v1beta20260601storage",
            "versions": [
                "v1beta20250301",
                "v1beta20260601"
            ],
            "digests": {
                "v1beta20250301": "3604b11cdf43",
                "v1beta20260601": "84edda923ec6"
            }
        },
        "MaintenanceConfiguration": {
            "hub": "v1beta20260501storage",
            "versions": [
                "v1beta20210201",
                "v1beta20210301",
                "v1alpha20230102",
                "v1beta20230201",
                "v1alpha20230202",
                "v1alpha20250102",
                "v1alpha20250402",
                "v1beta20250501",
                "v1alpha20260202",
                "v1beta20260401",
                "v1beta20260501"
            ],
            "digests": {
                "v1alpha20230102": "1d3685c5fe66",
                "v1alpha20230202": "1d3685c5fe66",
                "v1alpha20250102": "1d3685c5fe66",
                "v1alpha20250402": "1d3685c5fe66",
                "v1alpha20260202": "1d3685c5fe66",
                "v1beta20210201": "63333d04027e",
                "v1beta20210301": "63333d04027e",
                "v1beta20230201": "42596989e546",
                "v1beta20250501": "1d3685c5fe66",
                "v1beta20260401": "23f7163daac5",
                "v1beta20260501": "23f7163daac5"
            },
            "former": [
                "v1beta20250501storage"
            ]
        },
        "ManagedCluster": {
            "hub": "v1beta20260501storage",
            "versions": [
                "v1beta20210201",
                "v1beta20210301",
                "v1alpha20230102",
                "v1beta20230201",
                "v1alpha20230202",
                "v1alpha20250102",
                "v1alpha20250402",
                "v1beta20250501",
                "v1alpha20260202",
                "v1beta20260401",
                "v1beta20260501"
            ],
            "digests": {
                "v1alpha20230102": "2ebcbd2b9a63",
                "v1alpha20230202": "b52a88fa846f",
                "v1alpha20250102": "e86dbfead255",
                "v1alpha20250402": "7c96f18742c9",
                "v1alpha20260202": "79ddd74c61c4",
                "v1beta20210201": "266e10b6ff47",
                "v1beta20210301": "e4ba3cc57d5f",
                "v1beta20230201": "8de0eec552d1",
                "v1beta20250501": "685cc5bfd323",
                "v1beta20260401": "72cedf6eb86b",
                "v1beta20260501": "5b3ecfdf63f6"
            },
            "former": [
                "v1beta20250501storage"
            ]
        },
        "TrustedAccessRoleBinding": {
            "hub": "v1beta20260501storage",
            "versions": [
                "v1alpha20230102",
                "v1alpha20230202",
                "v1alpha20250102",
                "v1alpha20250402",
                "v1beta20250501",
                "v1alpha20260202",
                "v1beta20260401",
                "v1beta20260501"
            ],
            "digests": {
                "v1alpha20230102": "5aa7f0c94e69",
                "v1alpha20230202": "5aa7f0c94e69",
                "v1alpha20250102": "5aa7f0c94e69",
                "v1alpha20250402": "5aa7f0c94e69",
                "v1alpha20260202": "5aa7f0c94e69",
                "v1beta20250501": "5aa7f0c94e69",
                "v1beta20260401": "92a1eb5cc572",
                "v1beta20260501": "92a1eb5cc572"
            },
            "former": [
                "v1beta20250501storage"
            ]
        }
    },
    "links": {
        "v1alpha20230102storage": [
            "v1alpha20230202storage",
            "v1beta20230201storage"
        ],
        "v1alpha20230202storage": [
            "v1alpha20250102storage"
        ],
        "v1alpha20250102storage": [
            "v1alpha20250402storage"
        ],
        "v1alpha20250402storage": [
            "v1beta20250501storage"
        ],
        "v1alpha20260202storage": [
            "v1beta20260401storage"
        ],
        "v1beta20210201storage": [
            "v1beta20210301storage"
        ],
        "v1beta20210301storage": [
            "v1beta20230201storage"
        ],
        "v1beta20230201storage": [
            "v1beta20250501storage"
        ],
        "v1beta20250301storage": [
            "v1beta20260601storage"
        ],
        "v1beta20250501storage": [
            "v1beta20260401storage"
        ],
        "v1beta20260401storage": [
            "v1beta20260501storage"
        ]
    }
}
