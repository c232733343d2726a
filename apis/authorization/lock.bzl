"""Hubs and links of the group. Written by `bazel run //apis/authorization:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "PolicyAssignment": {
            "hub": "v1beta20190901storage"
        },
        "RoleAssignment": {
            "hub": "v1alpha20200801storage"
        }
    },
    "links": {
        "v1alpha20180901storage": [
            "v1alpha20200801storage"
        ],
        "v1alpha20200801storage": []
    }
}
