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
                "v20190907": "88ae61b8993c",
                "v20191109": "606d9d04cb4a",
                "v20200215": "84285d839a3c",
                "v20230815": "923bfe9b104f",
                "v20240413": "b676f039fdc1",
                "v20250214": "44f7fb6c86fa"
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
                "v20191109": "0c2c805cb319",
                "v20200215": "0c2c805cb319",
                "v20230815": "5a77eb596100",
                "v20240413": "8d81dd6463d9",
                "v20250214": "3075fb0f95bc"
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
                "v20230815": "1d1e6078850e",
                "v20240413": "1d1e6078850e",
                "v20250214": "428475693c43"
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
                "v20191109": "3a76206f275c",
                "v20200215": "3a76206f275c",
                "v20230815": "840bf10a0a0d",
                "v20240413": "d36cdc73dbb9",
                "v20250214": "7024c956ad87"
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
