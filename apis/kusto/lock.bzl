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
            "digests": {
                "v1alpha20180907": "cdc34edab66c",
                "v1beta20190515": "48fa97e25654",
                "v1beta20190907": "7264d9570048",
                "v1beta20191109": "0aa2133b389f",
                "v1beta20200215": "2c58a99ceca6",
                "v1beta20240413": "546a72cd04a4",
                "v1beta20250214": "d0c72a16f821"
            },
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
            "digests": {
                "v1beta20191109": "0c2c805cb319",
                "v1beta20200215": "0c2c805cb319",
                "v1beta20240413": "8d81dd6463d9",
                "v1beta20250214": "3075fb0f95bc"
            },
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
            "digests": {
                "v1beta20190515": "f3d8a8bf04f5",
                "v1beta20190907": "f3d8a8bf04f5",
                "v1beta20191109": "7e862544bf5c",
                "v1beta20200215": "7e862544bf5c",
                "v1beta20240413": "82432bcb7065",
                "v1beta20250214": "9998db647b51"
            },
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
            "digests": {
                "v1alpha20180907": "0ca18f1309a5",
                "v1beta20190515": "614378cc6e81",
                "v1beta20190907": "c500e2d8a7ff",
                "v1beta20191109": "acb8579744c1",
                "v1beta20200215": "55e3d17386cb",
                "v1beta20240413": "2bb3de399e0e",
                "v1beta20250214": "b8a65663f2a3"
            },
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
            "digests": {
                "v1beta20191109": "3a76206f275c",
                "v1beta20200215": "3a76206f275c",
                "v1beta20240413": "d36cdc73dbb9",
                "v1beta20250214": "7024c956ad87"
            },
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
