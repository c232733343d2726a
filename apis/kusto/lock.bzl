"""Hubs and links of the group. Written by //apis/kusto:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Cluster": {
            "hub": "v20250214storage",
            "versions": [
                "v20180907alpha1",
                "v20190515",
                "v20190907",
                "v20191109",
                "v20200215",
                "v20230815",
                "v20240413",
                "v20250214"
            ],
            "digests": {
                "v20180907alpha1": "cdc34edab66c",
                "v20190515": "bf1d3e4129a3",
                "v20190907": "d370c7f74291",
                "v20191109": "193eda274df6",
                "v20200215": "1b6d50f4aab4",
                "v20230815": "14e2ee7389cc",
                "v20240413": "48b086c7de22",
                "v20250214": "cb427f9b30a8"
            },
            "former": [
                "v20200215storage"
            ]
        },
        "ClusterPrincipalAssignment": {
            "hub": "v20250214storage",
            "versions": [
                "v20191109",
                "v20200215",
                "v20230815",
                "v20240413",
                "v20250214"
            ],
            "digests": {
                "v20191109": "f467cbd54e1b",
                "v20200215": "f467cbd54e1b",
                "v20230815": "293537e088d8",
                "v20240413": "52bcc42b6675",
                "v20250214": "cff08d19c44c"
            },
            "former": [
                "v20200215storage"
            ]
        },
        "DataConnection": {
            "hub": "v20250214storage",
            "versions": [
                "v20190515",
                "v20190907",
                "v20191109",
                "v20200215",
                "v20230815",
                "v20240413",
                "v20250214"
            ],
            "digests": {
                "v20190515": "f3d8a8bf04f5",
                "v20190907": "f3d8a8bf04f5",
                "v20191109": "7e862544bf5c",
                "v20200215": "7e862544bf5c",
                "v20230815": "25b1824a0351",
                "v20240413": "82432bcb7065",
                "v20250214": "9998db647b51"
            },
            "former": [
                "v20200215storage"
            ]
        },
        "Database": {
            "hub": "v20250214storage",
            "versions": [
                "v20180907alpha1",
                "v20190515",
                "v20190907",
                "v20191109",
                "v20200215",
                "v20230815",
                "v20240413",
                "v20250214"
            ],
            "digests": {
                "v20180907alpha1": "c449089e420f",
                "v20190515": "6004825926a8",
                "v20190907": "b7676c64018e",
                "v20191109": "c81a29a04600",
                "v20200215": "4fe06986512f",
                "v20230815": "7a9dab5d2314",
                "v20240413": "7a9dab5d2314",
                "v20250214": "e9c5c3125616"
            },
            "former": [
                "v20200215storage"
            ]
        },
        "DatabasePrincipalAssignment": {
            "hub": "v20250214storage",
            "versions": [
                "v20191109",
                "v20200215",
                "v20230815",
                "v20240413",
                "v20250214"
            ],
            "digests": {
                "v20191109": "594de0614e35",
                "v20200215": "594de0614e35",
                "v20230815": "ec6949f3e194",
                "v20240413": "cf658c59816e",
                "v20250214": "c714a3f69265"
            },
            "former": [
                "v20200215storage"
            ]
        }
    },
    "links": {
        "v20180907alpha1storage": [
            "v20190515storage"
        ],
        "v20190515storage": [
            "v20190907storage"
        ],
        "v20190907storage": [
            "v20191109storage"
        ],
        "v20191109storage": [
            "v20200215storage"
        ],
        "v20200215storage": [
            "v20230815storage"
        ],
        "v20230815storage": [
            "v20240413storage"
        ],
        "v20240413storage": [
            "v20250214storage"
        ]
    }
}
