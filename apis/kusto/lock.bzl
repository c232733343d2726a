"""Hubs and links of the group. Written by `bazel run //apis/kusto:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "Cluster": {
            "hub": "v1beta20200215storage"
        },
        "ClusterPrincipalAssignment": {
            "hub": "v1beta20200215storage"
        },
        "DataConnection": {
            "hub": "v1beta20200215storage"
        },
        "Database": {
            "hub": "v1beta20200215storage"
        },
        "DatabasePrincipalAssignment": {
            "hub": "v1beta20200215storage"
        }
    },
    "links": {}
}
