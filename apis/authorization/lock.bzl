"""Hubs and links of the group. Written by //apis/authorization:lock.update; do not edit."""

LOCK = {
    "resources": {
        "PolicyAssignment": {
            "hub": "v1beta20260701storage",
            "versions": [
                "v1beta20190601",
                "v1beta20190901",
                "v1beta20260601",
                "v1beta20260701"
            ],
            "former": [
                "v1beta20190901storage"
            ]
        },
        "RoleAssignment": {
            "hub": "v1alpha20200801storage",
            "versions": [
                "v1alpha20180901",
                "v1alpha20200801"
            ]
        }
    },
    "links": {
        "v1alpha20180901storage": [
            "v1alpha20200801storage"
        ],
        "v1beta20190601storage": [
            "v1beta20190901storage"
        ],
        "v1beta20190901storage": [
            "v1beta20260601storage"
        ],
        "v1beta20260601storage": [
            "v1beta20260701storage"
        ]
    }
}
