"""Hubs and links of the group. Written by `bazel run //apis/containerservice:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "AgentPool": {
            "hub": "v1beta20250501storage"
        },
        "MaintenanceConfiguration": {
            "hub": "v1beta20250501storage"
        },
        "ManagedCluster": {
            "hub": "v1beta20250501storage"
        },
        "TrustedAccessRoleBinding": {
            "hub": "v1beta20250501storage"
        }
    },
    "links": {
        "v1alpha20230102storage": [
            "v1alpha20230202storage",
            "v1beta20230201storage"
        ]
    }
}
