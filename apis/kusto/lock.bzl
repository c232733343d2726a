"""Hubs and links of the group. Written by //apis/kusto:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Cluster": {
            "hub": "v1beta20250214storage",
            "versions": [
                "v1alpha20180907",
                "v1beta20190515",
                "v1beta20190907",
                "v1beta20191109",
                "v1beta20200215",
                "v1beta20240413",
                "v1beta20250214"
            ],
            "former": [
                "v1beta20200215storage"
            ]
        },
        "ClusterPrincipalAssignment": {
            "hub": "v1beta20250214storage",
            "versions": [
                "v1beta20191109",
                "v1beta20200215",
                "v1beta20240413",
                "v1beta20250214"
            ],
            "former": [
                "v1beta20200215storage"
            ]
        },
        "DataConnection": {
            "hub": "v1beta20250214storage",
            "versions": [
                "v1beta20190515",
                "v1beta20190907",
                "v1beta20191109",
                "v1beta20200215",
                "v1beta20240413",
                "v1beta20250214"
            ],
            "former": [
                "v1beta20200215storage"
            ]
        },
        "Database": {
            "hub": "v1beta20250214storage",
            "versions": [
                "v1alpha20180907",
                "v1beta20190515",
                "v1beta20190907",
                "v1beta20191109",
                "v1beta20200215",
                "v1beta20240413",
                "v1beta20250214"
            ],
            "former": [
                "v1beta20200215storage"
            ]
        },
        "DatabasePrincipalAssignment": {
            "hub": "v1beta20250214storage",
            "versions": [
                "v1beta20191109",
                "v1beta20200215",
                "v1beta20240413",
                "v1beta20250214"
            ],
            "former": [
                "v1beta20200215storage"
            ]
        }
    },
    "links": {
        "v1alpha20180907storage": [
            "v1beta20190515storage"
        ],
        "v1beta20190515storage": [
            "v1beta20190907storage"
        ],
        "v1beta20190907storage": [
            "v1beta20191109storage"
        ],
        "v1beta20191109storage": [
            "v1beta20200215storage"
        ],
        "v1beta20200215storage": [
            "v1beta20240413storage"
        ],
        "v1beta20240413storage": [
            "v1beta20250214storage"
        ]
    }
}
