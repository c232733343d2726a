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
            "former": [
                "v1beta20250501storage"
            ]
        },
        "Fleet": {
            "hub": "v1beta20260601storage",
            "versions": [
                "v1beta20250301",
                "v1beta20260601"
            ]
        },
        "FleetAutoUpgradeProfile": {
            "hub": "v1beta20260601storage",
            "versions": [
                "v1beta20250301",
                "v1beta20260601"
            ]
        },
        "FleetMember": {
            "hub": "v1beta20260601storage",
            "versions": [
                "v1beta20250301",
                "v1beta20260601"
            ]
        },
        "FleetUpdateRun": {
            "hub": "v1beta20260601storage",
            "versions": [
                "v1beta20250301",
                "v1beta20260601"
            ]
        },
        "FleetUpdateStrategy": {
            "hub": "v1beta20260601storage",
            "versions": [
                "v1beta20250301",
                "v1beta20260601"
            ]
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
