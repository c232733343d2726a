"""Hubs and links of the group. Written by `./bazelw run //apis/containerservice:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "AgentPool": {
            "hub": "v1beta20250501storage",
            "versions": [
                "v1beta20210201",
                "v1beta20210301",
                "v1alpha20230102",
                "v1beta20230201",
                "v1alpha20230202",
                "v1alpha20250102",
                "v1alpha20250402",
                "v1beta20250501",
                "v1alpha20260202"
            ]
        },
        "MaintenanceConfiguration": {
            "hub": "v1beta20250501storage",
            "versions": [
                "v1beta20210201",
                "v1beta20210301",
                "v1alpha20230102",
                "v1beta20230201",
                "v1alpha20230202",
                "v1alpha20250102",
                "v1alpha20250402",
                "v1beta20250501",
                "v1alpha20260202"
            ]
        },
        "ManagedCluster": {
            "hub": "v1beta20250501storage",
            "versions": [
                "v1beta20210201",
                "v1beta20210301",
                "v1alpha20230102",
                "v1beta20230201",
                "v1alpha20230202",
                "v1alpha20250102",
                "v1alpha20250402",
                "v1beta20250501",
                "v1alpha20260202"
            ]
        },
        "TrustedAccessRoleBinding": {
            "hub": "v1beta20250501storage",
            "versions": [
                "v1alpha20230102",
                "v1alpha20230202",
                "v1alpha20250102",
                "v1alpha20250402",
                "v1beta20250501",
                "v1alpha20260202"
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
            "v1beta20250501storage"
        ],
        "v1beta20210201storage": [
            "v1beta20210301storage"
        ],
        "v1beta20210301storage": [
            "v1beta20230201storage"
        ],
        "v1beta20230201storage": [
            "v1beta20250501storage"
        ]
    },
    "sources": {
        "v1alpha20230102": "jsonschema",
        "v1alpha20230202": "jsonschema",
        "v1alpha20250102": "jsonschema",
        "v1alpha20250402": "jsonschema",
        "v1alpha20260202": "jsonschema",
        "v1beta20210201": "swagger",
        "v1beta20210301": "swagger",
        "v1beta20230201": "jsonschema",
        "v1beta20250501": "jsonschema"
    }
}
